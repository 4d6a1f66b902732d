package org.paceline.allocator.elephant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.assertj.core.data.Offset;
import org.paceline.allocator.maxmin.WeightedFilling;
import org.paceline.allocator.maxmin.WeightedFlow;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

class IsolatedPathsTest {
  private static final int NODES = 6;
  private static final LinkDelay DELAY = LinkDelay.constant(Latency.ofMillis(1));

  /** Random links between few nodes, so that all paths can be listed. */
  private static final class World {
    final Random random;
    final Network network;
    final Map<LinkId, Long> others = new HashMap<>();
    final IsolatedPaths paths;

    World(long seed) {
      random = new Random(seed);
      List<String> nodes = new ArrayList<>();
      List<Link> links = new ArrayList<>();
      for (int n = 0; n < NODES; n++) {
        nodes.add("n" + n);
      }
      for (String from : nodes) {
        for (String to : nodes) {
          if (!from.equals(to) && random.nextInt(100) < 45) {
            DataRate capacity = DataRate.ofKilobitsPerSecond(1_000L * (1 + random.nextInt(3)));
            links.add(Link.of(from, to, capacity, DELAY));
            if (random.nextBoolean()) {
              others.put(
                  LinkId.of(from, to),
                  (long) (random.nextDouble() * capacity.millibitsPerSecond()));
            }
          }
        }
      }
      network = Network.of(nodes, links);
      paths = new IsolatedPaths(network, others);
    }

    /** Every fifth link cannot keep elephants apart. */
    boolean will(Link link) {
      return link.id().hashCode() % 5 != 0;
    }

    List<Path> all(String from, String to) {
      List<Path> all = new ArrayList<>();
      extend(List.of(from), to, all);
      return all;
    }

    private void extend(List<String> nodes, String to, List<Path> all) {
      String at = nodes.get(nodes.size() - 1);
      if (at.equals(to)) {
        all.add(Path.of(nodes));
        return;
      }
      for (Link link : network.outgoing(at)) {
        if (will(link) && !nodes.contains(link.to())) {
          List<String> longer = new ArrayList<>(nodes);
          longer.add(link.to());
          extend(longer, to, all);
        }
      }
    }

    long hurt(Path path) {
      return path.hops().stream().mapToLong(hop -> paths.hurt(link(hop))).sum();
    }

    long width(Path path) {
      return path.hops().stream().mapToLong(hop -> paths.width(link(hop))).min().orElseThrow();
    }

    Link link(LinkId hop) {
      return network.link(hop).orElseThrow();
    }
  }

  @Property(tries = 500, seed = "20")
  void noOtherPathHurtsLessNorIsWiderNorShorter(@ForAll long seed) {
    World world = new World(seed);
    for (int elephant = 0; elephant < 4; elephant++) {
      String from = "n" + world.random.nextInt(NODES);
      String to = "n" + world.random.nextInt(NODES);
      if (from.equals(to)) {
        continue;
      }
      Optional<Path> best =
          world.all(from, to).stream()
              .min(
                  Comparator.comparingLong(world::hurt)
                      .thenComparing(world::width, Comparator.reverseOrder())
                      .thenComparing(path -> path.hops().size())
                      .thenComparing(Path::toString));
      Optional<Path> chosen = world.paths.choose(from, to, Optional.empty(), world::will);
      assertThat(chosen).isEqualTo(best);
      assertThat(world.paths.choose(from, to, chosen, world::will)).isEqualTo(chosen);
      if (world.random.nextBoolean()) {
        chosen.ifPresent(world.paths::take);
      } else {
        chosen.ifPresent(path -> world.paths.take(path, world.random.nextInt(2_000_000_000)));
      }
    }
  }

  /** By the filling that says what elephants are granted. */
  @Property(tries = 500, seed = "20")
  void aLinkIsAsWideAsWhatOneMoreWouldBeGranted(
      @ForAll @IntRange(max = 900_000) int others,
      @ForAll @Size(max = 3) List<@IntRange(min = 1, max = 300_000) Integer> promises,
      @ForAll @IntRange(max = 3) int elephants) {
    Link link = link("a", "b");
    Path path = Path.of(List.of("a", "b"));
    long left = link.capacity().millibitsPerSecond() - others * 1_000L;
    IsolatedPaths paths =
        new IsolatedPaths(
            Network.of(List.of("a", "b"), List.of(link)), Map.of(link.id(), others * 1_000L));
    List<WeightedFlow> flows = new ArrayList<>();
    long promised = 0;
    for (int promise : promises) {
      if (promised + promise * 1_000L <= left) {
        promised += promise * 1_000L;
        paths.take(path, promise * 1_000L);
        flows.add(
            WeightedFlow.builder("circuit " + flows.size(), path.hops())
                .least(DataRate.ofMillibitsPerSecond(promise * 1_000L))
                .build());
      }
    }
    for (int elephant = 0; elephant < elephants; elephant++) {
      paths.take(path);
      flows.add(WeightedFlow.builder("elephant " + elephant, path.hops()).build());
    }
    flows.add(WeightedFlow.builder("one more", path.hops()).build());
    DataRate granted =
        Objects.requireNonNull(
            WeightedFilling.fill(Map.of(link.id(), left), flows).rates().get("one more"));
    assertThat(paths.width(link)).isCloseTo(granted.millibitsPerSecond(), Offset.offset(2L));
  }

  @Property(tries = 300, seed = "20")
  void aPathIsLeftOnlyForAClearlyBetterOne(@ForAll long seed) {
    World world = new World(seed);
    for (Path before : world.all("n0", "n1")) {
      Path after = world.paths.choose("n0", "n1", Optional.of(before), world::will).orElseThrow();
      if (!after.equals(before)) {
        long less = world.hurt(before) - world.hurt(after);
        assertThat(less).isNotNegative();
        assertThat(less >= 2 || world.width(after) >= 2 * world.width(before)).isTrue();
      }
    }
  }

  @Example
  void callsKeepTheShortWayAndBulkGoesRoundUntilTheWayIsGone() {
    Network diamond =
        Network.of(
            List.of("a", "s", "t", "u", "b"),
            List.of(
                link("a", "s"), link("s", "b"), link("s", "t"), link("t", "u"), link("u", "b")));
    IsolatedPaths paths = new IsolatedPaths(diamond, Map.of(LinkId.of("s", "b"), 500_000_000L));
    Path round = Path.of(List.of("a", "s", "t", "u", "b"));
    assertThat(paths.choose("a", "b", Optional.empty(), any -> true)).contains(round);
    assertThat(
            new IsolatedPaths(diamond.without(LinkId.of("t", "u")), Map.of())
                .choose("a", "b", Optional.of(round), any -> true))
        .contains(Path.of(List.of("a", "s", "b")));
  }

  private static Link link(String from, String to) {
    return Link.of(from, to, DataRate.ofKilobitsPerSecond(1_000), DELAY);
  }
}
