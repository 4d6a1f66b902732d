package org.paceline.allocator.elephant;

import com.google.auto.value.AutoValue;

/** Which pairs of prefixes are listed, and for how long. */
@AutoValue
public abstract class ListRule {
  /** The paper's ageing interval. */
  public static final int DEFAULT_AGEING_DAYS = 30;

  /** A guess: fits beside other rules into the tables of a small switch. */
  public static final int DEFAULT_MOST = 1_000;

  public static final int LONGEST_DAYS = 3_650;

  public abstract PrefixLengths lengths();

  /** For how many days a pair is in force after the last day on which it had an alpha flow. */
  public abstract int ageingDays();

  /** How many pairs are in force at most; the switches' tables have no room for more. */
  public abstract int most();

  /**
   * @throws IllegalArgumentException if the days do not lie from 1 to 3650, or if most is below 1
   */
  public static ListRule of(PrefixLengths lengths, int ageingDays, int most) {
    if (ageingDays < 1 || ageingDays > LONGEST_DAYS) {
      throw new IllegalArgumentException(
          "The ageing interval ("
              + ageingDays
              + " days) must lie from 1 to "
              + LONGEST_DAYS
              + " days. Maybe "
              + DEFAULT_AGEING_DAYS
              + ".");
    }
    if (most < 1) {
      throw new IllegalArgumentException(
          "A prefix list of at most " + most + " pairs lists nothing. Maybe " + DEFAULT_MOST + ".");
    }
    return new AutoValue_ListRule(lengths, ageingDays, most);
  }
}
