package org.paceline.allocator.reservation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.paceline.allocator.maxmin.WeightedFilling;
import org.paceline.allocator.maxmin.WeightedFlow;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/**
 * What each flow has while reservations that are not used are lent: SEIZE, RETURN and SHARE of
 * Boley et al. 2017, algorithms 2 to 4, as one division of each period's demands.
 *
 * <ol>
 *   <li>Each flow has what it wants of its reservation. A smaller demand than before is what the
 *       paper seizes, a greater one what it returns. As admission keeps the reservations within
 *       every link, so are these.
 *   <li>What is left goes to those who want more than they reserved, the highest priority first and
 *       equally among equals.
 *   <li>The rest is for best effort, equally; it had its part of each link before all others.
 *   <li>What best effort cannot use is for those who ask for an unknown amount, as in 2.
 * </ol>
 *
 * <p>All of what is borrowed is divided anew each time. So whoever returns takes from the lowest
 * priority first without looking for it, and nobody keeps what a higher priority asks for, however
 * early it came. Sums are within each link at every step. As much work as one filling for each
 * priority.
 *
 * <p>Best effort's part is of what may be promised of a link, even where there is less to divide
 * now. So whoever divides just what was taken before has the same again. A part of what was taken
 * would be less for some hosts, and more for others, who would have it of their reservations.
 */
public final class ReservationDivision {
  /** So much of a link best effort has whatever is reserved, where any crosses it. */
  public static final int BEST_EFFORT_THOUSANDTHS = 20;

  private static final int THOUSAND = 1_000;

  private final Map<LinkId, Long> limits;
  private final Map<LinkId, Long> left = new HashMap<>();
  private final Map<String, Long> rates = new TreeMap<>();

  private ReservationDivision(Map<LinkId, Long> limits) {
    this.limits = limits;
    left.putAll(limits);
  }

  /**
   * By flow what it has.
   *
   * @param promisable what may be promised of each link, in millibits per second
   * @param limits what there is of each link to divide; a link that is missing carries nothing
   * @param flows each with an id of its own, in any order; it makes no difference
   */
  public static Map<String, DataRate> of(
      Map<LinkId, Long> promisable, Map<LinkId, Long> limits, Collection<ReservedFlow> flows) {
    ReservationDivision division = new ReservationDivision(limits);
    division.divide(
        promisable,
        flows.stream()
            .sorted(Comparator.comparing(ReservedFlow::id))
            .collect(Collectors.toUnmodifiableList()));
    Map<String, DataRate> rates = new TreeMap<>();
    division.rates.forEach((id, rate) -> rates.put(id, DataRate.ofMillibitsPerSecond(rate)));
    return rates;
  }

  private void divide(Map<LinkId, Long> promisable, List<ReservedFlow> flows) {
    List<ReservedFlow> reserved = new ArrayList<>();
    List<ReservedFlow> bestEffort = new ArrayList<>();
    flows.forEach(flow -> (flow.isBestEffort() ? bestEffort : reserved).add(flow));
    promise(bestEffort, kept(promisable, bestEffort));
    promise(reserved, ReservedFlow::guaranteed);
    // Of links that nobody else uses now its part is greater, as far as all reservations leave it.
    Map<LinkId, Long> widest = new HashMap<>(promisable);
    limits.forEach((link, limit) -> widest.merge(link, limit, Math::max));
    share(bestEffort, kept(widest, bestEffort));
    List<List<ReservedFlow>> levels = byPriority(reserved);
    levels.forEach(level -> share(level, ReservedFlow::wanted));
    share(bestEffort, ReservedFlow::wanted);
    for (List<ReservedFlow> level : levels) {
      share(asking(level), flow -> flow.most().millibitsPerSecond());
    }
  }

  /** What each of best effort has beside all reservations. */
  private static ToLongFunction<ReservedFlow> kept(
      Map<LinkId, Long> links, List<ReservedFlow> bestEffort) {
    Map<LinkId, Long> parts = new HashMap<>();
    links.forEach((link, limit) -> parts.put(link, limit / THOUSAND * BEST_EFFORT_THOUSANDTHS));
    Map<String, DataRate> kept =
        WeightedFilling.fill(
                parts,
                bestEffort.stream()
                    .map(
                        flow ->
                            WeightedFlow.builder(flow.id(), flow.links())
                                .most(DataRate.ofMillibitsPerSecond(flow.wanted()))
                                .build())
                    .collect(Collectors.toUnmodifiableList()))
            .rates();
    return flow -> kept.getOrDefault(flow.id(), DataRate.ZERO).millibitsPerSecond();
  }

  /** Where these do not fit, which admission is to prevent, all of a link shrink alike. */
  private void promise(List<ReservedFlow> flows, ToLongFunction<ReservedFlow> guaranteed) {
    fill(
        flows.stream()
            .map(
                flow -> {
                  DataRate rate = DataRate.ofMillibitsPerSecond(guaranteed.applyAsLong(flow));
                  return WeightedFlow.builder(flow.id(), flow.links()).least(rate).most(rate);
                })
            .collect(Collectors.toUnmodifiableList()));
  }

  /** They share what is left, each up to that much in all. */
  private void share(List<ReservedFlow> flows, ToLongFunction<ReservedFlow> most) {
    List<WeightedFlow.Builder> growing = new ArrayList<>();
    for (ReservedFlow flow : flows) {
      long more = most.applyAsLong(flow) - rates.getOrDefault(flow.id(), 0L);
      growing.add(
          WeightedFlow.builder(flow.id(), flow.links())
              .most(DataRate.ofMillibitsPerSecond(Math.max(0, more))));
    }
    fill(growing);
  }

  private void fill(List<WeightedFlow.Builder> flows) {
    List<WeightedFlow> built =
        flows.stream().map(WeightedFlow.Builder::build).collect(Collectors.toUnmodifiableList());
    Map<String, DataRate> more = WeightedFilling.fill(left, built).rates();
    for (WeightedFlow flow : built) {
      long rate = more.getOrDefault(flow.id(), DataRate.ZERO).millibitsPerSecond();
      rates.merge(flow.id(), rate, Long::sum);
      flow.links().forEach(link -> left.merge(link, -rate, Long::sum));
    }
  }

  private static List<ReservedFlow> asking(List<ReservedFlow> flows) {
    return flows.stream()
        .filter(flow -> flow.demand().isAsking())
        .collect(Collectors.toUnmodifiableList());
  }

  /** The highest first. */
  private static List<List<ReservedFlow>> byPriority(List<ReservedFlow> flows) {
    Map<Integer, List<ReservedFlow>> levels = new TreeMap<>(Comparator.reverseOrder());
    flows.forEach(
        flow -> levels.computeIfAbsent(flow.priority(), p -> new ArrayList<>()).add(flow));
    return List.copyOf(levels.values());
  }
}
