package org.paceline.cli;

import java.util.Optional;
import java.util.function.Function;
import org.apache.karaf.shell.api.action.Option;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Role;
import org.paceline.intents.tree.IntentTree;

/** What commands that change something share: who does it, whether they may, for which ticket. */
public abstract class ChangingCommand<S> extends PacelineCommand<S> {
  @Option(name = "--ticket", description = "The change ticket that asks for it")
  String ticket = "";

  protected ChangingCommand(Function<UseCases, S> service) {
    super(service);
  }

  /** Which branch of the tree, the command asks where it knows. */
  @Override
  protected Role needs() {
    return Role.BRANCH;
  }

  protected final Author author() {
    return author(ticket);
  }

  public static Author author(String ticket) {
    return Author.of(user().name(), Optional.of(ticket).filter(text -> !text.isEmpty()));
  }

  /** The next tree, if the user may change every node in which it differs. */
  protected static IntentTree allowed(PolicyService use, IntentTree now, IntentTree next) {
    use.versions().mustBeAllowed(user(), now, next);
    return next;
  }
}
