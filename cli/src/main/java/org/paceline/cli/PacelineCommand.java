package org.paceline.cli;

import java.io.PrintStream;
import java.util.Objects;
import java.util.function.Function;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.CommandException;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.paceline.cli.table.Screen;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Denied;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Role;
import org.paceline.control.audit.User;
import org.paceline.control.operations.Turns;
import org.paceline.control.port.StoreUnavailable;
import org.paceline.intents.document.Quoted;

/**
 * What all commands share: the service that each uses, who may ask for them, and the choice between
 * a person and a program.
 */
public abstract class PacelineCommand<S> implements Action {
  @Reference @Nullable BundleContext bundle;

  @Reference @Nullable Session session;

  private final Function<UseCases, S> service;

  @Option(name = "--json", description = "For programs: JSON instead of a table")
  protected boolean json;

  /**
   * @param service the one that the command uses
   */
  protected PacelineCommand(Function<UseCases, S> service) {
    this.service = service;
  }

  @Override
  public final @Nullable Object execute() throws Exception {
    try {
      LateOptions.sort(this);
      user().mustHold(needs());
      UseCases all = Application.find(bundle).orElseThrow(PacelineCommand::notStarted);
      S use = service.apply(all);
      if (isReckoned()) {
        readInput();
        show(inTurn(all.operations().turns(), use));
      } else {
        show(use);
      }
      return null;
    } catch (IllegalArgumentException | Absent | Denied | Refused | StoreUnavailable refusal) {
      // Of any other exception Karaf writes the trace into the log, and red even for a program.
      String why = Quoted.clipped(String.valueOf(refusal.getMessage()));
      throw new CommandException(
          screen().show(Tone.BAD, "Error executing command: " + why), why, refusal);
    }
  }

  private Table inTurn(Turns turns, S use) {
    return turns.now(user().name(), () -> table(use), PacelineCommand::notNow);
  }

  private static Refused notNow(Turns.NotNow refusal) {
    return new Refused(
        refusal.why + " Maybe say it again in " + refusal.comeAgain.toSeconds() + " s.");
  }

  private static Refused notStarted() {
    return new Refused(
        "Paceline has not started. Maybe the log says why, after \"Paceline cannot start\".");
  }

  /** Who may call it at all. */
  protected Role needs() {
    return Role.VIEWER;
  }

  protected static User user() {
    return ShellUser.current();
  }

  /** Whether it reckons much and changes nothing: in turn with all that others ask so. */
  protected boolean isReckoned() {
    return false;
  }

  /** Reads what is sent to it, which may take its time, before it is its turn. */
  protected void readInput() {}

  protected void show(S use) throws Exception {
    show(table(use));
  }

  private void show(Table table) {
    System.out.println(json ? table.asJson() : table.asText(screen()));
  }

  protected final Screen screen() {
    return Screen.of(session);
  }

  /** Of whoever sits there; from any thread, which {@code System.out} is not. */
  protected final PrintStream terminal() {
    return Objects.requireNonNull(session).getConsole();
  }

  protected abstract Table table(S use);
}
