package org.paceline.control.inventory;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.paceline.control.directive.RateDirective;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.PoolId;
import org.paceline.intents.unit.DataRate;

/**
 * Which agents keep to what they are told. Others wait for the room that an agent is to make, so
 * one that does not make it is waited for only so long: then it is in quarantine until it has kept
 * to its rates for a while. Of one thing alone it need not owe: what it owed of a conversation that
 * it closes it owes of the next one.
 *
 * <p>Time counts while the agent is attached, and as the controller sees it: one that stood still
 * itself has heard nothing. Belongs to the worker's thread.
 */
final class AgentConduct {
  /**
   * An agent beside a processor that is taken answers within seconds. One that says nothing at all,
   * such as of a host that sleeps, is taken for gone before (10 s, looked at each 2 s).
   */
  static final Duration PATIENCE = Duration.ofSeconds(15);

  /** The first time; twice as long each time that it comes again soon. */
  static final Duration PROBATION = Duration.ofSeconds(60);

  static final Duration LONGEST_PROBATION = Duration.ofHours(1);

  /** Between two looks; beyond it the controller was held up. */
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(5);

  /** In millibits per second: nobody is told less than one bit. */
  private static final long LEAST = 1_000;

  private final Map<String, Agent> agents = new TreeMap<>();
  private Optional<Instant> lookedAt = Optional.empty();

  private static final class Agent {
    final Map<ConversationId, ToldRate> rates = new HashMap<>();
    final Map<PoolId, ToldRate> pools = new HashMap<>();

    /** What it owed of conversations that are over. */
    Duration inherited = Duration.ZERO;

    /** For how long it has owed nothing. */
    Duration good = Duration.ZERO;

    /** Of its last quarantine; zero where that is forgotten. */
    Duration probation = Duration.ZERO;

    Optional<Quarantine> quarantine = Optional.empty();

    boolean owes() {
      return rates.values().stream().anyMatch(one -> !one.owing().isZero())
          || pools.values().stream().anyMatch(one -> !one.owing().isZero());
    }

    boolean isForgotten() {
      return rates.isEmpty()
          && pools.isEmpty()
          && quarantine.isEmpty()
          && probation.isZero()
          && inherited.isZero();
    }
  }

  /** Rates go to an agent; those that only switches are told are left out. */
  void told(
      String host,
      long version,
      Map<Conversation, RateDirective> rates,
      Map<PoolId, DataRate> pools) {
    Agent agent = agents.computeIfAbsent(host, h -> new Agent());
    rates.forEach(
        (conversation, directive) -> {
          if (!conversation.isMetered() || conversation.isQuarantined()) {
            agent
                .rates
                .computeIfAbsent(
                    conversation.id(),
                    id -> new ToldRate(conversation.rateInForce().millibitsPerSecond()))
                .tell(version, Math.max(LEAST, directive.rate().millibitsPerSecond()));
          }
        });
    pools.forEach(
        (pool, rate) ->
            agent
                .pools
                .computeIfAbsent(pool, id -> new ToldRate(0))
                .tell(version, rate.millibitsPerSecond()));
  }

  void acknowledged(
      String host, long version, List<InstalledRate> rates, Map<PoolId, DataRate> pools) {
    Agent agent = agents.get(host);
    if (agent != null) {
      rates.forEach(
          one ->
              Optional.ofNullable(agent.rates.get(one.id()))
                  .ifPresent(told -> told.acknowledged(version, one.rate().millibitsPerSecond())));
      pools.forEach(
          (id, rate) ->
              Optional.ofNullable(agent.pools.get(id))
                  // Where nobody borrows, its size says nothing.
                  .ifPresent(
                      told ->
                          told.acknowledged(
                              version, told.told() == 0 ? 0 : rate.millibitsPerSecond())));
    }
  }

  /** What an agent says that it holds, between two changes. */
  void reported(ConversationId id, DataRate rate) {
    Optional.ofNullable(agents.get(id.host()))
        .map(agent -> agent.rates.get(id))
        .ifPresent(told -> told.reported(rate.millibitsPerSecond()));
  }

  /** The agent is new or back; whatever it owes is told it again. */
  void returned(String host) {
    Optional.ofNullable(agents.get(host))
        .ifPresent(
            agent -> {
              agent.rates.values().forEach(ToldRate::returned);
              agent.pools.values().forEach(ToldRate::returned);
            });
  }

  /** The agent is given up, with all conversations of its host. */
  void gone(String host) {
    Optional.ofNullable(agents.get(host)).ifPresent(agent -> agent.pools.clear());
  }

