package org.paceline.intents.kpi;

import com.google.auto.value.AutoValue;

/**
 * A key performance indicator: a number that an application measures; its name ends in its unit.
 */
@AutoValue
public abstract class Kpi {
  /** As applications report it. */
  public abstract String name();

  /** For people: what it is, without its name. */
  public abstract String meaning();

  /** What is below it is no measurement. */
  public abstract double least();

  /** What is above it is no measurement. */
  public abstract double greatest();

  static Kpi of(String name, String meaning, double least, double greatest) {
    return new AutoValue_Kpi(name, meaning, least, greatest);
  }

  /** Whether it can be this; what is no number cannot. */
  public final boolean canBe(double value) {
    return value >= least() && value <= greatest();
  }
}
