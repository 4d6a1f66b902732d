package org.paceline.control.settings;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What becomes of plans. */
public enum PlanMode {
  /** They are carried out: agents pace, and switches lead and meter. */
  ENFORCE,
  /** They are made and shown as recommended; senders send as if there were none. */
  SHADOW;

  /** As operators write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException if the text names no mode
   */
  public static PlanMode parse(String text) {
    return Arrays.stream(values())
        .filter(mode -> mode.word().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The mode ("
                        + text
                        + ") must be one of "
                        + Arrays.stream(values()).map(PlanMode::word).collect(Collectors.toList())
                        + ". Maybe "
                        + SHADOW.word()
                        + ", to see plans that nobody is held to."));
  }
}
