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
    StringBuilder safe = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), 4 * LONGEST) && safe.length() < 4 * LONGEST; i++) {
      char c = text.charAt(i);
      safe.append(Character.isISOControl(c) ? String.format("\\u%04x", (int) c) : c);
    }
    return safe.length() <= LONGEST && text.length() <= LONGEST
        ? safe.toString()
        : safe.substring(0, Math.min(LONGEST, safe.length())) + "...";
  }
}
