package org.paceline.control.rollout;

import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.paceline.control.directive.Directives;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Counters;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Proof;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Keeps the loans true to what is measured ({@link Lending}), the pools to both ({@link Pooling}),
 * and the proofs to them.
 */
public final class Lender {
  private final PlannerPorts ports;
  private final ProofBook book;
  private final Lending lending = new Lending(this::mostLent);
  private volatile Loans loans = Loans.NONE;
  private volatile Pools pools = Pools.NONE;

  public Lender(PlannerPorts ports, ProofBook book) {
    this.ports = ports;
    this.book = book;
  }

  /**
   * A rate that is fixed is not more while others leave theirs unused, and neither is what the
   * policy allows at most.
   */
  private double most(ConversationId id) {
    return book.find(id)
        .map(Proof::requested)
        .filter(policy -> policy.scheme().value() == SchemeName.UTILITY_FAIR)
        .map(Lender::most)
        .orElse(0.0);
  }

  /**
   * Who shares a pool borrows at the kernel's speed, and needs no loan for it. A meter lets a whole
   * burst through each time that its rate changes, so whom one holds is lent nothing.
   */
  private double mostLent(ConversationId id) {
    return book.find(id)
        .map(Proof::conversation)
        .filter(c -> c.pool().isEmpty() && c.enforcement() == Enforcement.AGENT)
        .map(c -> most(id))
        .orElse(0.0);
  }

  private static double most(EffectivePolicy policy) {
    return policy
        .maximumRate()
        .map(most -> (double) most.value().millibitsPerSecond())
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** What is lent now; any thread may ask. */
  public Loans loans() {
    return loans;
  }

  /** What is measured stands in the proof already. */
  public void observe(Counters counters) {
    Instant now = ports.clock().instant();
    book.find(counters.id())
        .flatMap(Proof::measured)
        .ifPresent(sent -> lending.observe(counters.id(), now, sent, counters.installed()));
  }

  public void forget(ConversationId id) {
    lending.forget(id);
  }

  /** Who may borrow at the kernel's speed, besides what is lent; any thread may ask. */
  public Pools pools() {
    return pools;
  }

  /** Sizes the pools anew for these rates and what is lent. */
  public Pools pool(
      Directives directives, PlannerSettings settings, Map<ConversationId, Conversation> open) {
    Pools before = pools;
    Instant now = ports.clock().instant();
    Pools sized =
        settings.mode() == PlanMode.SHADOW
            ? Pools.NONE
            : new Pooling(settings.plannable(ports.network().current().network()))
                .pools(
                    directives,
                    loans,
                    open,
                    this::most,
                    (usage, id) -> lending.addTo(usage, id, now));
    pools = sized.ranked(ranks(sized));
    Set<ConversationId> changed = new HashSet<>(before.limits().keySet());
    changed.addAll(pools.limits().keySet());
    for (ConversationId id : changed) {
      if (before.limit(id) != pools.limit(id)) {
        book.change(id, p -> p.borrowsUpTo(DataRate.ofMillibitsPerSecond(pools.limit(id))));
      }
    }
    return pools;
  }

  private Map<ConversationId, Integer> ranks(Pools of) {
    Map<PoolId, Map<ConversationId, Double>> gains = new TreeMap<>();
    of.limits()
        .forEach(
            (id, most) ->
                book.find(id)
                    .ifPresent(
                        proof ->
                            proof
                                .conversation()
                                .pool()
                                .ifPresent(
                                    pool ->
                                        gains
                                            .computeIfAbsent(pool, p -> new TreeMap<>())
                                            .put(id, gain(proof, most)))));
    Map<ConversationId, Integer> ranks = new TreeMap<>();
    gains.values().forEach(together -> ranks.putAll(BorrowRanks.of(together)));
    return ranks;
  }

  /** Of what it borrows above its grant; nothing without one. */
  private static double gain(Proof proof, DataRate most) {
    UtilityFunction function = proof.requested().utilityFunction().value();
    return proof
        .computed()
        .map(grant -> function.steepestGain(grant.rate(), most, grant.delay()))
        .orElse(0.0);
  }

  /** Lends anew on top of these rates; empty where nothing changes. */
  public Optional<Loans> renew(Directives directives, PlannerSettings settings) {
    Loans before = loans;
    loans =
        lending.loans(
            directives, ports.network().current().network(), settings, ports.clock().instant());
    if (loans.equals(before)) {
      return Optional.empty();
    }
    Set<ConversationId> changed = new HashSet<>(before.rates().keySet());
    changed.addAll(loans.rates().keySet());
    changed.forEach(id -> book.change(id, p -> p.lent(loans.to(id))));
    return Optional.of(loans);
  }
}
