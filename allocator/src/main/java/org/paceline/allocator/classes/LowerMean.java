package org.paceline.allocator.classes;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which flows' mean throughput the lower sub-class is given at gamma = 1. Equation 5 of Aljoby et
 * al. 2021 prints one, its text and the proof of theorem 2 speak of the other.
 */
public enum LowerMean {
  /** F^-: all flows below the class's mean, as the text says. */
  F_MINUS("F-minus"),

  /** F^L: the flows of the lower sub-class, as equation 5 is printed. */
  F_LOWER("F-lower");

  private final String word;

  LowerMean(String word) {
    this.word = word;
  }

  /** As it is written in settings. */
  public String word() {
    return word;
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(LowerMean::word).collect(Collectors.toUnmodifiableList());
  }

  /**
   * The one of this word.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static LowerMean parse(String word) {
    return Arrays.stream(values())
        .filter(mean -> mean.word.equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no mean (" + word + ") of low flows. Maybe one of " + words() + "."));
  }
}
