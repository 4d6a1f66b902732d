package org.paceline.agent.posix;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Foreign text in a shell's script, as words and nothing else: names, paths, and what a file says.
 * POSIX.1-2017, Shell Command Language, section 2.2.2.
 */
public final class ShellWords {
  private ShellWords() {}

  /** One word, whatever is in it. */
  public static String quoted(Object word) {
    return "'" + word.toString().replace("'", "'\\''") + "'";
  }

  /** The same words with nothing but a space between them. */
  public static String eachQuoted(String words) {
    return Arrays.stream(words.trim().split("\\s+", -1))
        .map(ShellWords::quoted)
        .collect(Collectors.joining(" "));
  }
}
