package org.paceline.elephants;

/** Reads whole numbers of a line without making texts of them. */
final class Numbers {
  private static final int MOST_DIGITS = 18;

  private Numbers() {}

  /**
   * @throws NumberFormatException if the characters are not 1 to 18 digits
   */
  static long whole(Line line, int field, int from, int to) {
    if (to <= from || to - from > MOST_DIGITS) {
      throw new NumberFormatException();
    }
    long value = 0;
    for (int at = from; at < to; at++) {
      int digit = line.at(field, at) - '0';
      if (digit < 0 || digit > 9) {
        throw new NumberFormatException();
      }
      value = 10 * value + digit;
    }
    return value;
  }
}
