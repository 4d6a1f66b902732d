package org.paceline.control.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Pace;
import org.paceline.control.directive.RateDirective;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledRate;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/**
 * Agents of which conversations come and go, each told to hold less than it came with, and told
 * again now and then. One conversation stays for good, so that there is always one to answer for.
 */
final class AgentConductTest {
  private static final int TICKS_A_SECOND = 10;
  private static final DataRate MUCH = DataRate.ofKilobitsPerSecond(9_000);
  private static final ConversationId STAYS = ConversationId.of("h1", "stays");

  /** Any agent has so long; of the last conversation a look may come late. */
  private static final int CAUGHT_WITHIN = 2 * (int) AgentConduct.PATIENCE.toSeconds();

  private final AgentConduct conduct = new AgentConduct();
  private final Map<ConversationId, Conversation> open = new TreeMap<>();
  private final Map<ConversationId, Integer> ends = new HashMap<>();
  private final Set<ConversationId> pending = new HashSet<>();
  private final Deque<Told> onTheirWay = new ArrayDeque<>();
  private int tick;
  private long version;
  private int opened;

  /** Rates that were told at once. */
  private static final class Told {
    final int at;
    final long version;
    final Map<ConversationId, DataRate> rates;

    Told(int at, long version, Map<ConversationId, DataRate> rates) {
      this.at = at;
      this.version = version;
      this.rates = rates;
    }
  }

  /** What an agent says of a rate that it was told; empty where it says nothing. */
  private interface Answer {
    Optional<DataRate> to(ConversationId id, DataRate told);
  }

  private static Optional<DataRate> honest(ConversationId id, DataRate told) {
    return Optional.of(told);
  }

  /**
   * Whether it came into quarantine within so long.
   *
   * @param longest a conversation lasts, in tenths of a second
   * @param lateness of its answers, in tenths of a second
   */
  private boolean isCaught(Random random, int seconds, int longest, int lateness, Answer answer) {
    begin(STAYS, Integer.MAX_VALUE);
    for (int i = 0; i < 3; i++) {
      begin(random, longest);
    }
    for (tick = 0; tick < seconds * TICKS_A_SECOND; tick++) {
      List.copyOf(open.keySet()).stream()
          .filter(id -> ends.getOrDefault(id, 0) <= tick)
          .forEach(this::end);
      while (open.size() < 4) {
        begin(random, longest);
      }
      if (random.nextInt(2 * TICKS_A_SECOND) == 0) {
        pending.add(STAYS);
        pending.addAll(open.keySet());
      }
      tell(random);
      while (!onTheirWay.isEmpty() && onTheirWay.peek().at + lateness <= tick) {
        answer(onTheirWay.remove(), answer);
      }
      if (tick % TICKS_A_SECOND == 0) {
        conduct.look(Instant.EPOCH.plusMillis(tick * 100L), host -> true);
        if (conduct.isQuarantined("h1")) {
          return true;
        }
      }
    }
    return false;
  }

  private void begin(Random random, int longest) {
    begin(ConversationId.of("h1", "c" + opened++), tick + 1 + random.nextInt(longest));
  }

  private void begin(ConversationId id, int end) {
    ends.put(id, end);
    open.put(
        id,
        Conversation.builder()
            .id(id)
            .intent("")
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .firstSeen(Instant.EPOCH)
            .rateInForce(MUCH)
            .build());
    pending.add(id);
  }

  private void end(ConversationId id) {
    open.remove(id);
    pending.remove(id);
    conduct.closed(id);
  }

  /** Less each time, or more. */
  private void tell(Random random) {
    Map<Conversation, RateDirective> rates = new HashMap<>();
    Map<ConversationId, DataRate> byId = new HashMap<>();
    for (ConversationId id : pending) {
      Conversation conversation = open.get(id);
      if (conversation != null) {
        DataRate rate = DataRate.ofKilobitsPerSecond(100 + random.nextInt(4_000));
        rates.put(conversation, pace(id, rate));
        byId.put(id, rate);
      }
    }
    pending.clear();
    if (!rates.isEmpty()) {
      version++;
      conduct.told("h1", version, rates, Map.of());
      onTheirWay.add(new Told(tick, version, byId));
    }
  }

  private static Pace pace(ConversationId id, DataRate rate) {
    return Pace.of(SchemeName.UTILITY_FAIR, Directive.Reason.GRANTED, id, rate);
  }

