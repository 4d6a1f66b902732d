package org.paceline.intents.document;

/** Whole numbers as people write them: in an address, a document or on a command line. */
public final class WholeNumber {
  private WholeNumber() {}

  /**
   * @param name of the number, for the refusal
   * @throws IllegalArgumentException if the text is no whole number in this range
   */
  public static long parse(String name, String text, long least, long greatest) {
    try {
      long value = Long.parseLong(text);
      if (value >= least && value <= greatest) {
        return value;
      }
    } catch (NumberFormatException none) {
      // Refused below, as a number out of range.
    }
    throw new IllegalArgumentException(
        "The "
            + name
            + " "
            + Quoted.of(text)
            + " must be a whole number from "
            + least
            + " to "
            + greatest
            + ".");
  }
}