  /** It is to hold this no longer, whatever it was told. */
  void takenBack(ConversationId id) {
    Optional.ofNullable(agents.get(id.host())).ifPresent(agent -> agent.rates.remove(id));
  }

  /** The conversation is over. */
  void closed(ConversationId id) {
    Optional.ofNullable(agents.get(id.host()))
        .ifPresent(
            agent ->
                Optional.ofNullable(agent.rates.remove(id))
                    .ifPresent(
                        told -> agent.inherited = ToldRate.max(agent.inherited, told.owing())));
  }

  boolean isQuarantined(String host) {
    return Optional.ofNullable(agents.get(host)).flatMap(agent -> agent.quarantine).isPresent();
  }

  /** Ordered by host. */
  List<Quarantine> quarantines() {
    return agents.values().stream()
        .flatMap(agent -> agent.quarantine.stream())
        .collect(Collectors.toUnmodifiableList());
  }

  Set<String> quarantined() {
    return quarantines().stream().map(Quarantine::host).collect(Collectors.toUnmodifiableSet());
  }

  /** Nobody is told anything any more. */
  void clear() {
    agents.clear();
  }

  /**
   * Judges all anew; {@link #quarantined} says what has become of it. O(n) in rates.
   *
   * @param isAttached the others are not expected to answer
   */
  void look(Instant now, Predicate<String> isAttached) {
    Duration since = lookedAt.map(at -> Duration.between(at, now)).orElse(Duration.ZERO);
    Duration time = since.compareTo(LONGEST_LOOK) > 0 ? LONGEST_LOOK : since;
    lookedAt = Optional.of(now);
    agents.forEach((host, agent) -> look(host, agent, now, time, isAttached.test(host)));
    agents.values().removeIf(Agent::isForgotten);
  }

  private static void look(
      String host, Agent agent, Instant now, Duration time, boolean isAttached) {
    boolean comesOn = false;
    if (isAttached) {
      comesOn = pass(agent, agent.rates.values(), time);
      comesOn |= pass(agent, agent.pools.values(), time);
    }
    if (comesOn) {
      // Slow is not hostile, however short its conversations are.
      agent.inherited = Duration.ZERO;
    }
    if (agent.rates.values().stream().noneMatch(ToldRate::isDue)
        && agent.pools.values().stream().noneMatch(ToldRate::isDue)) {
      agent.inherited = ToldRate.minus(agent.inherited, time);
    }
    agent.good = agent.owes() ? Duration.ZERO : agent.good.plus(time);
    Optional<Quarantine> fault = fault(host, agent, now);
    if (agent.quarantine.isEmpty() && fault.isPresent()) {
      Duration twice = agent.probation.multipliedBy(2);
      agent.probation =
          agent.probation.isZero()
              ? PROBATION
              : twice.compareTo(LONGEST_PROBATION) > 0 ? LONGEST_PROBATION : twice;
      agent.quarantine = fault.map(one -> one.lasting(agent.probation));
    } else if (agent.good.compareTo(agent.probation) >= 0) {
      if (agent.quarantine.isPresent()) {
        agent.quarantine = Optional.empty();
      } else {
        agent.probation = Duration.ZERO;
      }
      agent.good = Duration.ZERO;
    }
  }

  /** Whether any of it was answered. */
  private static boolean pass(Agent agent, Collection<ToldRate> all, Duration time) {
    boolean comesOn = false;
    for (ToldRate one : all) {
      comesOn |= one.pass(time, agent.inherited, PATIENCE);
    }
    return comesOn;
  }

  private static Optional<Quarantine> fault(String host, Agent agent, Instant now) {
    Optional<Quarantine> ofRates =
        agent.rates.entrySet().stream()
            .filter(entry -> isOverdue(entry.getValue()))
            .findFirst()
            .map(e -> fault(host, "conversation " + e.getKey(), e.getValue(), now));
    return ofRates.or(
        () ->
            agent.pools.entrySet().stream()
                .filter(entry -> isOverdue(entry.getValue()))
                .findFirst()
                .map(e -> fault(host, "all on " + e.getKey().device(), e.getValue(), now)));
  }

  private static boolean isOverdue(ToldRate told) {
    return told.owing().compareTo(PATIENCE) >= 0;
  }

  private static Quarantine fault(String host, String what, ToldRate of, Instant now) {
    return Quarantine.of(
        host,
        of.holdsMore() ? Quarantine.Fault.HOLDS_MORE : Quarantine.Fault.NO_ANSWER,
        what,
        DataRate.ofMillibitsPerSecond(of.told()),
        DataRate.ofMillibitsPerSecond(of.held()),
        now);
  }
}
