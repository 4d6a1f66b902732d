package org.paceline.control.experience;

import com.google.auto.value.AutoValue;

/** Of one cell of a utility function, the utilities that were reported: their mean and spread. */
@AutoValue
public abstract class LearnedCell {
  /** Fewer reports say nothing that could be relied on. */
  static final int ENOUGH = 10;

  /**
   * Student's t for 95 % in the middle and as few reports as are {@link #ENOUGH}: of more it is
   * less, and the interval errs to the safe side.
   */
  private static final double STUDENT = 2.262;

  public abstract int throughputBin();

  public abstract int delayBin();

  public abstract long reports();

  /** From 1 to 5. */
  public abstract double mean();

  /** The sum of the squared distances from the mean (Welford 1962). */
  public abstract double squares();

  public static LearnedCell of(
      int throughputBin, int delayBin, long reports, double mean, double squares) {
    return new AutoValue_LearnedCell(throughputBin, delayBin, reports, mean, squares);
  }

  static LearnedCell empty(int throughputBin, int delayBin) {
    return of(throughputBin, delayBin, 0, 0, 0);
  }

  LearnedCell with(double utility) {
    long count = reports() + 1;
    double step = utility - mean();
    double next = mean() + step / count;
    return of(throughputBin(), delayBin(), count, next, squares() + step * (utility - next));
  }

  public final boolean isEnough() {
    return reports() >= ENOUGH;
  }

  /** Half of the mean's 95 % confidence interval; infinite while there are not enough reports. */
  public final double halfWidth() {
    return isEnough()
        ? STUDENT * Math.sqrt(squares() / (reports() - 1) / reports())
        : Double.POSITIVE_INFINITY;
  }
}
