package org.paceline.control.scheme;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.control.inventory.Routes;
import org.paceline.intents.problem.Application;
import org.paceline.intents.unit.DataRate;

/** What a scheme decides by. Belongs to one decision: routes are not to be shared by threads. */
@AutoValue
public abstract class Snapshot {
  /** How long a decision may take. */
  public enum Effort {
    /** May be a first step at once for who lost by a change of the network. */
    STEP,
    /** A full decision. */
    FULL,
    /** A full decision in peace, where nobody waits for it. */
    PATIENT
  }

  /** Who asks for what, in the order of asking. */
  public abstract List<Application> applications();

  /** The ids of those who are served already; they stay served where not all can be. */
  public abstract Set<String> incumbents();

  /** The network with what may be granted of each link, and the ways through it. */
  public abstract Routes routes();

  /** The decision in force. */
  public abstract Optional<Decision> before();

  /** Rates that hosts hold by a controller before this one, by application id. */
  public abstract Map<String, DataRate> inForce();

  /** Whether the decision may be put off until the links carry the rates in force. */
  public abstract boolean mayWait();

  public abstract Effort effort();

  /** The part of it that one scheme is asked. */
  Snapshot part(List<Application> ruled, Routes room, Optional<Decision> itsOwn) {
    Set<String> ids = ruled.stream().map(Application::id).collect(Collectors.toSet());
    return builder(
            ruled,
            incumbents().stream().filter(ids::contains).collect(Collectors.toUnmodifiableSet()),
            room)
        .before(itsOwn)
        .inForce(
            inForce().entrySet().stream()
                .filter(rate -> ids.contains(rate.getKey()))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue)))
        .mayWait(mayWait())
        .effort(effort())
        .build();
  }

  /** A full decision from nothing. */
  public static Builder builder(
      List<Application> applications, Set<String> incumbents, Routes routes) {
    return new AutoValue_Snapshot.Builder()
        .applications(List.copyOf(applications))
        .incumbents(Set.copyOf(incumbents))
        .routes(routes)
        .before(Optional.empty())
        .inForce(Map.of())
        .mayWait(false)
        .effort(Effort.FULL);
  }

  @AutoValue.Builder
  public abstract static class Builder {
    abstract Builder applications(List<Application> applications);

    abstract Builder incumbents(Set<String> incumbents);

    abstract Builder routes(Routes routes);

    public abstract Builder before(Optional<Decision> before);

    public abstract Builder inForce(Map<String, DataRate> inForce);

    public abstract Builder mayWait(boolean mayWait);

    public abstract Builder effort(Effort effort);

    public abstract Snapshot build();
  }
}
