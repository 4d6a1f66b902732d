package org.paceline.control.model;

import com.google.auto.value.AutoValue;

/** Why a conversation gets no grant. */
@AutoValue
public abstract class Unserved {
  /** The kinds of reason. */
  public enum Kind {
    /** Its receiver announced it, and somebody else speaks for the same packets. */
    COUNTED_ALREADY,
    /** One of its ends is not in the network that is managed. */
    UNKNOWN_HOST,
    /** It uses no link, so there is nothing to share. */
    LOCAL,
    /** The network cannot carry it. */
    NOT_ADMITTED,
    /** A switch on its way cannot do what the plan needs of it. */
    NOT_ENFORCEABLE
  }

  public abstract Kind kind();

  /** For a person: what is wrong and a way out. */
  public abstract String reason();

  public static Unserved of(Kind kind, String reason) {
    return new AutoValue_Unserved(kind, reason);
  }
}
