package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** One thing that the network must hold for a conversation, and how it was found there. */
@AutoValue
public abstract class InstalledElement {
  /** The kinds of thing. */
  public enum Kind {
    /** A flow rule of a switch. */
    FLOW_RULE,
    /** A meter of a switch. */
    METER,
    /** A queue at an egress, or the rule that leads into it. */
    QUEUE,
    /** The class of a host's scheduler that paces the conversation. */
    PACING_CLASS
  }

  /** How it was found. */
  public enum Standing {
    AS_WANTED,
    /** There, but not as it should be. */
    WRONG,
    MISSING,
    /** On its way, or its place does not answer: nothing can be said of it. */
    UNKNOWN;

    /** As wanted where both are equal, missing where nothing was found, else wrong. */
    public static <T> Standing of(T wanted, Optional<T> found) {
      if (found.isEmpty()) {
        return MISSING;
      }
      return found.get().equals(wanted) ? AS_WANTED : WRONG;
    }
  }

  public abstract Kind kind();

  /** The switch, or the host, that holds it. */
  public abstract String at();

  /** Unique at its place among those of its kind, and the same from reading to reading. */
  public abstract String name();

  public abstract Standing standing();

  /** For a person: what it should be, such as {@code 4000 kbit/s, burst 500 kbit}. */
  public abstract String wanted();

  /** For a person, in the words of {@link #wanted}; empty where nothing was found. */
  public abstract String found();

  public static InstalledElement of(
      Kind kind, String at, String name, Standing standing, String wanted, String found) {
    return new AutoValue_InstalledElement(kind, at, name, standing, wanted, found);
  }

  /** Whether it is to be put right. */
  public boolean isDrifted() {
    return standing() == Standing.WRONG || standing() == Standing.MISSING;
  }

  @Override
  public final String toString() {
    return kind().name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ')
        + " "
        + name()
        + " at "
        + at();
  }
}
