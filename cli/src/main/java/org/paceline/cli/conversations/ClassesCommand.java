package org.paceline.cli.conversations;

import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Words;
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.UseCases;
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
            "class", "weight", "conversations", "granted", "least each", "greatest", "measured");
    for (ClassView one : classes) {
      table.row(
          one.serviceClass().toString(),
          Integer.toString(one.weight()),
          Integer.toString(one.conversations()),
          Words.rate(one.granted()),
          Words.rate(one.least()),
          Words.rate(one.greatest()),
          Words.rate(one.measured()));
    }
    table.conclude(
        classes.isEmpty()
            ? "No conversation is of a service class: no branch that has any says service-classes."
            : classes.size() + " service classes.");
    return table;
  }
}
