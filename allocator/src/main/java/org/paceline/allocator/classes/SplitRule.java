package org.paceline.allocator.classes;

import com.google.auto.value.AutoValue;

/** How a service class is split by what its flows reach. Aljoby et al. 2021, section II-B. */
@AutoValue
public abstract class SplitRule {
  /** A class split so often has up to 256 sub-classes, which is finer than any measurement. */
  public static final int DEEPEST = 8;

  /** As in the paper's third scenario. */
  public static final SplitRule PAPER = of(-0.25, 0.5, LowerMean.F_MINUS, 1);

  /** The z-score below which a flow is low; at most 0. */
  public abstract double beta();

  /** From 0, equal shares, to 1, low flows are given what flows below the mean reach. */
  public abstract double gamma();

  public abstract LowerMean lowerMean();

  /** How often sub-classes are split again; 0: the class is not split at all. */
  public abstract int depth();

  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public static SplitRule of(double beta, double gamma, LowerMean lowerMean, int depth) {
    if (!(beta <= 0 && beta > Double.NEGATIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "The threshold beta (" + beta + ") must be a number of at most 0. Maybe -0.25.");
    }
    if (!(gamma >= 0 && gamma <= 1)) {
      throw new IllegalArgumentException(
          "The trade-off gamma (" + gamma + ") must lie from 0 to 1. Maybe 0.5.");
    }
    if (depth < 0 || depth > DEEPEST) {
      throw new IllegalArgumentException(
          "The depth (" + depth + ") must lie from 0 (no split) to " + DEEPEST + ". Maybe 1.");
    }
    return new AutoValue_SplitRule(beta, gamma, lowerMean, depth);
  }
}
