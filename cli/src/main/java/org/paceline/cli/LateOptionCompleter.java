package org.paceline.cli;

import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.Command;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.apache.karaf.shell.support.parsing.CommandLineImpl;

/** Completes options after arguments as Karaf completes those before them. */
@Service
public final class LateOptionCompleter implements Completer {
  @Override
  public int complete(Session session, CommandLine commandLine, List<String> candidates) {
    String[] words = commandLine.getArguments();
    if (words.length == 1) {
      // Karaf asks whether a word that stands there already is good: the command will say.
      return new StringsCompleter(words).complete(session, commandLine, candidates);
    }
    String word = commandLine.getCursorArgument();
    if (word == null || !word.startsWith("-")) {
      return -1;
    }
    String[] name = session.resolveCommand(words[0]).split(":", 2);
    Command command = name.length == 2 ? session.getRegistry().getCommand(name[0], name[1]) : null;
    return command == null
        ? -1
        : command.getCompleter(false).complete(session, first(commandLine, word), candidates);
  }

  /** The line as if the option came first. */
  private static CommandLine first(CommandLine line, String option) {
    List<String> words = new ArrayList<>(List.of(line.getArguments()[0], option));
    return new CommandLineImpl(
        words.toArray(new String[0]),
        1,
        line.getArgumentPosition(),
        line.getBufferPosition(),
        line.getBuffer());
  }
}