  private void answer(Told told, Answer answer) {
    List<InstalledRate> said = new ArrayList<>();
    told.rates.forEach(
        (id, rate) ->
            answer
                .to(id, rate)
                .ifPresent(
                    holds ->
                        said.add(
                            open.containsKey(id)
                                ? InstalledRate.of(id, holds, "")
                                : InstalledRate.of(id, DataRate.ZERO, "It closed meanwhile."))));
    conduct.acknowledged("h1", told.version, said, Map.of());
  }

  @Property(tries = 200, seed = "20")
  void whoAnswersEverythingIsNeverCaughtHoweverLateAndHoweverShortItsConversations(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 200) int longest,
      @ForAll @IntRange(min = 0, max = 120) int lateness) {
    AgentConductTest network = new AgentConductTest();
    assertThat(network.isCaught(new Random(seed), 120, longest, lateness, AgentConductTest::honest))
        .isFalse();
  }

  @Property(tries = 200, seed = "20")
  void whoAnswersForOneConversationOnlyIsCaught(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 200) int longest,
      @ForAll @IntRange(min = 0, max = 60) int lateness) {
    AgentConductTest network = new AgentConductTest();
    assertThat(
            network.isCaught(
                new Random(seed),
                CAUGHT_WITHIN,
                longest,
                lateness,
                (id, told) -> id.equals(STAYS) ? Optional.of(told) : Optional.empty()))
        .isTrue();
  }

  /** Of half of them it answers properly. */
  @Property(tries = 200, seed = "20")
  void soIsWhoAnswersForSome(@ForAll long seed, @ForAll @IntRange(min = 1, max = 200) int longest) {
    AgentConductTest network = new AgentConductTest();
    assertThat(
            network.isCaught(
                new Random(seed),
                CAUGHT_WITHIN,
                longest,
                3,
                (id, told) -> id.hashCode() % 2 == 0 ? Optional.of(told) : Optional.empty()))
        .isTrue();
  }

  /** And ends them before anybody has waited for long. */
  @Property(tries = 200, seed = "20")
  void soIsWhoSaysOfAllButOneThatItHoldsMore(
      @ForAll long seed, @ForAll @IntRange(min = 5, max = 140) int longest) {
    AgentConductTest network = new AgentConductTest();
    assertThat(
            network.isCaught(
                new Random(seed),
                2 * CAUGHT_WITHIN,
                longest,
                1,
                (id, told) -> Optional.of(id.equals(STAYS) ? told : MUCH)))
        .isTrue();
  }

  /** Its agent was cut off before it could answer, and is not told of it again. */
  @Test
  void whatWasOnItsWayToAnAgentThatWasCutOffIsNotAwaitedForEver() {
    begin(STAYS, Integer.MAX_VALUE);
    tell(new Random(1));
    end(STAYS);
    conduct.returned("h1");
    for (int second = 0; second < 60; second++) {
      conduct.look(Instant.EPOCH.plusSeconds(second), host -> true);
    }
    assertThat(conduct.isQuarantined("h1")).isFalse();
  }

  /** Else it would stay in quarantine for what nobody asks it any more. */
  @Test
  void oneAnswerThatNeverCameIsAtonedForInTime() {
    begin(STAYS, Integer.MAX_VALUE);
    tell(new Random(1));
    end(STAYS);
    conduct.look(Instant.EPOCH, host -> true);
    int second = 0;
    while (!conduct.isQuarantined("h1") && second < 60) {
      conduct.look(Instant.EPOCH.plusSeconds(++second), host -> true);
    }
    assertThat(second).isBetween(14, 17);
    Duration probation = conduct.quarantines().get(0).probation();
    for (int more = 0; more <= probation.toSeconds() + 1; more++) {
      conduct.look(Instant.EPOCH.plusSeconds(++second), host -> true);
    }
    assertThat(conduct.isQuarantined("h1")).isFalse();
  }

  /** Chaos found agents in quarantine as soon as ONOS's clock had been two hours ahead. */
  @Test
  void aClockThatIsSteppedMakesNobodyOwe() {
    begin(STAYS, Integer.MAX_VALUE);
    tell(new Random(1));
    answer(onTheirWay.remove(), AgentConductTest::honest);
    conduct.look(Instant.EPOCH, host -> true);
    conduct.look(Instant.EPOCH.plus(Duration.ofHours(2)), host -> true);
    conduct.look(Instant.EPOCH, host -> true);
    pending.add(STAYS);
    tell(new Random(2));
    conduct.look(Instant.EPOCH.plusSeconds(1), host -> true);
    conduct.look(Instant.EPOCH.plusSeconds(2), host -> true);
    assertThat(conduct.isQuarantined("h1")).isFalse();
  }
}
