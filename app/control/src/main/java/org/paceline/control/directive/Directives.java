package org.paceline.control.directive;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;

/**
 * All that is wanted of the network at one time. Whoever has a rate has a path: only so it is known
 * which links carry the rate.
 */
public final class Directives {
  public static final Directives NONE = new Directives(new TreeMap<>(), new TreeMap<>());

  private final NavigableMap<ConversationId, Pace> paces;
  private final NavigableMap<ConversationId, Route> routes;

  private Directives(
      NavigableMap<ConversationId, Pace> paces, NavigableMap<ConversationId, Route> routes) {
    this.paces = Collections.unmodifiableNavigableMap(paces);
    this.routes = Collections.unmodifiableNavigableMap(routes);
  }

  /** The rate and the path of each grant, all for one reason. */
  public static Directives of(
      SchemeName owner, Directive.Reason reason, Map<ConversationId, Grant> grants) {
    NavigableMap<ConversationId, Pace> paces = new TreeMap<>();
    NavigableMap<ConversationId, Route> routes = new TreeMap<>();
    grants.forEach(
        (id, grant) -> {
          paces.put(id, Pace.of(owner, reason, id, grant.rate().times(grant.count())));
          routes.put(id, Route.of(owner, reason, id, grant.path()));
        });
    return new Directives(paces, routes);
  }

  /** Ordered by conversation. */
  public NavigableMap<ConversationId, Pace> paces() {
    return paces;
  }

  /** Of the same conversations. */
  public NavigableMap<ConversationId, Route> routes() {
    return routes;
  }

  /** All about one conversation. */
  public List<Directive> about(ConversationId id) {
    List<Directive> about = new ArrayList<>();
    Optional.ofNullable(paces.get(id)).ifPresent(about::add);
    Optional.ofNullable(routes.get(id)).ifPresent(about::add);
    return about;
  }

  /** These and others; the others win where both are about the same. */
  public Directives with(Directives others) {
    NavigableMap<ConversationId, Pace> morePaces = new TreeMap<>(paces);
    NavigableMap<ConversationId, Route> moreRoutes = new TreeMap<>(routes);
    morePaces.putAll(others.paces);
    moreRoutes.putAll(others.routes);
    return new Directives(morePaces, moreRoutes);
  }

  /** Those about some conversations. */
  public Directives about(Predicate<ConversationId> some) {
    NavigableMap<ConversationId, Pace> fewerPaces = new TreeMap<>(paces);
    NavigableMap<ConversationId, Route> fewerRoutes = new TreeMap<>(routes);
    fewerPaces.keySet().removeIf(some.negate());
    fewerRoutes.keySet().removeIf(some.negate());
    return new Directives(fewerPaces, fewerRoutes);
  }

  /** The same, but for another reason. */
  public Directives nowBecause(Directive.Reason reason) {
    NavigableMap<ConversationId, Pace> otherPaces = new TreeMap<>();
    NavigableMap<ConversationId, Route> otherRoutes = new TreeMap<>();
    paces.forEach((id, p) -> otherPaces.put(id, Pace.of(p.owner(), reason, id, p.rate())));
    routes.forEach((id, r) -> otherRoutes.put(id, Route.of(r.owner(), reason, id, r.path())));
    return new Directives(otherPaces, otherRoutes);
  }

  /** The sum of the rates on each link, in millibits per second. */
  public Map<LinkId, Long> loads() {
    Map<LinkId, Long> loads = new HashMap<>();
    routes.forEach(
        (id, route) ->
            Optional.ofNullable(paces.get(id))
                .map(pace -> pace.rate().millibitsPerSecond())
                .ifPresent(
                    rate -> route.path().hops().forEach(hop -> loads.merge(hop, rate, Long::sum))));
    return loads;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Directives
        && ((Directives) other).paces.equals(paces)
        && ((Directives) other).routes.equals(routes);
  }

  @Override
  public int hashCode() {
    return 31 * paces.hashCode() + routes.hashCode();
  }

  @Override
  public String toString() {
    return paces.values().stream().map(Directive::id).collect(Collectors.joining(", "));
  }
}
