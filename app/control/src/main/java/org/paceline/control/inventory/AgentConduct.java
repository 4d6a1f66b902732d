package org.paceline.control.inventory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.control.directive.RateDirective;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.PoolId;
import org.paceline.intents.unit.DataRate;

/**
 * Which agents keep to what they are told. Others wait for the room that an agent is to make, so
 * one that does not make it is waited for only so long: then it is in quarantine until it has kept
 * to its rates for a while.
 *
 * <p>The end of a conversation ends no debt. An agent answers every rate that it is told, in the
 * order in which it is told them, also of a conversation that is over by then. So what it has not
 * answered it goes on owing, however many others it answers, and an honest one ends that within
 * seconds, however short its conversations are. Where it said that it holds more, it owes of the
 * next one what it owed of that.
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

    /** Of conversations that are over, what it was told and has not answered. */
    final Map<ConversationId, List<ToldRate>> unanswered = new HashMap<>();

    /** What it owed of conversations that are over, where no answer of its can end that. */
    Duration inherited = Duration.ZERO;

    /** Whether it has got out of a debt since the last look. */
    boolean gotOut;

    /** For how long it has owed nothing. */
    Duration good = Duration.ZERO;

    /** Of its last quarantine; zero where that is forgotten. */
    Duration probation = Duration.ZERO;

    Optional<Quarantine> quarantine = Optional.empty();

    Stream<ToldRate> all() {
      return Stream.concat(
          Stream.of(rates, pools).flatMap(some -> some.values().stream()),
          unanswered.values().stream().flatMap(List::stream));
    }

    boolean owes() {
      return all().anyMatch(one -> !one.owing().isZero());
    }

    void dropUnanswered(Predicate<ToldRate> which) {
      unanswered.values().forEach(some -> some.removeIf(which));
      unanswered.values().removeIf(List::isEmpty);
    }

    /** It can answer none of them any more. */
    void endUnanswered() {
      for (List<ToldRate> some : unanswered.values()) {
        for (ToldRate one : some) {
          inherited = ToldRate.max(inherited, one.owing());
          gotOut = true;
        }
      }
      unanswered.clear();
    }

    boolean isForgotten() {
      return rates.isEmpty()
          && pools.isEmpty()
          && unanswered.isEmpty()
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
          one -> {
            Optional.ofNullable(agent.rates.get(one.id()))
                .ifPresent(told -> told.acknowledged(version, one.rate().millibitsPerSecond()));
            Optional.ofNullable(agent.unanswered.get(one.id()))
                .ifPresent(
                    some -> {
                      some.forEach(told -> told.acknowledged(version, 0));
                      some.removeIf(told -> !told.awaitsAnswer());
                    });
          });
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
              // It may not have heard of these either, and is not told of them again.
              agent.endUnanswered();
            });
  }

  /** The agent is given up, with all conversations of its host. */
  void gone(String host) {
    Optional.ofNullable(agents.get(host))
        .ifPresent(
            agent -> {
              agent.pools.clear();
              agent.endUnanswered();
            });
  }

  /** It is to hold this no longer, whatever it was told. */
  void takenBack(ConversationId id) {
    Optional.ofNullable(agents.get(id.host())).ifPresent(agent -> agent.rates.remove(id));
  }

  /** The conversation is over. */
  void closed(ConversationId id) {
    Optional.ofNullable(agents.get(id.host()))
        .ifPresent(
            agent -> Optional.ofNullable(agent.rates.remove(id)).ifPresent(t -> end(agent, id, t)));
  }

  private static void end(Agent agent, ConversationId id, ToldRate told) {
    if (told.awaitsAnswer()) {
      agent.unanswered.computeIfAbsent(id, i -> new ArrayList<>()).add(told);
    }
    if (told.holdsMore() || told.isToBeToldAgain()) {
      agent.inherited = ToldRate.max(agent.inherited, told.owing());
      agent.gotOut |= told.holdsMore();
    }
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
    // A clock that is stepped, either way, says nothing of agents.
    Duration since =
        ToldRate.max(
            lookedAt.map(at -> Duration.between(at, now)).orElse(Duration.ZERO), Duration.ZERO);
    Duration time = ToldRate.min(since, LONGEST_LOOK);
    lookedAt = Optional.of(now);
    agents.forEach((host, agent) -> look(host, agent, now, time, isAttached.test(host)));
    agents.values().removeIf(Agent::isForgotten);
  }

  private static void look(
      String host, Agent agent, Instant now, Duration time, boolean isAttached) {
    if (isAttached) {
      agent.all().forEach(one -> one.pass(time, agent.inherited, PATIENCE));
    }
    if (agent.gotOut) {
      agent.inherited = ToldRate.min(agent.inherited.plus(time), PATIENCE);
    } else if (agent.all().noneMatch(ToldRate::isDue)) {
      agent.inherited = ToldRate.minus(agent.inherited, time);
    }
    agent.gotOut = false;
    // Agents name interfaces as they like.
    agent.pools.values().removeIf(ToldRate::isOver);
    agent.good = agent.owes() ? Duration.ZERO : agent.good.plus(time);
    Optional<Quarantine> fault = fault(host, agent, now);
    if (isAttached) {
      // Nobody tells it of these again: those that have been waited for count no further.
      agent.dropUnanswered(one -> isOverdue(one) || one.isPaid());
    }
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

  private static Optional<Quarantine> fault(String host, Agent agent, Instant now) {
    Optional<Quarantine> ofRates =
        Stream.concat(
                agent.rates.entrySet().stream(),
                agent.unanswered.entrySet().stream()
                    .flatMap(
                        some -> some.getValue().stream().map(o -> Map.entry(some.getKey(), o))))
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
