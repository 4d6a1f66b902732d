package org.paceline.control.scheme;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;

/**
 * What a scheme gives to whom, by application id, and why others get nothing. A value; only what
 * the scheme remembers may be used up.
 */
@AutoValue
public abstract class Decision {
  /** How far a decision is from the best that the scheme could do. */
  public enum Quality {
    /** More time would not be worth it. */
    GOOD,
    /** A scheme with more time may well find something clearly better. */
    IMPROVABLE,
    /** Time ran out before it was known how much there is for everybody. */
    UNDECIDED
  }

  public abstract Map<String, Grant> grants();

  /** The small rates of some without a grant. */
  public abstract Map<String, Grant> restrained();

  /** Why somebody gets no grant, by application id; names nodes by their ids. */
  public abstract Map<String, String> unserved();

  /** In billionths of utility per millibit a second: what more of a link would be worth to all. */
  public abstract Map<LinkId, Double> prices();

  public abstract List<String> remarks();

  /** For a person: how this was decided. */
  public abstract String method();

  /** The certified gap: how much better any other decision can be at most, relative. */
  public abstract double gap();

  /** How long it took. */
  public abstract Duration elapsed();

  public abstract Quality quality();

  /** Whether this is a first step only, which a full decision is to follow. */
  public abstract boolean isStep();

  /** Who was decided about. */
  public abstract List<Application> applications();

  /** The network that it was decided for. */
  public abstract Network network();

  public abstract Scheme.Memory memory();

  public static Builder builder() {
    return new AutoValue_Decision.Builder();
  }

  @AutoValue.Builder
  public abstract static class Builder {
    public abstract Builder grants(Map<String, Grant> grants);

    public abstract Builder restrained(Map<String, Grant> restrained);

    public abstract Builder unserved(Map<String, String> unserved);

    public abstract Builder prices(Map<LinkId, Double> prices);

    public abstract Builder remarks(List<String> remarks);

    public abstract Builder method(String method);

    public abstract Builder gap(double gap);

    public abstract Builder elapsed(Duration elapsed);

    public abstract Builder quality(Quality quality);

    public abstract Builder isStep(boolean isStep);

    public abstract Builder applications(List<Application> applications);

    public abstract Builder network(Network network);

    public abstract Builder memory(Scheme.Memory memory);

    public abstract Decision build();
  }
}
