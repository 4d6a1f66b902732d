package org.paceline.cli.enrolment;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.Given;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.table.Table;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.enrolment.EnrolmentToken;
import org.paceline.control.enrolment.EnrolmentTokens;

/** Lets a host enrol once; what its agent is given is shown here, and never again. */
@Service
@Command(
    scope = "paceline",
    name = "enrolment-token-make",
    description = "Lets a host enrol once; shows what its agent is given, once",
    detailedDescription = "classpath:help/enrolment.txt")
public final class EnrolmentTokenMakeCommand extends ChangingCommand<EnrolmentTokens> {
  @Argument(name = "host", required = true, description = "The hostId that it will have")
  String host = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  @Option(
      name = "--address",
      multiValued = true,
      description = "For which its agent may speak, and for no others; may be given again")
  List<String> addresses = List.of();

  @Option(
      name = "--valid",
      description = "For so many minutes; " + EnrolmentToken.USUAL_LIFE_MINUTES + " unless given")
  String minutes = Integer.toString(EnrolmentToken.USUAL_LIFE_MINUTES);

  public EnrolmentTokenMakeCommand() {
    super(UseCases::enrolment);
  }

  @Override
  protected Role needs() {
    return Role.ADMIN;
  }

  @Override
  protected Table table(EnrolmentTokens use) {
    Duration life = Given.minutes(minutes);
    Set<String> named = new TreeSet<>(addresses);
    String line = "paceline:enrolment-token-make --valid " + minutes + " " + host + " " + named;
    EnrolmentTokens.Made made = use.make(author(), line, host, named, life);
    Table table = new Table("id", "host", "addresses", "until (UTC)", "token");
    table.row(
        made.token().id(),
        made.token().host(),
        EnrolmentTokensCommand.addresses(made.token()),
        made.token().end().toString(),
        made.text());
    table.conclude(
        "On the host: paceline-agent enrol --controller THIS_HOST TOKEN. The token is not shown"
            + " again.");
    return table;
  }
}
