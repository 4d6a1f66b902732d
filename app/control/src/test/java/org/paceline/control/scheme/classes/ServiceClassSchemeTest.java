package org.paceline.control.scheme.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.paceline.allocator.classes.LowerMean;
import org.paceline.allocator.classes.SplitRule;
import org.paceline.control.directive.MeterGroup;
import org.paceline.control.directive.Pace;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.Unserved;
import org.paceline.control.scheme.ClassMembership;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.Snapshot;
import org.paceline.control.scheme.utility.Ring;
import org.paceline.control.settings.ClassMeters;
import org.paceline.control.settings.ClassSettings;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class ServiceClassSchemeTest {
  private static final UtilityFunction TABLE =
      UtilityFunction.of(
          "two steps",
          List.of(DataRate.ofKilobitsPerSecond(1_000), DataRate.ofKilobitsPerSecond(2_000)),
          List.of(Latency.ofMillis(5), Latency.ofMillis(100)),
          List.of(List.of(Utility.of(2), Utility.of(1.5)), List.of(Utility.of(4), Utility.of(3))));

  /** Who talks, in which class. */
  private static final class World {
    final List<Application> applications = new ArrayList<>();
    final Map<String, ClassMembership> classes = new TreeMap<>();
    final Map<String, DataRate> throughput = new TreeMap<>();
    Network network;
    ClassSettings settings = PlannerSettings.DEFAULT.classes();

    World(Network network) {
      this.network = network;
    }

    World alpha(double alpha) {
      settings = ClassSettings.of(500, alpha, SplitRule.PAPER, 0, Duration.ofSeconds(15));
      return this;
    }

    World split(SplitRule split) {
      settings = ClassSettings.of(500, 1, split, 0, Duration.ofSeconds(15));
      return this;
    }

    World talk(String id, String from, String to, int weight) {
      return talk(id, from, to, Policy.builder().classWeight(weight).build(), DataRate.ZERO);
    }

    World talk(String id, String from, String to, Policy policy, DataRate reserved) {
      IntentPath intent = IntentPath.parse("class" + policy.classWeight().orElse(1));
      Policy ruled = policy.toBuilder().scheme(SchemeName.SERVICE_CLASSES).build();
      applications.add(Application.of(id, from, to, TABLE));
      classes.put(
          id,
          ClassMembership.of(
              IntentTree.withDefault(TABLE).with(intent, ruled).resolve(intent), reserved));
      return this;
    }

    Decision decide() {
      return new ServiceClassScheme(settings)
          .decide(
              Snapshot.builder(applications, Set.of(), new Routes(network))
                  .classes(classes)
                  .throughput(throughput)
                  .build())
          .orElseThrow();
    }
  }

  private static long rate(Decision decision, String id) {
    return grant(decision, id).rate().millibitsPerSecond();
  }

  private static Grant grant(Decision decision, String id) {
    return Objects.requireNonNull(decision.grants().get(id), id);
  }

  @Example
  void conversationsStandInTheRatioOfTheirClasses() {
    for (double alpha : new double[] {0.5, 1, 2, 5}) {
      World world = new World(Ring.of(60_000)).alpha(alpha);
      for (int i = 0; i < 13; i++) {
        world
            .talk("h/g" + i, "n0", "n1", 3)
            .talk("h/s" + i, "n0", "n1", 2)
            .talk("h/b" + i, "n0", "n1", 1);
      }
      Decision made = world.decide();
      double bronze = rate(made, "h/b0");
      assertThat(rate(made, "h/g12") / bronze)
          .isCloseTo(Math.pow(3, 1 / alpha), within(1e-6 * Math.pow(3, 1 / alpha)));
      assertThat(rate(made, "h/s5") / bronze)
          .isCloseTo(Math.pow(2, 1 / alpha), within(1e-6 * Math.pow(2, 1 / alpha)));
      assertThat(made.directives().loads().getOrDefault(LinkId.of("n0", "n1"), 0L))
          .isBetween(60_000_000_000L - 100, 60_000_000_000L + 6_000);
    }
  }

  @Example
  void whoMayShareAMeterIsSaidOnlyWhereItIsSet() {
    World world = new World(Ring.of(60_000)).talk("h/g", "n0", "n1", 3).talk("h/b", "n0", "n1", 1);
    assertThat(meterGroups(world)).containsExactly("none", "none");
    world.settings = world.settings.by(ClassMeters.PER_SUB_CLASS);
    assertThat(meterGroups(world)).containsExactlyInAnyOrder("class3", "class1");
  }

  private static List<String> meterGroups(World world) {
    return world.decide().directives().paces().values().stream()
        .map(Pace::meterGroup)
        .map(group -> group.map(MeterGroup::toString).orElse("none"))
        .collect(Collectors.toList());
  }

  @Example
  void everybodyTakesTheQuickestWayAndTheTableOnlySaysWhatItIsWorth() {
    Decision made = new World(Ring.of(1_500)).talk("h/a", "n0", "n1", 1).decide();
    Grant grant = grant(made, "h/a");
    assertThat(grant.path().hops()).containsExactly(LinkId.of("n0", "n1"));
    assertThat(grant.rate().toKbpsFloor()).isEqualTo(1_500);
    assertThat(grant.utility()).isEqualTo(Utility.of(2));
    assertThat(grant.delay()).isEqualTo(Latency.ofMillis(5));
    assertThat(made.unserved()).isEmpty();
  }

  @Example
  void whoeverReachesLessThanItIsGivenLeavesSomeToItsClassAlone() {
    World world =
        new World(Ring.of(8_000))
            .talk("h/g1", "n0", "n1", 3)
            .talk("h/g2", "n0", "n1", 3)
            .talk("h/b", "n0", "n1", 2);
    world.throughput.put("h/g1", DataRate.ofKilobitsPerSecond(1_000));
    Decision made = world.decide();
    // Half of an equal share of 3 Mbit/s, and half of what it reaches.
    assertThat(rate(made, "h/g1") / 1_000_000).isEqualTo(2_000);
    assertThat(rate(made, "h/g2") / 1_000_000).isEqualTo(4_000);
    assertThat(rate(made, "h/b") / 1_000_000).isEqualTo(2_000);
    // At gamma 0 all have the same whatever they reach.
    Decision equal = world.split(SplitRule.of(-0.25, 0, LowerMean.F_MINUS, 1)).decide();
    assertThat(rate(equal, "h/g1")).isEqualTo(rate(equal, "h/g2"));
  }

  @Example
  void aGreatestRateCapsAndWhatIsReservedComesFirst() {
    Policy capped =
        Policy.builder().classWeight(3).maximumRate(DataRate.ofKilobitsPerSecond(777)).build();
    Policy bronze = Policy.builder().classWeight(1).build();
    Decision made =
        new World(Ring.of(10_777))
            .talk("h/capped", "n0", "n1", capped, DataRate.ofKilobitsPerSecond(5_000))
            .talk("h/reserved", "n0", "n1", bronze, DataRate.ofKilobitsPerSecond(6_000))
            .talk("h/gold", "n0", "n1", 3)
            .talk("h/bronze", "n0", "n1", bronze, DataRate.ZERO)
            .decide();
    assertThat(rate(made, "h/capped") / 1_000_000).isEqualTo(777);
    assertThat(rate(made, "h/reserved") / 1_000_000).isEqualTo(6_000);
    assertThat(rate(made, "h/gold") / 1_000_000).isEqualTo(3_000);
    assertThat(rate(made, "h/bronze") / 1_000_000).isEqualTo(1_000);
  }

  @Example
  void whereThereIsNoWayNobodyIsHeldToAnything() {
    Network cut = Ring.of(9_000).without(LinkId.of("n0", "n1")).without(LinkId.of("n0", "n3"));
    Decision made = new World(cut).talk("h/a", "n0", "n1", 1).talk("h/b", "n1", "n2", 1).decide();
    assertThat(made.unserved())
        .containsOnlyKeys("h/a")
        .containsEntry("h/a", Unserved.of(Unserved.Code.NO_PATH, "n0", "n1"));
    assertThat(made.grants()).containsOnlyKeys("h/b");
    assertThat(new World(cut).decide().grants()).isEmpty();
  }

  @Example
  void whoHasNoClassIsABugOfWhoAsks() {
    World world = new World(Ring.of(9_000)).talk("h/a", "n0", "n1", 1);
    world.classes.clear();
    assertThatThrownBy(world::decide)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("(h/a)");
  }

  /** Random networks, classes and measurements. */
  @Property(tries = 200, seed = "20")
  void sumsAreWithinEachLinkAndEqualInputGivesEqualOutput(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 9) int nodes) {
    Random random = new Random(seed);
    List<String> names = new ArrayList<>();
    List<Link> links = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      names.add("n" + n);
      for (int other = 0; other < n; other++) {
        if (other == n - 1 || random.nextInt(3) == 0) {
          links.add(link(random, n, other));
          links.add(link(random, other, n));
        }
      }
    }
    World world = new World(Network.of(names, links)).alpha(0.5 + random.nextInt(4));
    for (int a = 0; a < random.nextInt(40); a++) {
      int from = random.nextInt(nodes);
      int to = (from + 1 + random.nextInt(nodes - 1)) % nodes;
      Policy policy =
          Policy.builder()
              .classWeight(1 + random.nextInt(3))
              .maximumRate(DataRate.ofKilobitsPerSecond(100 + random.nextInt(5_000)))
              .build();
      DataRate reserved = random.nextInt(9) == 0 ? DataRate.ofKilobitsPerSecond(50) : DataRate.ZERO;
      world.talk("h/" + a, "n" + from, "n" + to, policy, reserved);
      if (random.nextInt(3) == 0) {
        world.throughput.put("h/" + a, DataRate.ofKilobitsPerSecond(random.nextInt(3_000)));
      }
    }
    Decision made = world.decide();
    Ring.assertCarried(world.network, made.grants().values());
    assertThat(made.grants()).hasSize(world.applications.size());
    assertThat(made.grants().values())
        .allSatisfy(grant -> assertThat(grant.rate()).isGreaterThan(DataRate.ZERO));
    Collections.shuffle(world.applications, random);
    assertThat(world.decide().grants()).isEqualTo(made.grants());
  }

  private static Link link(Random random, int from, int to) {
    return Link.of(
        "n" + from,
        "n" + to,
        DataRate.ofKilobitsPerSecond(1_000 + random.nextInt(50_000)),
        LinkDelay.constant(Latency.ofMillis(1 + random.nextInt(9))));
  }
}
