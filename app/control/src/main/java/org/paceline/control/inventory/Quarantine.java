package org.paceline.control.inventory;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.time.Instant;
import org.paceline.intents.unit.DataRate;

/** That an agent is not believed, and why. */
@AutoValue
public abstract class Quarantine {
  /** What it did. */
  public enum Fault {
    /** It says that it holds more than it was told. */
    HOLDS_MORE,
    /** It does not answer that it holds less from now on. */
    NO_ANSWER
  }

  public abstract String host();

  public abstract Fault fault();

  /** What it was told a rate of, as a person reads it: a conversation, or an interface's pool. */
  public abstract String what();

  public abstract DataRate told();

  /** What it says that it holds, or may hold yet since it has not answered. */
  public abstract DataRate held();

  public abstract Instant since();

  /** So long it has to keep to its rates before it is believed again. */
  public abstract Duration probation();

  static Quarantine of(
      String host, Fault fault, String what, DataRate told, DataRate held, Instant since) {
    return new AutoValue_Quarantine(host, fault, what, told, held, since, Duration.ZERO);
  }

  Quarantine lasting(Duration probation) {
    return new AutoValue_Quarantine(host(), fault(), what(), told(), held(), since(), probation);
  }
}
