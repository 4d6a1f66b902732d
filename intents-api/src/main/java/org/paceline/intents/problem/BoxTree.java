package org.paceline.intents.problem;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A search in boxes as it went, so that it can be gone after: the first box holds every choice of
 * cells and paths, each box is closed by prices or parted in two, and so nothing is worth more than
 * the bound. docs/algorithms/load-dependent-delay.md says what a box excludes.
 */
@AutoValue
public abstract class BoxTree {
  /** Nothing is in the boxes at all: what a tree that refutes a level has for its bound. */
  public static final long NOTHING = -1;

  /**
   * Who chooses: one application of each function and ends. All others are left out, who could only
   * add to loads.
   */
  public abstract List<String> applications();

  /** Billionths of utility, or {@link #NOTHING}. */
  public abstract long bound();

  /** A box, all that is in its first half, all that is in its second half. */
  public abstract List<BoxNode> boxes();

  public static BoxTree of(List<String> applications, long bound, List<BoxNode> boxes) {
    return new AutoValue_BoxTree(
        Collections.unmodifiableList(new ArrayList<>(applications)),
        bound,
        Collections.unmodifiableList(new ArrayList<>(boxes)));
  }
}
