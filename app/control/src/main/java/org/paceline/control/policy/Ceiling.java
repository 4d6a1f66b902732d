package org.paceline.control.policy;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/**
 * The most that those may ask for who may change a branch of the intent tree and not all of it. A
 * member that is empty is no ceiling.
 */
@AutoValue
public abstract class Ceiling {
  private static final int HUNDRED = 100;

  /** As an intent's. */
  private static final int GREATEST_PRIORITY = 1_000_000;

  public abstract IntentPath branch();

  /** Of all reservations under the branch together, at each moment. */
  public abstract Optional<DataRate> rate();

  /** The part of each link's capacity into which all of them together must fit. */
  public abstract Optional<Integer> sharePercent();

  /** Of the times that are reserved under the branch between two hosts, all together. */
  public abstract Optional<Duration> duration();

  /** Of an intent under the branch, whether it sets it or inherits it. */
  public abstract Optional<Integer> priority();

  public static Builder of(IntentPath branch) {
    return new AutoValue_Ceiling.Builder().branch(branch);
  }

  /** As the log of changes and a person read it. */
  @Override
  public final String toString() {
    List<String> parts = new ArrayList<>();
    rate().ifPresent(most -> parts.add(most.toKbpsFloor() + " kbit/s"));
    sharePercent().ifPresent(most -> parts.add(most + " % of each link"));
    duration().ifPresent(most -> parts.add(most.toSeconds() + " s"));
    priority().ifPresent(most -> parts.add("priority " + most));
    return "(" + branch() + "): at most " + String.join(", ", parts);
  }

  /** Sets what is to be limited. */
  @AutoValue.Builder
  public abstract static class Builder {
    abstract Builder branch(IntentPath branch);

    public abstract Builder rate(Optional<DataRate> most);

    public abstract Builder sharePercent(Optional<Integer> most);

    public abstract Builder duration(Optional<Duration> most);

    public abstract Builder priority(Optional<Integer> most);

    abstract Ceiling whole();

    /**
     * @throws IllegalArgumentException if it limits nothing, or by nothing
     */
    public Ceiling build() {
      Ceiling made = whole();
      if (made.rate().isEmpty()
          && made.sharePercent().isEmpty()
          && made.duration().isEmpty()
          && made.priority().isEmpty()) {
        throw new IllegalArgumentException(
            "The ceiling of ("
                + made.branch()
                + ") limits nothing. Maybe give it a rate, a share, a duration or a priority, or"
                + " remove it.");
      }
      made.rate()
          .filter(DataRate.ZERO::equals)
          .ifPresent(
              none -> {
                throw new IllegalArgumentException("The rate of a ceiling must be above 0.");
              });
      made.sharePercent()
          .filter(share -> share < 1 || share > HUNDRED)
          .ifPresent(
              share -> {
                throw new IllegalArgumentException(
                    "The share (" + share + ") must be from 1 to 100 %. Maybe 50.");
              });
      made.duration()
          .filter(time -> time.isZero() || time.isNegative())
          .ifPresent(
              time -> {
                throw new IllegalArgumentException(
                    "The duration (" + time + ") must be longer than nothing. Maybe 86400 s.");
              });
      made.priority()
          .filter(most -> most < -GREATEST_PRIORITY || most > GREATEST_PRIORITY)
          .ifPresent(
              most -> {
                throw new IllegalArgumentException(
                    "The priority (" + most + ") must be from -1000000 to 1000000. Maybe 10.");
              });
      return made;
    }
  }
}
