package org.paceline.control.scheme.classes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.allocator.classes.ClassAllocation;
import org.paceline.allocator.classes.SharedFlow;
import org.paceline.allocator.maxmin.WeightedFlow;
import org.paceline.control.directive.MeterGroup;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.Unserved;
import org.paceline.control.scheme.ClassMembership;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.Scheme;
import org.paceline.control.scheme.Snapshot;
import org.paceline.control.scheme.Standings;
import org.paceline.control.scheme.WorstCaseGrant;
import org.paceline.control.settings.ClassMeters;
import org.paceline.control.settings.ClassSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/**
 * Gives each conversation the share of its service class, and within a class less to those who
 * reach less. Aljoby et al. 2021 (DiffPerf), by {@link ClassAllocation}.
 *
 * <p>Everybody is served, on the quickest way while idle. What a sub-class has is divided equally
 * among its conversations, which are held one by one. Those without an agent may share one meter
 * instead, as in the paper: {@link ClassMeters}. O(pairs (V + E) log V) for the ways, and the
 * allocation.
 */
public final class ServiceClassScheme implements Scheme {
  private final ClassSettings settings;

  public ServiceClassScheme(ClassSettings settings) {
    this.settings = settings;
  }

  @Override
  public SchemeName name() {
    return SchemeName.SERVICE_CLASSES;
  }

  /**
   * Who gets what.
   *
   * @throws IllegalStateException if a conversation has no class: a bug of who asks
   */
  @Override
  public Optional<Decision> decide(Snapshot snapshot) {
    long begin = System.nanoTime();
    Map<LinkId, Optional<Path>> ways = new HashMap<>();
    Map<String, Unserved> unserved = new TreeMap<>();
    List<SharedFlow> flows = new ArrayList<>();
    for (Application application : snapshot.applications()) {
      Optional<Path> way = way(application, snapshot.routes(), ways);
      if (way.isPresent()) {
        flows.add(flow(application, way.get(), snapshot));
      } else {
        unserved.put(
            application.id(),
            Unserved.of(Unserved.Code.NO_PATH, application.from(), application.to()));
      }
    }
    Map<LinkId, Long> limits = new HashMap<>();
    for (Link link : snapshot.routes().network().links()) {
      limits.put(link.id(), link.limitMillibits());
    }
    ClassAllocation allocation =
        ClassAllocation.of(limits, flows, settings.alpha(), settings.split());
    Map<String, DataRate> rates = allocation.rates().rates();
    Map<String, Grant> grants = new TreeMap<>();
    for (Application application : snapshot.applications()) {
      way(application, snapshot.routes(), ways)
          .ifPresent(
              path ->
                  grants.put(
                      application.id(),
                      WorstCaseGrant.of(
                          application,
                          Objects.requireNonNull(rates.get(application.id())),
                          path,
                          snapshot.routes().network())));
    }
    return Optional.of(
        Decision.settled("service classes", snapshot, begin)
            .sharing(name(), grants, groups(snapshot, allocation.places()))
            .unserved(unserved)
            .standings(Standings.ofClasses(allocation.places()))
            .build());
  }

  /** Of whom has a meter to share; nobody where each is to have one of its own. */
  private Map<String, MeterGroup> groups(Snapshot snapshot, Map<String, String> places) {
    Map<String, MeterGroup> groups = new TreeMap<>();
    if (settings.meters() == ClassMeters.PER_SUB_CLASS) {
      snapshot
          .classes()
          .forEach(
              (id, membership) ->
                  groups.put(
                      id, MeterGroup.of(membership.serviceClass(), places.getOrDefault(id, ""))));
    }
    return groups;
  }

  /** More time finds nothing better. */
  @Override
  public boolean isWorthTheChange(Decision inForce, Decision fresh) {
    return false;
  }

  private static Optional<Path> way(
      Application application, Routes routes, Map<LinkId, Optional<Path>> ways) {
    return ways.computeIfAbsent(
        LinkId.of(application.from(), application.to()),
        ends -> routes.quickest(ends.from(), ends.to()));
  }

  private static SharedFlow flow(Application application, Path way, Snapshot snapshot) {
    ClassMembership membership =
        Optional.ofNullable(snapshot.classes().get(application.id()))
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "The conversation ("
                            + application.id()
                            + ") is ruled by classes and has none."));
    return SharedFlow.of(
        WeightedFlow.builder(application.id(), way.hops())
            .weight(membership.weight())
            .least(membership.least())
            .most(membership.most())
            .build(),
        membership.serviceClass().toString(),
        Optional.ofNullable(snapshot.throughput().get(application.id())));
  }
}
