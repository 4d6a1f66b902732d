package org.paceline.intents.document;

import java.util.stream.Collectors;

/**
 * Foreign text as it may stand in a message: short, and without characters that move a terminal.
 */
public final class Quoted {
  private static final int LONGEST = 60;
  private static final int LONGEST_LINE = 5 * LONGEST;

  /** A sentence begins with what is wrong and ends with a way out; the value stands between. */
  private static final int KEPT_AT_END = 2 * LONGEST;

  private Quoted() {}

  public static String of(String text) {
    return "(" + printable(text) + ")";
  }

  public static String printable(String text) {
    return printable(text, LONGEST);
  }

  /** A whole message that quotes foreign text. */
  public static String shortened(String message) {
    return printable(message, LONGEST_LINE);
  }

  /** A message whose lines may quote whole texts: what is too long of a line is left out. */
  public static String clipped(String message) {
    return message.lines().map(Quoted::line).collect(Collectors.joining("\n"));
  }

  private static String line(String line) {
    if (line.length() <= LONGEST_LINE) {
      return line;
    }
    int from = before(line, LONGEST_LINE - KEPT_AT_END);
    int to = before(line, line.length() - KEPT_AT_END);
    return line.substring(0, from)
        + "... ("
        + (to - from)
        + " characters are left out) ..."
        + line.substring(to);
  }

  /** Never between the two halves of a character. */
  private static int before(String text, int index) {
    return Character.isLowSurrogate(text.charAt(index)) ? index - 1 : index;
  }

  private static String printable(String text, int longest) {
    StringBuilder safe = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), longest); i++) {
      char c = text.charAt(i);
      boolean isHalf = Character.isSurrogate(c) && i + 1 == Math.min(text.length(), longest);
      if (Character.isISOControl(c) || isHalf) {
        safe.append(String.format("\\u%04x", (int) c));
      } else {
        safe.append(c);
      }
    }
    return text.length() <= longest ? safe.toString() : safe.append("...").toString();
  }
}
