package org.paceline.control.scheme;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.control.inventory.Routes;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
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

  /** The service class of each who is ruled by such classes, by application id. */
  public abstract Map<String, ClassMembership> classes();

  /**
   * What they reach, by application id, of those who reach less than they are given: averages of
   * what their enforcers count.
   */
  public abstract Map<String, DataRate> throughput();

  /**
   * What is reserved for each who is ruled by adaptive reservations or has a circuit, by
   * application id.
   */
  public abstract Map<String, ReservedRate> reservations();

  /** What was seen of those in the last periods. */
  public abstract Observations observations();

  /**
   * The network with what a scheme has of each link whatever those after it want: what it may
   * promise. It is all of {@link #routes} but where a scheme is asked again with more.
   */
  public abstract Routes promisable();

  /** What each link's port can do and carries, as far as schemes go by it; none where none does. */
  public abstract Map<LinkId, PortState> ports();

  /** The path that each takes by the plan in force, whoever rules it, by application id. */
  public abstract Map<String, Path> paths();

  /** Whether the decision may be put off until the links carry the rates in force. */
  public abstract boolean mayWait();

  public abstract Effort effort();

  /** The same, through this network. */
  Snapshot through(Routes room) {
    return through(room, room);
  }

  /** The same, with more than may be promised. */
  Snapshot through(Routes room, Routes promisable) {
    return toBuilder().routes(room).promisable(promisable).build();
  }

  abstract Builder toBuilder();

  /** The part of it that one scheme is asked. */
  Snapshot part(List<Application> ruled, Routes room, Optional<Decision> itsOwn) {
    Set<String> ids = ruled.stream().map(Application::id).collect(Collectors.toSet());
    return builder(
            ruled,
            incumbents().stream().filter(ids::contains).collect(Collectors.toUnmodifiableSet()),
            room)
        .before(itsOwn)
        .inForce(of(ids, inForce()))
        .classes(of(ids, classes()))
        .throughput(of(ids, throughput()))
        .reservations(of(ids, reservations()))
        .observations(observations())
        .ports(ports())
        .paths(of(ids, paths()))
        .mayWait(mayWait())
        .effort(effort())
        .build();
  }

  private static <T> Map<String, T> of(Set<String> ids, Map<String, T> all) {
    return all.entrySet().stream()
        .filter(one -> ids.contains(one.getKey()))
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** A full decision from nothing. */
  public static Builder builder(
      List<Application> applications, Set<String> incumbents, Routes routes) {
    return new AutoValue_Snapshot.Builder()
        .applications(List.copyOf(applications))
        .incumbents(Set.copyOf(incumbents))
        .routes(routes)
        .promisable(routes)
        .before(Optional.empty())
        .inForce(Map.of())
        .classes(Map.of())
        .throughput(Map.of())
        .reservations(Map.of())
        .observations(Observations.NONE)
        .ports(Map.of())
        .paths(Map.of())
        .mayWait(false)
        .effort(Effort.FULL);
  }

  @AutoValue.Builder
  public abstract static class Builder {
    abstract Builder applications(List<Application> applications);

    abstract Builder incumbents(Set<String> incumbents);

    abstract Builder routes(Routes routes);

    abstract Builder promisable(Routes routes);

    public abstract Builder before(Optional<Decision> before);

    public abstract Builder inForce(Map<String, DataRate> inForce);

    public abstract Builder classes(Map<String, ClassMembership> classes);

    public abstract Builder throughput(Map<String, DataRate> rates);

    public abstract Builder reservations(Map<String, ReservedRate> reservations);

    public abstract Builder observations(Observations observations);

    public abstract Builder ports(Map<LinkId, PortState> ports);

    public abstract Builder paths(Map<String, Path> paths);

    public abstract Builder mayWait(boolean mayWait);

    public abstract Builder effort(Effort effort);

    public abstract Snapshot build();
  }
}
