package org.paceline.intents.problem;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.Utility;

/**
 * What was proved about a solution, in a form that can be checked without the solver.
 *
 * <p>Prices lambda bound the sum by weak duality: for any lambda from 0, no allocation has a sum
 * above sum_e lambda_e C_e + sum_a max(u - w price(path)). Refuting prices y show likewise that a
 * level of utility cannot be given to all: the cheapest way of giving it costs more than sum_e y_e
 * C_e. Where an exhaustive search closed the rest of the gap, the bound is the smaller {@link
 * #sumBound} and the proof says so; a search in boxes that was not too long can be gone after
 * ({@link BoxTree}).
 *
 * <p>Where levels were filled one after the other, each has a {@link LevelBound}; the bound of the
 * sum is then that of any allocation at the floor, not of those with levels as good.
 */
@AutoValue
public abstract class Certificate {
  /** How {@link #sumBound} was proved. */
  public enum Proof {
    /** By the prices alone: anybody can check it. */
    PRICES,
    /** By an exhaustive search over what the prices leave open. */
    EXHAUSTIVE,
    /** By a mixed-integer solver's own bound. */
    SOLVER
  }

  /** No allocation has a greater least utility. */
  public abstract Utility thetaBound();

  /** No allocation at the floor theta1 - epsilon has a greater sum, in billionths of utility. */
  public abstract long sumBound();

  public abstract Proof proof();

  /** Lambda, billionths of utility per millibit per second, from 0; absent links cost nothing. */
  public abstract Map<LinkId, Double> prices();

  /** The least level above theta that was refuted; empty where theta is the best cell of all. */
  public abstract Optional<Utility> refutedLevel();

  /** The prices y that refute it; empty where boxes or an exhaustive search did. */
  public abstract Map<LinkId, Double> refutingPrices();

  /** How well the levels of water-filling are filled, the least first; empty if not asked for. */
  public abstract List<LevelBound> levels();

  /** The boxes that refute every level above the bound; empty where none do. */
  public abstract Optional<BoxTree> refutingBoxes();

  /** The boxes that bound the sum, a tree for each part of the applications; empty if none do. */
  public abstract List<BoxTree> sumBoxes();

  abstract Builder toBuilder();

  public Certificate withLevels(List<LevelBound> levels) {
    return toBuilder().levels(Collections.unmodifiableList(new ArrayList<>(levels))).build();
  }

  public Certificate withBoxes(Optional<BoxTree> refutingBoxes, List<BoxTree> sumBoxes) {
    return toBuilder()
        .refutingBoxes(refutingBoxes)
        .sumBoxes(Collections.unmodifiableList(new ArrayList<>(sumBoxes)))
        .build();
  }

  /** The same about theta; without boxes for the sum. */
  public Certificate withSum(long sumBound, Proof proof, Map<LinkId, Double> prices) {
    return toBuilder()
        .sumBound(sumBound)
        .proof(proof)
        .prices(Collections.unmodifiableMap(new TreeMap<>(prices)))
        .sumBoxes(List.of())
        .build();
  }

  /** The same about theta, and what the other one says about the sum. */
  public Certificate withSumOf(Certificate other) {
    return withSum(other.sumBound(), other.proof(), other.prices())
        .withBoxes(refutingBoxes(), other.sumBoxes());
  }

  public static Certificate of(
      Utility thetaBound,
      long sumBound,
      Proof proof,
      Map<LinkId, Double> prices,
      Optional<Utility> refutedLevel,
      Map<LinkId, Double> refutingPrices) {
    return new AutoValue_Certificate.Builder()
        .thetaBound(thetaBound)
        .sumBound(sumBound)
        .proof(proof)
        .prices(Collections.unmodifiableMap(new TreeMap<>(prices)))
        .refutedLevel(refutedLevel)
        .refutingPrices(Collections.unmodifiableMap(new TreeMap<>(refutingPrices)))
        .levels(List.of())
        .refutingBoxes(Optional.empty())
        .sumBoxes(List.of())
        .build();
  }

  /** Of all that is said here. */
  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder thetaBound(Utility bound);

    abstract Builder sumBound(long bound);

    abstract Builder proof(Proof proof);

    abstract Builder prices(Map<LinkId, Double> prices);

    abstract Builder refutedLevel(Optional<Utility> level);

    abstract Builder refutingPrices(Map<LinkId, Double> prices);

    abstract Builder levels(List<LevelBound> levels);

    abstract Builder refutingBoxes(Optional<BoxTree> boxes);

    abstract Builder sumBoxes(List<BoxTree> boxes);

    abstract Certificate build();
  }
}
