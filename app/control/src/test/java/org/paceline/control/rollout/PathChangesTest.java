package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.paceline.control.Nobody;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.RateDirective;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.RateSender;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/**
 * Plans that move conversations between full links, with answers of hosts that come in any order.
 */
final class PathChangesTest {
  private static final int WAYS = 4;
  private static final long CAPACITY = 10_000_000_000L;

  private final World world = new World();

  @Test
  void whoMovesWaitsForTheRoomThatSomebodyElseGivesUp() {
    world.aim(Map.of("a", grant(0, 8), "b", grant(1, 8)));
    world.settle(new Random(1));
    world.aim(Map.of("a", grant(1, 5), "b", grant(1, 5)));
    // Both were told to yield. Until b has, nothing of a may come its way.
    assertThat(world.onTheWay).isEmpty();
    world.settle(new Random(1));
  }

  @Test
  void twoThatChangePlacesOnFullLinksYieldMoveAndRiseAgain() {
    world.aim(Map.of("a", grant(0, 10), "b", grant(1, 10)));
    world.settle(new Random(1));
    world.aim(Map.of("a", grant(1, 10), "b", grant(0, 10)));
    world.settle(new Random(1));
    assertThat(world.rates.get(id("a"))).isEqualTo(CAPACITY);
  }

  @Test
  void whoHasNoWayLeftGoesThoughAHostThatHoldsTheRoomDoesNotAnswer() {
    world.aim(Map.of("a", grant(0, 10), "b", grant(1, 10)));
    world.settle(new Random(1));
    world.cut(0);
    world.silent.add(id("b").host());
    world.aim(Map.of("a", grant(1, 5), "b", grant(1, 5)));
    world.some(new Random(1), 1);
    assertThat(world.onTheWay).isEmpty();
    world.giveUpWaiting("b");
    assertThat(world.onTheWay.keySet()).containsExactly(id("a"));
  }

  /** A circle of three, links that fill to the brim, cuts: whatever comes, no sum is exceeded. */
  @Property(tries = 300, seed = "20")
  void atNoMomentDoTheRatesOnALinkExceedItAndThePlanComesTrue(@ForAll long seed) {
    World any = new World();
    Random random = new Random(seed);
    for (int plan = 0; plan < 6; plan++) {
      any.mendAll();
      if (random.nextInt(4) == 0) {
        any.cut(random.nextInt(WAYS));
      }
      any.aim(full(random, any.broken));
      any.some(random, random.nextInt(12));
    }
    any.settle(random);
  }

  /** Shares of every link that is whole, which together fill it. */
  private static Map<String, Grant> full(Random random, Set<Integer> broken) {
    Map<Integer, List<String>> byWay = new TreeMap<>();
    for (int i = 0; i < 7; i++) {
      int way = random.nextInt(WAYS);
      while (broken.contains(way)) {
        way = random.nextInt(WAYS);
      }
      byWay.computeIfAbsent(way, w -> new ArrayList<>()).add("n" + i);
    }
    Map<String, Grant> grants = new TreeMap<>();
    byWay.forEach(
        (way, names) -> {
          int left = 1_000;
          for (int i = 0; i < names.size(); i++) {
            int others = names.size() - 1 - i;
            int share = others == 0 ? left : 1 + random.nextInt(left - others);
            left -= share;
            grants.put(names.get(i), millis(way, CAPACITY / 1_000 * share));
          }
        });
    return grants;
  }

  private static Grant grant(int way, long mbit) {
    return millis(way, mbit * 1_000_000_000L);
  }

  private static Grant millis(int way, long rate) {
    return Grant.of(
        "x",
        1,
        DataRate.ofMillibitsPerSecond(rate),
        Latency.ofMillis(50),
        Utility.of(3),
        path(way));
  }

  private static Path path(int way) {
    return Path.of(List.of("s", "m" + way, "t"));
  }

  private static ConversationId id(String name) {
    return ConversationId.of("host-of-" + name, name);
  }

  /** Hosts that do what they are told some time before they say so, switches likewise. */
  private static final class World {
    final Map<ConversationId, Conversation> open = new TreeMap<>();
    final Map<ConversationId, Long> rates = new HashMap<>();
    final Map<ConversationId, Path> ways = new HashMap<>();
    final Map<ConversationId, Path> onTheWay = new HashMap<>();
    final List<Runnable> answers = new ArrayList<>();

    /** Of each host in their order. */
    final Map<String, Deque<Runnable>> batches = new HashMap<>();

    final Set<Integer> broken = new HashSet<>();
    final Set<String> silent = new HashSet<>();
    Map<ConversationId, Grant> wanted = Map.of();
    final Rollout rollout =
        new Rollout(
            new Hosts(),
            new Nobody.NoJournal(),
            this::lead,
            Runnable::run,
            this::step,
            path -> true);

    World() {
      limit();
    }

    void cut(int way) {
      broken.add(way);
      limit();
    }

    void mendAll() {
      broken.clear();
      limit();
    }

