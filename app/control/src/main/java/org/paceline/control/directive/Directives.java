package org.paceline.control.directive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;

/**
 * All that is wanted of the network at one time: rates and paths of conversations, and queues of
 * ports. Whoever has a rate has a path: only so it is known which links carry the rate.
 */
public final class Directives {
  public static final Directives NONE =
      new Directives(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

  private final NavigableMap<ConversationId, Pace> paces;
  private final NavigableMap<ConversationId, Route> routes;
  private final NavigableMap<LinkId, Queue> queues;

  private Directives(
      NavigableMap<ConversationId, Pace> paces,
      NavigableMap<ConversationId, Route> routes,
      NavigableMap<LinkId, Queue> queues) {
    this.paces = Collections.unmodifiableNavigableMap(paces);
    this.routes = Collections.unmodifiableNavigableMap(routes);
    this.queues = Collections.unmodifiableNavigableMap(queues);
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
    return new Directives(paces, routes, new TreeMap<>());
  }

  /** Queues of ports; the last one where several are of one link. */
  public static Directives of(Collection<Queue> queues) {
    NavigableMap<LinkId, Queue> byLink = new TreeMap<>();
    queues.forEach(queue -> byLink.put(queue.link(), queue));
    return new Directives(new TreeMap<>(), new TreeMap<>(), byLink);
  }

  /** The same of elephants, whom nobody holds to a rate and whose packets are kept apart. */
  public static Directives ofElephants(
      SchemeName owner, Directive.Reason reason, Map<ConversationId, Grant> grants) {
    NavigableMap<ConversationId, Pace> paces = new TreeMap<>();
    NavigableMap<ConversationId, Route> routes = new TreeMap<>();
    grants.forEach(
        (id, grant) -> {
          paces.put(id, Pace.reckoned(owner, reason, id, grant.rate().times(grant.count())));
          routes.put(id, Route.apart(owner, reason, id, grant.path()));
        });
    return new Directives(paces, routes, new TreeMap<>());
  }

  /** The same, but these are held to their rates. */
  public Directives holding(Set<ConversationId> some) {
    NavigableMap<ConversationId, Pace> heldPaces = new TreeMap<>(paces);
    some.forEach(id -> heldPaces.computeIfPresent(id, (same, pace) -> pace.held()));
    return new Directives(heldPaces, routes, queues);
  }

  /** The same, but those of these that have no agent share the meters of their groups. */
  public Directives sharing(Map<ConversationId, MeterGroup> groups) {
    NavigableMap<ConversationId, Pace> sharedPaces = new TreeMap<>(paces);
    groups.forEach(
        (id, group) -> sharedPaces.computeIfPresent(id, (same, pace) -> pace.sharing(group)));
    return new Directives(sharedPaces, routes, queues);
  }

  /** Ordered by conversation. */
  public NavigableMap<ConversationId, Pace> paces() {
    return paces;
  }

  /** Of the same conversations. */
  public NavigableMap<ConversationId, Route> routes() {
    return routes;
  }

  /** Ordered by link. */
  public NavigableMap<LinkId, Queue> queues() {
    return queues;
  }

  /** All about one conversation. */
  public List<ConversationDirective> about(ConversationId id) {
    List<ConversationDirective> about = new ArrayList<>();
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
    NavigableMap<LinkId, Queue> moreQueues = new TreeMap<>(queues);
    moreQueues.putAll(others.queues);
    return new Directives(morePaces, moreRoutes, moreQueues);
  }

  /** All but those about some conversations. */
  public Directives without(Predicate<ConversationId> some) {
    return about(some.negate()).with(new Directives(new TreeMap<>(), new TreeMap<>(), queues));
  }

  /** Those about some conversations. */
  public Directives about(Predicate<ConversationId> some) {
    NavigableMap<ConversationId, Pace> fewerPaces = new TreeMap<>(paces);
    NavigableMap<ConversationId, Route> fewerRoutes = new TreeMap<>(routes);
    fewerPaces.keySet().removeIf(some.negate());
    fewerRoutes.keySet().removeIf(some.negate());
    return new Directives(fewerPaces, fewerRoutes, new TreeMap<>());
  }

  /** The same, but for another reason. */
  public Directives nowBecause(Directive.Reason reason) {
    NavigableMap<ConversationId, Pace> otherPaces = new TreeMap<>();
    NavigableMap<ConversationId, Route> otherRoutes = new TreeMap<>();
    NavigableMap<LinkId, Queue> otherQueues = new TreeMap<>();
    paces.forEach((id, p) -> otherPaces.put(id, p.because(reason)));
    routes.forEach((id, r) -> otherRoutes.put(id, r.because(reason)));
    queues.forEach((id, q) -> otherQueues.put(id, Queue.of(q.owner(), reason, id, q.shares())));
    return new Directives(otherPaces, otherRoutes, otherQueues);
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
        && ((Directives) other).routes.equals(routes)
        && ((Directives) other).queues.equals(queues);
  }

  @Override
  public int hashCode() {
    return Objects.hash(paces, routes, queues);
  }

  @Override
  public String toString() {
    return Stream.concat(paces.values().stream(), queues.values().stream())
        .map(Directive::id)
        .collect(Collectors.joining(", "));
  }
}
