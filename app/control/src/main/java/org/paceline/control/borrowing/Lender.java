package org.paceline.control.borrowing;

import java.time.Duration;
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
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Proof;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.problem.Grant;
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
  private final Lending lending = new Lending(this::mostLent, this::lends);
  private volatile Loans loans = Loans.NONE;
  private volatile Pools pools = Pools.NONE;

  public Lender(PlannerPorts ports, ProofBook book) {
    this.ports = ports;
    this.book = book;
  }

  /** What those of a pool leave, others of it may be sending already. */
  private boolean lends(ConversationId id) {
    return book.find(id).filter(proof -> proof.conversation().pool().isPresent()).isEmpty();
  }

  /**
   * Who shares a pool borrows at the kernel's speed, and needs no loan for it. A meter lets a whole
   * burst through each time that its rate changes, so whom one holds is lent nothing. Loans are
   * equal for all and last for seconds, so they would bend the ratio of service classes.
   */
  private double mostLent(ConversationId id) {
    return book.find(id)
        .filter(proof -> proof.conversation().pool().isEmpty())
        .filter(proof -> !proof.conversation().isMetered())
        .map(proof -> most(proof, Set.of(SchemeName.UTILITY_FAIR)))
        .orElse(0.0);
  }

  /** What is borrowed for single packets bends no ratio: it ends where its owner sends. */
  private double mostBorrowed(ConversationId id) {
    return book.find(id)
        .map(proof -> most(proof, Set.of(SchemeName.UTILITY_FAIR, SchemeName.SERVICE_CLASSES)))
        .orElse(0.0);
  }

  /**
   * A rate that is fixed is not more while others leave theirs unused, what is reserved is lent by
   * plans, and nothing is more than the policy allows at most.
   */
  private static double most(Proof proof, Set<SchemeName> schemes) {
    EffectivePolicy policy = proof.requested();
    if (!schemes.contains(policy.scheme().value())) {
      return 0;
    }
    return policy
        .maximumRate()
        .map(most -> (double) most.value().millibitsPerSecond())
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** What is lent now; any thread may ask. */
  public Loans loans() {
    return loans;
  }

  /**
   * What is measured stands in the proof already. Whom nobody holds leaves nothing of a rate, and
   * wants no more. What elephants leave others have by their queue, and need no loan for it.
   */
  public void observe(Counters counters) {
    Duration now = ports.worker().now();
    book.find(counters.id())
        .filter(proof -> proof.isHeld() && !proof.isPaced())
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
    Duration now = ports.worker().now();
    Pools sized =
        settings.mode() == PlanMode.SHADOW
            ? Pools.NONE
            : new Pooling(
                    kept(directives)
                        .within(settings.plannable(ports.network().current().network())))
                .pools(
                    directives,
                    loans,
                    open,
                    this::mostBorrowed,
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

  /** Of what it borrows above its grant; nothing without one. Those of classes are all alike. */
  private static double gain(Proof proof, DataRate most) {
    if (proof.requested().scheme().value() != SchemeName.UTILITY_FAIR) {
      return 0;
    }
    UtilityFunction function = proof.requested().utilityFunction().value();
    return proof
        .computed()
        .map(grant -> function.steepestGain(grant.rate(), most, grant.delay()))
        .orElse(0.0);
  }

  /** To those of other schemes a delay is worth nothing. */
  private KeptDelays kept(Directives directives) {
    return new KeptDelays(
        directives,
        id ->
            book.find(id)
                .filter(proof -> proof.requested().scheme().value() == SchemeName.UTILITY_FAIR)
                .flatMap(Proof::computed)
                .map(Grant::delay));
  }

  /** Lends anew on top of these rates; empty where nothing changes. */
  public Optional<Loans> renew(Directives directives, PlannerSettings settings) {
    Loans before = loans;
    loans =
        lending.loans(
            directives,
            ports.network().current().network(),
            settings,
            kept(directives),
            ports.worker().now());
    if (loans.equals(before)) {
      return Optional.empty();
    }
    Set<ConversationId> changed = new HashSet<>(before.rates().keySet());
    changed.addAll(loans.rates().keySet());
    changed.forEach(id -> book.change(id, p -> p.lent(loans.to(id))));
    return Optional.of(loans);
  }
}