    void giveUpWaiting(String name) {
      assertThat(rollout.gaveUpWaiting(id(name).host(), rollout.version())).isTrue();
      step();
    }

    private void limit() {
      List<Link> links = new ArrayList<>();
      List<String> nodes = new ArrayList<>(List.of("s", "t"));
      LinkDelay delay = LinkDelay.constant(Latency.ofMillis(1));
      for (int way = 0; way < WAYS; way++) {
        nodes.add("m" + way);
        if (!broken.contains(way)) {
          links.add(Link.of("s", "m" + way, DataRate.ofMillibitsPerSecond(CAPACITY), delay));
          links.add(Link.of("m" + way, "t", DataRate.ofMillibitsPerSecond(CAPACITY), delay));
        }
      }
      Network network = Network.of(nodes, links);
      rollout.limitTo(network, network);
    }

    void aim(Map<String, Grant> grants) {
      Map<ConversationId, Grant> all = new TreeMap<>();
      Set<ConversationId> moved = new HashSet<>();
      grants.forEach(
          (name, grant) -> {
            all.put(id(name), grant);
            open.computeIfAbsent(id(name), World::silentSender);
            if (!Optional.ofNullable(wanted.get(id(name)))
                .map(Grant::path)
                .equals(Optional.of(grant.path()))) {
              moved.add(id(name));
            }
          });
      wanted = all;
      rollout.aimAt(
          Directives.of(SchemeName.UTILITY_FAIR, Directive.Reason.GRANTED, all),
          moved,
          open,
          (conversation, path) -> PathChanges.links(path));
      step();
    }

    private static Conversation silentSender(ConversationId id) {
      return Conversation.builder()
          .id(id)
          .intent("")
          .localAddress("10.0.0.1")
          .remoteAddress("10.0.0.2")
          .firstSeen(Instant.EPOCH)
          .rateInForce(DataRate.ZERO)
          .build();
    }

    private void step() {
      rollout.step(open, Instant.EPOCH);
      holds();
    }

    private CompletableFuture<Void> lead(ConversationId id, Path path) {
      onTheWay.put(id, path);
      CompletableFuture<Void> arrival = new CompletableFuture<>();
      answers.add(
          () -> {
            ways.put(id, path);
            onTheWay.remove(id);
            arrival.complete(null);
          });
      return arrival;
    }

    private final class Hosts implements RateSender {
      @Override
      public void send(
          String host,
          long version,
          Map<Conversation, RateDirective> told,
          Map<PoolId, DataRate> pools) {
        Map<Conversation, RateDirective> batch = Map.copyOf(told);
        if (silent.contains(host)) {
          return;
        }
        Deque<Runnable> ofHost = batches.computeIfAbsent(host, h -> new ArrayDeque<>());
        answers.add(() -> ofHost.remove().run());
        ofHost.add(
            () -> {
              List<InstalledRate> installed = new ArrayList<>();
              batch.forEach(
                  (one, directive) -> {
                    rates.put(one.id(), directive.rate().millibitsPerSecond());
                    installed.add(InstalledRate.of(one.id(), directive.rate(), ""));
                  });
              holds();
              rollout.acknowledged(host, version, installed, Map.of());
              rollout.step(open, Instant.EPOCH);
            });
      }

      @Override
      public void takeBack(String host, long version, Collection<Conversation> conversations) {}

      @Override
      public void endQuarantine(Conversation conversation) {}

      @Override
      public void release(Conversation conversation) {}

      @Override
      public void refuse(Conversation conversation, Unserved why) {}
    }

    /** On every link, of whoever takes it or may take it already. */
    private void holds() {
      Map<LinkId, Long> sums = new HashMap<>();
      rates.forEach(
          (id, rate) -> {
            Set<LinkId> links = new HashSet<>();
            Optional.ofNullable(ways.get(id)).ifPresent(path -> links.addAll(path.hops()));
            Optional.ofNullable(onTheWay.get(id)).ifPresent(path -> links.addAll(path.hops()));
            links.forEach(link -> sums.merge(link, rate, Long::sum));
          });
      sums.forEach(
          (link, sum) -> {
            boolean whole = broken.stream().noneMatch(way -> link.toString().contains("m" + way));
            if (whole && silent.isEmpty()) {
              assertThat(sum).as("%s", link).isLessThanOrEqualTo(CAPACITY + CAPACITY / 10_000_000);
            }
          });
    }

    void some(Random random, int count) {
      for (int i = 0; i < count && !answers.isEmpty(); i++) {
        answers.remove(random.nextInt(answers.size())).run();
        holds();
      }
    }

    void settle(Random random) {
      for (int i = 0; i < 2_000 && !answers.isEmpty(); i++) {
        some(random, 1);
      }
      assertThat(answers).isEmpty();
      wanted.forEach(
          (id, grant) -> {
            assertThat(rates.get(id)).isEqualTo(grant.rate().millibitsPerSecond());
            assertThat(ways.get(id)).isEqualTo(grant.path());
          });
    }
  }
}
