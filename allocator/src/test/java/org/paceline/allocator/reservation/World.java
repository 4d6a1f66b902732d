package org.paceline.allocator.reservation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/**
 * A random network whose reservations fit, and hosts that send what they like, period by period, as
 * far as they are let.
 */
final class World {
  private static final double FULLY = 0.95;

  final Map<LinkId, Long> limits = new TreeMap<>();
  final Map<String, ReservedFlow> flows = new TreeMap<>();

  /** What each would send if nobody held it back, in millibits per second. */
  final Map<String, Long> offered = new TreeMap<>();

  Map<String, DataRate> rates = Map.of();
  List<Loan> loans = List.of();
  private final Map<String, List<DataRate>> sent = new HashMap<>();
  private final Random random;
  private final AdaptationRule rule;

  World(long seed, AdaptationRule rule) {
    this.random = new Random(seed);
    this.rule = rule;
    List<LinkId> links = new ArrayList<>();
    Map<LinkId, Long> reservable = new HashMap<>();
    for (int l = 0; l < 1 + random.nextInt(5); l++) {
      LinkId link = LinkId.of("n" + l, "n" + (l + 1));
      links.add(link);
      limits.put(link, (1_000 + random.nextInt(20_000)) * 1_000_003L);
      reservable.put(link, limits.getOrDefault(link, 0L) / 1_000 * 980);
    }
    for (int f = 0; f < 1 + random.nextInt(12); f++) {
      Collections.shuffle(links, random);
      List<LinkId> way = List.copyOf(links.subList(0, 1 + random.nextInt(links.size())));
      long room = way.stream().mapToLong(l -> reservable.getOrDefault(l, 0L)).min().orElse(0);
      boolean isBestEffort = random.nextInt(4) == 0;
      long reserved = isBestEffort ? 0 : (long) (room * random.nextDouble() * 0.7);
      way.forEach(link -> reservable.merge(link, -reserved, Long::sum));
      boolean isFirm = random.nextInt(6) == 0;
      boolean isCapped = random.nextInt(5) == 0;
      add(
          ReservedFlow.of(
              "f" + f,
              way,
              random.nextInt(4),
              rate(isFirm ? reserved : 0),
              isCapped ? rate(reserved + 1_000_000_000L) : DataRate.MAX,
              DemandEstimate.initial(rate(reserved))));
    }
  }

  private void add(ReservedFlow flow) {
    flows.put(flow.id(), flow);
    offered.put(flow.id(), 0L);
  }

  static DataRate rate(long millibits) {
    return DataRate.ofMillibitsPerSecond(millibits);
  }

  long has(String flow) {
    return Optional.ofNullable(rates.get(flow)).map(DataRate::millibitsPerSecond).orElse(0L);
  }

  /** Some want something else from now on. */
  void change() {
    for (String flow : offered.keySet()) {
      if (random.nextInt(3) == 0) {
        offered.put(flow, (long) (random.nextDouble() * random.nextDouble() * 30_000_000_000.0));
      }
    }
  }

  /** A period is over: what was sent is seen, and rates are divided anew. */
  void period() {
    flows.replaceAll((id, flow) -> rates.isEmpty() ? flow : with(flow, observed(id)));
    divide();
  }

  void divide() {
    rates = ReservationDivision.of(limits, limits, flows.values());
    loans = LoanLedger.after(loans, limits, flows.values(), rates);
  }

  private Observation observed(String id) {
    long held = has(id);
    long now = Math.min(held, offered.getOrDefault(id, 0L));
    List<DataRate> history = new ArrayList<>(sent.getOrDefault(id, List.of()));
    history.add(0, rate(now));
    sent.put(id, history);
    return Observation.of(rate(held), history, now >= held * FULLY, Optional.empty());
  }

  private ReservedFlow with(ReservedFlow flow, Observation seen) {
    return ReservedFlow.of(
        flow.id(),
        flow.links(),
        flow.priority(),
        flow.firm(),
        flow.most(),
        flow.demand().after(seen, rule));
  }
}
