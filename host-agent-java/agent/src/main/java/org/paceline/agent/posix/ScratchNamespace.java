package org.paceline.agent.posix;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A network namespace made for the moment, to try in it what would be felt elsewhere. */
public final class ScratchNamespace {
  // Without the right to make a network namespace as it is, one that belongs to a user namespace
  // will do for trying.
  private static final List<List<String>> WAYS =
      List.of(List.of("unshare", "--net"), List.of("unshare", "--user", "--keep-caps", "--net"));

  private ScratchNamespace() {}

  public static Command.Outcome run(String script, String input) throws IOException {
    for (List<String> way : WAYS) {
      if (Command.run(words(way, "true")).ok()) {
        return Command.feed(input, words(way, "sh", "-c", script));
      }
    }
    return new Command.Outcome(1, "no namespace to try it in can be made here");
  }

  private static String[] words(List<String> way, String... command) {
    List<String> words = new ArrayList<>(way);
    words.addAll(List.of(command));
    return words.toArray(String[]::new);
  }
}
