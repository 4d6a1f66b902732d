package org.paceline.control.settings;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** By which method a problem is solved; docs/algorithms has a page of each. */
public enum SolverMethod {
  /** Exact where one bottleneck decides everything, else the network method. */
  AUTO,
  /** One bottleneck, to the proven optimum. */
  EXACT,
  /** Any network. */
  NETWORK,
  /** The paper's mixed-integer program in OR-Tools. */
  MILP;

  /** As operators write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(SolverMethod::word).collect(Collectors.toUnmodifiableList());
  }

  /**
   * @throws IllegalArgumentException if the text names no method
   */
  public static SolverMethod parse(String text) {
    return Arrays.stream(values())
        .filter(method -> method.word().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The method (" + text + ") must be one of " + words() + ". Maybe auto."));
  }
}
