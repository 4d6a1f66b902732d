package org.paceline.json;

/**
 * Foreign text as it may stand in a message: short, and without characters that move a terminal.
 */
final class Quoted {
  private static final int LONGEST = 60;

  private Quoted() {}

  static String of(String text) {
    return "(" + printable(text) + ")";
  }

  static String printable(String text) {
    return printable(text, LONGEST);
  }

  /** A whole message that quotes foreign text. */
  static String shortened(String message) {
    return printable(message, 5 * LONGEST);
  }

  private static String printable(String text, int longest) {
    StringBuilder safe = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), longest); i++) {
      char c = text.charAt(i);
      safe.append(Character.isISOControl(c) ? String.format("\\u%04x", (int) c) : c);
    }
    return text.length() <= longest ? safe.toString() : safe.append("...").toString();
  }
}
