package org.paceline.control.borrowing;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.Pace;
import org.paceline.control.directive.Route;
import org.paceline.control.model.ConversationId;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.DataRate;

/**
 * Lends what the plan left free, and what conversations reliably leave of their grants, to those on
 * the same links that would send more than theirs. With F_e what is free on link e and L_e =
 * min(limit, sum of (grant - 1.1 peak) of the lenders), who have no pool, the loans on e add up to
 * at most F_e + L_e, so grants and loans to at most the plan's capacity and L_e. They are divided
 * in proportion to the borrowers' grants ({@link ProgressiveFilling}): a utility function's end
 * holds nobody back while a link is idle.
 */
final class Lending {
  /** Whoever leaves something may soon send a little more than it did. */
  private static final double MARGIN = 1.1;

  /** Rates change by such factors, lest every report changes every rate. */
  private static final double STEP = 1.005;

  private final Map<ConversationId, UsageWindow> usage = new HashMap<>();
  private final ToDoubleFunction<ConversationId> most;
  private final Predicate<ConversationId> lends;

  /**
   * @param most what a conversation may have, its grant included, in millibits per second; infinite
   *     where nothing bounds it
   * @param lends whether nobody sends yet what a conversation leaves of its grant
   */
  Lending(ToDoubleFunction<ConversationId> most, Predicate<ConversationId> lends) {
    this.most = most;
    this.lends = lends;
  }

  void observe(ConversationId id, Duration now, DataRate sent, DataRate inForce) {
    usage
        .computeIfAbsent(id, i -> new UsageWindow())
        .add(now, sent.millibitsPerSecond(), inForce.millibitsPerSecond());
  }

  /** What the conversation sent of late, and what it might have sent by its rate. */
  void addTo(Pooling.Usage pool, ConversationId id, Duration now) {
    Optional.ofNullable(usage.get(id))
        .ifPresent(window -> pool.add(window.recentPeak(now), window.held(now)));
  }

  void forget(ConversationId id) {
    usage.remove(id);
  }

  /** What can be lent now, on top of these rates. */
  Loans loans(
      Directives directives,
      Network full,
      PlannerSettings settings,
      KeptDelays kept,
      Duration now) {
    if (settings.mode() == PlanMode.SHADOW) {
      return Loans.NONE;
    }
    Map<LinkId, Ledger> ledgers = new HashMap<>();
    Network plannable = settings.plannable(full);
    for (Link link : plannable.links()) {
      ledgers.put(link.id(), new Ledger(link.capacity().millibitsPerSecond()));
    }
    kept.within(plannable)
        .links()
        .forEach(link -> ledger(ledgers, link.id()).kept = link.capacity().millibitsPerSecond());
    settings
        .lendable(full)
        .links()
        .forEach(link -> ledger(ledgers, link.id()).limit = link.capacity().millibitsPerSecond());
    Map<ConversationId, Double> wants = new TreeMap<>();
    directives
        .routes()
        .forEach(
            (id, route) -> {
              UsageWindow window = usage.getOrDefault(id, new UsageWindow());
              long rate = rate(directives, id);
              double wanted =
                  Math.min(window.wantsBeyond(rate, now), most.applyAsDouble(id) - rate);
              long left = lends.test(id) ? left(rate, window.freePeak(now)) : 0;
              for (LinkId hop : route.path().hops()) {
                ledger(ledgers, hop).enter(rate, left);
              }
              if (wanted > 0 && rate > 0) {
                wants.put(id, wanted);
              }
            });
    return divide(wants, directives, ledgers);
  }

  private static long rate(Directives directives, ConversationId id) {
    Pace pace = directives.paces().get(id);
    return pace == null ? 0 : pace.rate().millibitsPerSecond();
  }

  private static long left(long rate, OptionalLong peak) {
    return peak.isEmpty() ? 0 : Math.max(0, rate - (long) (peak.getAsLong() * MARGIN));
  }

  private static Loans divide(
      Map<ConversationId, Double> wants, Directives directives, Map<LinkId, Ledger> ledgers) {
    ProgressiveFilling filling = new ProgressiveFilling();
    ledgers.forEach((link, ledger) -> filling.link(link, ledger.lendable()));
    wants.forEach(
        (id, wanted) -> {
          long grant = rate(directives, id);
          filling.claim(id, grant, wanted / grant, hops(directives, id));
        });
    Map<ConversationId, DataRate> rates = new TreeMap<>();
    filling
        .levels()
        .forEach(
            (id, level) -> {
              long lent = (long) (rate(directives, id) * (stepped(1 + level) - 1));
              if (lent > 0) {
                rates.put(id, DataRate.ofMillibitsPerSecond(lent));
                hops(directives, id).forEach(hop -> ledger(ledgers, hop).lent += lent);
              }
            });
    Map<LinkId, DataRate> beyond = new TreeMap<>();
    ledgers.forEach(
        (link, ledger) -> {
          if (ledger.lent > ledger.free()) {
            beyond.put(link, DataRate.ofMillibitsPerSecond(ledger.lent - ledger.free()));
          }
        });
    return Loans.of(rates, beyond);
  }

  /** The greatest power of the step that is not above the factor, which is at least 1. */
  private static double stepped(double factor) {
    return Math.pow(STEP, Math.floor(Math.log(factor) / Math.log(STEP)));
  }

  private static List<LinkId> hops(Directives directives, ConversationId id) {
    Route route = directives.routes().get(id);
    return route == null ? List.of() : route.path().hops();
  }

  private static Ledger ledger(Map<LinkId, Ledger> ledgers, LinkId link) {
    // A link that has just gone carries nothing, and lends nothing.
    return ledgers.computeIfAbsent(link, l -> new Ledger(0));
  }

  /** One link's sums, in millibits per second. */
  private static final class Ledger {
    final long plannable;

    /** Of it, so much as keeps delays within their bins. */
    long kept;

    long limit;
    long granted;
    long left;
    long lent;

    Ledger(long plannable) {
      this.plannable = plannable;
    }

    void enter(long grant, long leftOfIt) {
      granted += grant;
      left += leftOfIt;
    }

    long free() {
      return Math.max(0, plannable - granted);
    }

    long lendable() {
      return Math.max(0, kept - granted) + Math.min(limit, left);
    }
  }
}
