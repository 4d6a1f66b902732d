package org.paceline.control.scheme.utility;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Keeps what conversations have where a new solution for the same ones is hardly better: a solver
 * that stops at its time limit, or a controller that was restarted, would else change rates that
 * nobody gains by.
 */
final class Holdover {
  private Holdover() {}

  /**
   * What was granted before, as the network would serve it now, by application id. Empty where
   * links cannot carry it any more, or somebody was not granted anything. O(sum of hops and bins).
   *
   * @param network with what a plan may grant
   */
  static Optional<Map<String, Grant>> still(
      List<Application> applications, Map<String, Grant> before, Network network) {
    Map<LinkId, Long> loads = new HashMap<>();
    before
        .values()
        .forEach(
            grant ->
                grant
                    .path()
                    .hops()
                    .forEach(
                        hop -> loads.merge(hop, grant.rate().millibitsPerSecond(), Long::sum)));
    boolean fits =
        loads.entrySet().stream()
            .allMatch(
                load ->
                    load.getValue()
                        <= network.link(load.getKey()).map(Link::limitMillibits).orElse(0L));
    Map<String, Grant> now = new TreeMap<>();
    for (Application application : applications) {
      Optional.ofNullable(before.get(application.id()))
          .flatMap(grant -> again(application, grant, loads, network))
          .ifPresent(grant -> now.put(application.id(), grant));
    }
    return fits && now.size() == applications.size() ? Optional.of(now) : Optional.empty();
  }

  /** The grant, as the network would serve it at these loads; empty where it is too slow now. */
  static Optional<Grant> again(
      Application application, Grant before, Map<LinkId, Long> loads, Network network) {
    UtilityFunction function = application.utilityFunction();
    long nanos =
        before.path().hops().stream()
            .flatMap(hop -> network.link(hop).stream())
            .mapToLong(link -> link.delay().nanosAt(loads.getOrDefault(link.id(), 0L)))
            .sum();
    Optional<Integer> delay =
        IntStream.range(0, function.delayBins())
            .boxed()
            .filter(bin -> function.delayNanos(bin) >= nanos)
            .min((a, b) -> Long.compare(function.delayNanos(a), function.delayNanos(b)));
    return delay.flatMap(
        late ->
            IntStream.range(0, function.throughputBins())
                .boxed()
                .filter(bin -> function.throughput(bin).equals(before.rate()))
                .findFirst()
                .map(
                    bin ->
                        Grant.of(
                            application.id(),
                            1,
                            before.rate(),
                            function.delay(late),
                            function.utility(bin, late),
                            before.path())));
  }

  /**
   * The same applications; those that an enforcer holds to a rate of their table have no choice but
   * that: a solution finds the ways for these rates, and room for the others.
   */
  static List<Application> pinned(List<Application> applications, Map<String, DataRate> inForce) {
    return applications.stream()
        .map(a -> pinned(a, inForce.getOrDefault(a.id(), DataRate.ZERO).millibitsPerSecond()))
        .collect(Collectors.toUnmodifiableList());
  }

  private static Application pinned(Application application, long rate) {
    UtilityFunction function = application.utilityFunction();
    return IntStream.range(0, function.throughputBins())
        .mapToObj(function::throughput)
        .filter(granted -> isRoundedDown(granted.millibitsPerSecond(), rate))
        .findFirst()
        .map(
            granted ->
                Application.of(
                    application.id(),
                    application.from(),
                    application.to(),
                    // Another name: those of one function may have to be alike.
                    function.within(granted, granted).named(function.name() + "@" + granted),
                    application.count(),
                    application.priority()))
        .orElse(application);
  }

  /** Whether everybody got a rate of what was left to him: the pinned, what they have. */
  static boolean isGranted(List<Application> pinned, Map<String, Grant> grants) {
    return pinned.stream()
        .allMatch(
            application -> {
              UtilityFunction function = application.utilityFunction();
              Grant grant = grants.get(application.id());
              return grant != null
                  && IntStream.range(0, function.throughputBins())
                      .anyMatch(bin -> function.throughput(bin).equals(grant.rate()));
            });
  }

  /** Enforcers round down by at most a thousandth. */
  private static boolean isRoundedDown(long granted, long held) {
    return held <= granted && held >= granted - granted / 500 - 1_000_000;
  }

  /**
   * Whether the fresh grants give the worst off, and all on average, no more than this above what
   * is held.
   */
  static boolean isHardlyWorse(
      Map<String, Grant> held, Map<String, Grant> fresh, long hardlyBillionths) {
    return held.keySet().equals(fresh.keySet())
        && worst(held) >= worst(fresh) - hardlyBillionths
        && sum(held) >= sum(fresh) - hardlyBillionths * held.size();
  }

  /** For a person: the least utility and the mean. */
  static String describe(Map<String, Grant> grants) {
    return String.format(
        Locale.ROOT,
        "least utility %.2f, mean %.2f",
        worst(grants) / 1e9,
        sum(grants) / 1e9 / Math.max(1, grants.size()));
  }

  private static long worst(Map<String, Grant> grants) {
    return grants.values().stream().mapToLong(g -> g.utility().billionths()).min().orElse(0);
  }

  private static long sum(Map<String, Grant> grants) {
    return grants.values().stream().mapToLong(g -> g.utility().billionths()).sum();
  }
}
