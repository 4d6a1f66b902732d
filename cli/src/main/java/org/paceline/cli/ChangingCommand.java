package org.paceline.cli;

import java.util.Optional;
import org.apache.karaf.shell.api.action.Option;
import org.paceline.control.UseCases;
import org.paceline.control.change.Author;
import org.paceline.control.change.Role;

/** What commands that change something share: who does it, whether they may, for which ticket. */
abstract class ChangingCommand extends PacelineCommand {
  @Option(name = "--ticket", description = "The change ticket that asks for it")
  String ticket = "";

  @Override
  void show(UseCases use) throws Exception {
    ShellUser.mustHold(needs());
    super.show(use);
  }

  Role needs() {
    return Role.OPERATOR;
  }

  Author author() {
    return Author.of(ShellUser.name(), Optional.of(ticket).filter(text -> !text.isEmpty()));
  }
}
