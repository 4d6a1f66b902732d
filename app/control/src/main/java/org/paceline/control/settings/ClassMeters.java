package org.paceline.control.settings;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Which meters hold conversations of service classes that have no agent. */
public enum ClassMeters {
  /** Each has one of its own. */
  PER_CONVERSATION,
  /** Those of a sub-class that take the same path share one (Aljoby et al. 2021). */
  PER_SUB_CLASS;

  /** As operators write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(ClassMeters::word).collect(Collectors.toUnmodifiableList());
  }

  /**
   * @throws IllegalArgumentException if the text names none
   */
  public static ClassMeters parse(String text) {
    return Arrays.stream(values())
        .filter(meters -> meters.word().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The classMeters ("
                        + text
                        + ") must be one of "
                        + words()
                        + ". Maybe "
                        + PER_CONVERSATION.word()
                        + "."));
  }
}
