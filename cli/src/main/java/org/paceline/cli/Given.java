package org.paceline.cli;

import java.time.Duration;
import org.paceline.intents.document.WholeNumber;

/** What words of a command line stand for. */
public final class Given {
  private Given() {}

  /**
   * @throws IllegalArgumentException if it is no whole number above 0
   */
  public static Duration minutes(String text) {
    return Duration.ofMinutes(WholeNumber.parse("minutes", text, 1, Integer.MAX_VALUE));
  }
}
