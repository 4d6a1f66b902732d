package org.paceline.cli.table;

import java.util.Optional;
import java.util.function.Function;
import org.apache.felix.service.command.Process;
import org.apache.karaf.shell.api.console.Session;
import org.jspecify.annotations.Nullable;

/**
 * What a command's output goes to: a terminal, in colour unless its user wants none, or a program,
 * which gets plain text. Nothing else here writes escape codes.
 */
public final class Screen {
  /** For programs. */
  static final Screen PLAIN = new Screen(false, false);

  private static final int STANDARD_OUTPUT = 1;
  private static final String ESCAPE = "\u001b[";

  private final boolean terminal;
  private final boolean coloured;

  private Screen(boolean terminal, boolean coloured) {
    this.terminal = terminal;
    this.coloured = coloured;
  }

  /** Of the command that runs now. */
  public static Screen of(@Nullable Session session) {
    Process process = Process.Utils.current();
    return session == null || process == null
        ? PLAIN
        : of(session::get, process.isTty(STANDARD_OUTPUT));
  }

  /**
   * @param variables of the session; those of a terminal over ssh are TERM and COLUMNS, of which
   *     the second comes with a pty only
   * @param isLast whether the output goes neither into a pipe nor into a file
   */
  public static Screen of(Function<String, @Nullable Object> variables, boolean isLast) {
    boolean terminal =
        isLast
            && !text(variables, "COLUMNS").isEmpty()
            && !text(variables, "TERM").isEmpty()
            && !text(variables, "TERM").startsWith("dumb");
    // As https://no-color.org has it.
    return new Screen(terminal, terminal && text(variables, "NO_COLOR").isEmpty());
  }

  private static String text(Function<String, @Nullable Object> variables, String name) {
    return Optional.ofNullable(variables.apply(name)).map(Object::toString).orElse("");
  }

  /** Whether somebody looks at it who can press a key. */
  public boolean isTerminal() {
    return terminal;
  }

  /** The text as it is shown; no longer to the eye than it is. */
  public String show(Tone tone, String text) {
    return !coloured || text.isEmpty() || tone == Tone.PLAIN
        ? text
        : ESCAPE + tone.code() + "m" + text + ESCAPE + "0m";
  }

  /** Of a terminal: all that was shown is gone, and the next line comes at the top. */
  public String clear() {
    return ESCAPE + "H" + ESCAPE + "2J";
  }
}
