package org.paceline.allocator;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.function.Consumer;

/** How far a solver goes. */
@AutoValue
public abstract class SolveOptions {
  public static final SolveOptions DEFAULT = builder().build();

  /** After this the best solution so far is returned with the bound so far. */
  public abstract Duration timeLimit();

  /** A relative gap at which to stop searching for a better sum; 0 asks for the proven optimum. */
  public abstract double targetGap();

  /**
   * Full water-filling: beyond the least utility also the second least and so on, before the sum.
   */
  public abstract boolean lexicographic();

  /** How many candidate paths between two nodes a network solver begins with. */
  public abstract int paths();

  /** Gets one sentence about what is going on whenever there is something to say. */
  public abstract Consumer<String> progress();

  public static Builder builder() {
    return new AutoValue_SolveOptions.Builder()
        .timeLimit(Duration.ofSeconds(60))
        .targetGap(0)
        .lexicographic(false)
        .paths(4)
        .progress(sentence -> {});
  }

  public abstract Builder toBuilder();

  /** Builds options. */
  @AutoValue.Builder
  public abstract static class Builder {
    public abstract Builder timeLimit(Duration limit);

    public abstract Builder targetGap(double gap);

    public abstract Builder lexicographic(boolean lexicographic);

    public abstract Builder paths(int paths);

    public abstract Builder progress(Consumer<String> progress);

    public abstract SolveOptions build();
  }
}
