package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;

final class SafeOrderTest {
  /** 960 thousandths of 10 Mbit/s, and Link's ten-millionth. */
  private static final long USABLE = 9_600_000_000L + 960;

  /** Whatever comes and goes and however late answers are, the link is never overloaded. */
  @Property(tries = 200, seed = "20")
  void theSumOfRatesNeverExceedsTheLink(
      @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 9) Integer> steps) {
    live(new Office(), Office::conversation, steps, USABLE);
  }

  /** Nor do loans on top of the grants exceed it by more than may be lent. */
  @Property(tries = 60, seed = "20")
  void withLoansTheSumNeverExceedsTheLinkAndWhatMayBeLent(
      @ForAll @Size(max = 120) List<@IntRange(min = 0, max = 12) Integer> steps) {
    Office world = new Office(PlannerSettings.DEFAULT.toBuilder().lendThousandths(60).build());
    for (int i = 0; i < 40; i++) {
      world.open(Office.conversation(1 + i % 3, "m" + i, ""));
    }
    world.settle();
    live(world, Office::conversation, steps, USABLE + 600_000_000);
  }

  /** Nor does what they borrow of each other, whoever pauses. */
  @Property(tries = 100, seed = "20")
  void whereSomeBorrowTheSumNeverExceedsTheLink(
      @ForAll @Size(max = 120) List<@IntRange(min = 0, max = 12) Integer> steps) {
    live(new Office(), Office::pooled, steps, USABLE);
  }

  /**
   * Nor where they go two ways, each with a bottleneck of its own, and are led from one to the
   * other.
   */
  @Property(tries = 10, seed = "21")
  void onTwoWaysWhatSomeBorrowExceedsNeither(
      @ForAll @Size(max = 80) List<@IntRange(min = 0, max = 12) Integer> steps) {
    Office world = new Office();
    world.state = OfficeNetwork.twoWays(6_000, 10_000);
    live(world, Office::pooled, steps, () -> bothWaysHaveRoom(world));
  }

  /**
   * One conversation of h1 and one of h3 change their ways for each other's. Each comes as one who
   * may borrow all of its pool, for which there is no room while the other is there.
   */
  @Test
  void whoChangesPlacesDoesNotWaitForTheOthersPool() {
    String steps =
        "2 2 2 7 3 1 5 9 3 11 7 5 10 3 5 4 11 6 1 6 7 4 1 6 4 2 9 11 4 4 2 0 10 3 11 7 4 12 11 9 6"
            + " 10 11 8 12 0 4 2 7 9 6 3 7 4 5 5 10 12 4 1 7 4 10 10 4 8 11 8 4 11 11 12 4 11 11 2"
            + " 12 11 2 8 2 0 3 8 7 5 11";
    Office world = new Office();
    world.state = OfficeNetwork.twoWays(6_000, 10_000);
    live(
        world,
        Office::pooled,
        Stream.of(steps.split(" ")).map(Integer::valueOf).collect(Collectors.toList()),
        () -> bothWaysHaveRoom(world));
  }

  private static void bothWaysHaveRoom(Office world) {
    for (Link link : PlannerSettings.DEFAULT.usable(world.state.network()).links()) {
      if (link.from().startsWith("s") && link.to().startsWith("s")) {
        assertThat(world.mostSent(link.id()))
            .as("%s", link.id())
            .isLessThanOrEqualTo(link.limitMillibits());
      }
    }
  }

  /** Else the property above would say little. */
  @Test
  void bothWaysAreUsedAndBorrowedFrom() {
    Office world = new Office();
    world.state = OfficeNetwork.twoWays(6_000, 10_000);
    for (int i = 0; i < 12; i++) {
      world.open(Office.pooled(1 + i % 3, "n" + i, i % 2 == 0 ? "" : "files/copy"));
    }
    world.settle();
    for (int second = 0; second < 5; second++) {
      world.report(id -> id.host().equals("h1") ? 0.3 : 1);
      bothWaysHaveRoom(world);
    }
    assertThat(world.mostSent(LinkId.of("s1", "s2"))).isGreaterThan(5_000_000_000L);
    assertThat(world.mostSent(LinkId.of("s1", "s3"))).isGreaterThan(8_000_000_000L);
    assertThat(world.borrowing.keySet().stream().map(ConversationId::host).distinct())
        .as("hosts that borrow")
        .hasSize(3);
  }

  /**
   * Nor is what a pool sends already lent to those who have none: whoever leaves some of its rate
   * for long, the link carries what is sent then.
   */
  @Property(tries = 60, seed = "20")
  void besidePoolsLoansAreOfWhatNoPoolSends(
      @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 0, max = 7) Integer> idle) {
    Office world = new Office(PlannerSettings.DEFAULT.toBuilder().lendThousandths(60).build());
    for (int i = 0; i < 40; i++) {
      int host = 1 + i % 3;
      world.open(
          host == 1 ? Office.pooled(1, "m" + i, "") : Office.conversation(host, "m" + i, ""));
    }
    world.settle();
    for (int hosts : idle) {
      ToDoubleFunction<ConversationId> part =
          id -> (hosts >> (id.host().charAt(1) - '1') & 1) == 1 ? 0.1 : 1;
      for (int second = 0; second < 14; second++) {
        world.report(part);
        assertThat(world.sentBesidePools(part)).isLessThanOrEqualTo(USABLE);
      }
    }
  }

  private interface Kind {
    Conversation of(int host, String id, String intent);
  }

  private static void live(Office world, Kind kind, List<Integer> steps, long most) {
    live(world, kind, steps, () -> assertThat(world.mostSent()).isLessThanOrEqualTo(most));
  }

  private static void live(Office world, Kind kind, List<Integer> steps, Runnable check) {
    int opened = 0;
    int closed = 0;
    for (int step : steps) {
      if (step < 4) {
        world.open(kind.of(1 + step % 3, "n" + opened++, step % 2 == 0 ? "" : "files/copy"));
      } else if (step == 4 && closed < opened) {
        String local = "n" + closed++;
        world.proofs.all().stream()
            .map(proof -> proof.conversation().id())
            .filter(id -> id.local().equals(local))
            .findFirst()
            .ifPresent(world::close);
      } else if (step == 5) {
        world.worker.pass(Duration.ofMillis(600));
      } else if (step < 8) {
        world.worker.pass(Duration.ofMillis(5));
      } else if (step > 9) {
        int idle = step - 9;
        world.report(id -> id.host().endsWith(String.valueOf(idle)) ? 0.3 : 1);
      } else if (!world.onTheirWay.isEmpty()) {
        // Of one host in their order; but hosts do not wait for each other.
        String host = (step == 8 ? world.onTheirWay.getFirst() : world.onTheirWay.getLast()).host;
        world.onTheirWay.stream()
            .filter(batch -> batch.host.equals(host))
            .findFirst()
            .ifPresent(world::deliver);
        world.worker.pass(Duration.ofMillis(1));
      }
      check.run();
    }
    world.settle();
    check.run();
    world
        .planner
        .plan()
        .grants()
        .forEach(
            (id, grant) ->
                assertThat(world.enforced.get(id))
                    .isEqualTo(
                        grant.rate().millibitsPerSecond()
                            + world.planner.loans().to(id).millibitsPerSecond()));
    assertThat(world.borrowing.keySet())
        .as("who may borrow does, once all is told")
        .isEqualTo(world.planner.pools().limits().keySet());
    world
        .borrowing
        .keySet()
        .forEach(id -> assertThat(world.ranks.get(id)).isEqualTo(world.planner.pools().rank(id)));
    world
        .planner
        .pools()
        .rates()
        .forEach(
            (pool, rate) -> assertThat(world.pools.get(pool)).isEqualTo(rate.millibitsPerSecond()));
  }
}
