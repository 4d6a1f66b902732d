package org.paceline.control.scheme;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.allocator.reservation.DemandEstimate;
import org.paceline.control.model.ReservedDemand;

/** What schemes have made of those whom they rule, by application id; for people. */
@AutoValue
public abstract class Standings {
  public static final Standings NONE = of(Map.of(), Map.of());

  /** The sub-class of its service class that each is in, such as L or HL; empty: no split. */
  abstract Map<String, String> subClasses();

  /** What each has of an adaptive reservation, and is taken to want. */
  abstract Map<String, ReservedDemand> demands();

  /** Empty where its class is not split, or it is of none. */
  public final Optional<String> subClass(String application) {
    return Optional.ofNullable(subClasses().get(application)).filter(name -> !name.isEmpty());
  }

  public final Optional<ReservedDemand> demand(String application) {
    return Optional.ofNullable(demands().get(application));
  }

  private static Standings of(Map<String, String> subClasses, Map<String, ReservedDemand> demands) {
    return new AutoValue_Standings(
        Collections.unmodifiableMap(new TreeMap<>(subClasses)),
        Collections.unmodifiableMap(new TreeMap<>(demands)));
  }

  public static Standings ofClasses(Map<String, String> subClasses) {
    return of(subClasses, Map.of());
  }

  public static Standings ofReservations(Map<String, DemandEstimate> demands) {
    Map<String, ReservedDemand> seen = new TreeMap<>();
    demands.forEach(
        (id, one) -> seen.put(id, ReservedDemand.of(one.reserved(), one.wanted(), one.isAsking())));
    return of(Map.of(), seen);
  }

  /** Those of another scheme, too. */
  Standings and(Standings others) {
    Map<String, String> subClasses = new TreeMap<>(subClasses());
    subClasses.putAll(others.subClasses());
    Map<String, ReservedDemand> demands = new TreeMap<>(demands());
    demands.putAll(others.demands());
    return of(subClasses, demands);
  }
}
