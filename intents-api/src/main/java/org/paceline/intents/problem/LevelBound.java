package org.paceline.intents.problem;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.Utility;

/**
 * One level of water-filling: how few applications can have at most this utility, in any allocation
 * that at every lower level has no more of them than the solution has.
 *
 * <p>The solution fills its levels fully, and so is the best lexicographically, if at each of them
 * it has no more applications than this.
 */
@AutoValue
public abstract class LevelBound {
  public abstract Utility level();

  /** No allocation as good below has fewer applications at or below the level. */
  public abstract long fewest();

  public abstract Certificate.Proof proof();

  /** Link prices, in applications per millibit per second, from 0. */
  public abstract Map<LinkId, Double> prices();

  /**
   * What an application at or below a lower level pays, in applications, from 0, by that level of
   * the solution.
   */
  public abstract Map<Utility, Double> fines();

  public static LevelBound of(
      Utility level,
      long fewest,
      Certificate.Proof proof,
      Map<LinkId, Double> prices,
      Map<Utility, Double> fines) {
    if (fewest < 0) {
      throw new IllegalArgumentException(
          "The fewest (" + fewest + ") at level (" + level + ") must not be negative.");
    }
    return new AutoValue_LevelBound(
        level,
        fewest,
        proof,
        Collections.unmodifiableMap(new TreeMap<>(prices)),
        Collections.unmodifiableMap(new TreeMap<>(fines)));
  }
}
