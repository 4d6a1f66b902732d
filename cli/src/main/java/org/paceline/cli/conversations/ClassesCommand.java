package org.paceline.cli.conversations;

import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Words;
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.UseCases;
import org.paceline.control.view.ClassMembers;
import org.paceline.control.view.ClassView;

/** The service classes that conversations are of. */
@Service
@Command(
    scope = "paceline",
    name = "classes",
    description =
        "The service classes that conversations are of, and what these are given and send",
    detailedDescription = "classpath:help/classes.txt")
public final class ClassesCommand extends PacelineCommand<ConversationService> {
  public ClassesCommand() {
    super(UseCases::conversations);
  }

  @Override
  protected Table table(ConversationService use) {
    return table(use.classes());
  }

  static Table table(List<ClassView> classes) {
    Table table =
        new Table(
            "class",
            "weight",
            "sub-class",
            "conversations",
            "granted",
            "least each",
            "greatest",
            "measured");
    for (ClassView one : classes) {
      row(table, one, "all", one.all());
      one.subClasses().forEach((name, part) -> row(table, one, name, part));
    }
    table.conclude(
        classes.isEmpty()
            ? "No conversation is of a service class: no branch that has any says service-classes."
            : classes.size() + " service classes.");
    return table;
  }

  private static void row(Table table, ClassView of, String part, ClassMembers members) {
    table.row(
        of.serviceClass().toString(),
        Integer.toString(of.weight()),
        part,
        Integer.toString(members.conversations()),
        Words.rate(members.granted()),
        Words.rate(members.least()),
        Words.rate(members.greatest()),
        Words.rate(members.measured()));
  }
}
