package org.paceline.allocator.elephant;

import com.google.auto.value.AutoValue;
import java.time.LocalDate;

/** What a list did on one day. */
@AutoValue
public abstract class DayEffectiveness {
  public abstract LocalDate day();

  /** How many pairs were in force. */
  public abstract int pairs();

  /** How many alpha flows began. */
  public abstract int flows();

  /** What they sent, until they ended. */
  public abstract long alphaBytes();

  /** What those of them sent that the list matched. */
  public abstract long matchedBytes();

  static DayEffectiveness of(
      LocalDate day, int pairs, int flows, long alphaBytes, long matchedBytes) {
    return new AutoValue_DayEffectiveness(day, pairs, flows, alphaBytes, matchedBytes);
  }

  /** From 0 to 1. */
  public final double share() {
    return (double) matchedBytes() / alphaBytes();
  }
}
