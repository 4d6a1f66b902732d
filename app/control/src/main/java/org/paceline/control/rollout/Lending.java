package org.paceline.control.rollout;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;
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
 * the same links who use theirs fully. With F_e what is free on link e, L_e = min(limit, sum of
 * (grant - 1.1 peak) of the lenders), and B_e the borrowers' grants, a borrower gets min(1, (F_e +
 * L_e) / B_e over its links) of its own grant: the loans on e then add up to at most F_e + L_e, so
 * grants and loans to at most the plan's capacity and L_e. O(sum of hops) a time.
 */
final class Lending {
  /** Whoever leaves something may soon send a little more than it did. */
  private static final double MARGIN = 1.1;

  /** Loans change in steps of this part of a grant, lest every report changes every rate. */
  private static final double STEP = 0.005;

  private final Map<ConversationId, UsageWindow> usage = new HashMap<>();
  private final Predicate<ConversationId> mayBorrow;

  /**
   * @param mayBorrow who may have more than its grant
   */
  Lending(Predicate<ConversationId> mayBorrow) {
    this.mayBorrow = mayBorrow;
  }

  void observe(ConversationId id, Instant now, DataRate sent, DataRate inForce) {
    usage
        .computeIfAbsent(id, i -> new UsageWindow())
        .add(now, sent.millibitsPerSecond(), inForce.millibitsPerSecond());
  }

  void forget(ConversationId id) {
    usage.remove(id);
  }

  /** What can be lent now, on top of these rates. */
  Loans loans(Directives directives, Network full, PlannerSettings settings, Instant now) {
    if (settings.lendThousandths() == 0 || settings.mode() == PlanMode.SHADOW) {
      return Loans.NONE;
    }
    Map<LinkId, Ledger> ledgers = new HashMap<>();
    for (Link link : settings.plannable(full).links()) {
      ledgers.put(link.id(), new Ledger(link.capacity().millibitsPerSecond()));
    }
    settings
        .lendable(full)
        .links()
        .forEach(link -> ledger(ledgers, link.id()).limit = link.capacity().millibitsPerSecond());
    List<ConversationId> borrowers = new ArrayList<>();
    directives
        .routes()
        .forEach(
            (id, route) -> {
              UsageWindow window = usage.getOrDefault(id, new UsageWindow());
              boolean borrows = window.isHungry(now) && mayBorrow.test(id);
              long rate = rate(directives, id);
              long left = left(rate, window.freePeak(now));
              for (LinkId hop : route.path().hops()) {
                ledger(ledgers, hop).enter(rate, left, borrows);
              }
              if (borrows) {
                borrowers.add(id);
              }
            });
    return divide(borrowers, directives, ledgers);
  }

  private static long rate(Directives directives, ConversationId id) {
    Pace pace = directives.paces().get(id);
    return pace == null ? 0 : pace.rate().millibitsPerSecond();
  }

  private static long left(long rate, OptionalLong peak) {
    return peak.isEmpty() ? 0 : Math.max(0, rate - (long) (peak.getAsLong() * MARGIN));
  }

  private static Loans divide(
      List<ConversationId> borrowers, Directives directives, Map<LinkId, Ledger> ledgers) {
    Map<ConversationId, DataRate> rates = new TreeMap<>();
    for (ConversationId id : borrowers) {
      Route route = directives.routes().get(id);
      if (route == null) {
        continue;
      }
      double part = 1;
      for (LinkId hop : route.path().hops()) {
        part = Math.min(part, ledger(ledgers, hop).part());
      }
      long rate = (long) (rate(directives, id) * (Math.floor(part / STEP) * STEP));
      if (rate > 0) {
        rates.put(id, DataRate.ofMillibitsPerSecond(rate));
        route.path().hops().forEach(hop -> ledger(ledgers, hop).lent += rate);
      }
    }
    Map<LinkId, DataRate> beyond = new TreeMap<>();
    ledgers.forEach(
        (link, ledger) -> {
          if (ledger.lent > ledger.free()) {
            beyond.put(link, DataRate.ofMillibitsPerSecond(ledger.lent - ledger.free()));
          }
        });
    return Loans.of(rates, beyond);
  }

  private static Ledger ledger(Map<LinkId, Ledger> ledgers, LinkId link) {
    // A link that has just gone carries nothing, and lends nothing.
    return ledgers.computeIfAbsent(link, l -> new Ledger(0));
  }

  /** One link's sums, in millibits per second. */
  private static final class Ledger {
    final long plannable;
    long limit;
    long granted;
    long left;
    long borrowersGrants;
    long lent;

    Ledger(long plannable) {
      this.plannable = plannable;
    }

    void enter(long grant, long leftOfIt, boolean borrows) {
      granted += grant;
      left += leftOfIt;
      borrowersGrants += borrows ? grant : 0;
    }

    long free() {
      return Math.max(0, plannable - granted);
    }

    double part() {
      return borrowersGrants == 0 ? 1 : (double) (free() + Math.min(limit, left)) / borrowersGrants;
    }
  }
}
