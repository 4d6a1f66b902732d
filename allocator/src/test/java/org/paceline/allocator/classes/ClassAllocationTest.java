package org.paceline.allocator.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.paceline.allocator.maxmin.WeightedFlow;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

class ClassAllocationTest {
  private static final LinkId LINK = LinkId.of("a", "b");
  private static final long CAPACITY = DataRate.ofKilobitsPerSecond(50_000).millibitsPerSecond();
  private static final SplitRule NONE = SplitRule.of(0, 0, LowerMean.F_MINUS, 0);

  /** A random network of links, and flows of three classes over random links of it. */
  private static final class World {
    final Map<LinkId, Long> limits = new HashMap<>();
    final List<SharedFlow> flows = new ArrayList<>();
    final double alpha;
    final SplitRule rule;

    World(long seed, boolean isBounded, boolean isSplit) {
      Random random = new Random(seed);
      List<LinkId> links = new ArrayList<>();
      for (int l = 0; l < 1 + random.nextInt(6); l++) {
        links.add(LinkId.of("n" + l, "n" + (l + 1)));
        limits.put(links.get(l), (1 + random.nextInt(1_000)) * 1_000_003L);
      }
      alpha = List.of(0.5, 1.0, 2.0, 5.0).get(random.nextInt(4));
      rule =
          isSplit
              ? SplitRule.of(
                  -random.nextDouble(),
                  random.nextDouble(),
                  LowerMean.values()[random.nextInt(2)],
                  random.nextInt(4))
              : NONE;
      for (int f = 0; f < random.nextInt(40); f++) {
        Collections.shuffle(links, random);
        int service = 1 + random.nextInt(3);
        long least = isBounded && random.nextInt(5) == 0 ? random.nextInt(20_000_000) : 0;
        long most = least + random.nextInt(90_000_000);
        flows.add(
            SharedFlow.of(
                WeightedFlow.builder("f" + f, links.subList(0, 1 + random.nextInt(links.size())))
                    .weight(service)
                    .least(DataRate.ofMillibitsPerSecond(least))
                    .most(
                        isBounded && random.nextInt(3) == 0
                            ? DataRate.ofMillibitsPerSecond(most)
                            : DataRate.MAX)
                    .build(),
                "class" + service,
                random.nextInt(4) == 0
                    ? Optional.empty()
                    : Optional.of(DataRate.ofMillibitsPerSecond(random.nextInt(90_000_000)))));
      }
    }

    ClassAllocation allocate() {
      return ClassAllocation.of(limits, flows, alpha, rule);
    }
  }

  @Property(tries = 500, seed = "20")
  void sumsAreWithinEachLinkAndEachFlowWithinItsBounds(@ForAll long seed) {
    World world = new World(seed, true, true);
    ClassAllocation made = world.allocate();
    Map<LinkId, Long> loads = new HashMap<>();
    Map<LinkId, Long> promised = new HashMap<>();
    for (SharedFlow flow : world.flows) {
      DataRate rate = rate(made, flow.id());
      assertThat(rate).isLessThanOrEqualTo(flow.flow().most());
      for (LinkId link : flow.flow().links()) {
        loads.merge(link, rate.millibitsPerSecond(), Long::sum);
        promised.merge(link, flow.flow().least().millibitsPerSecond(), Long::sum);
      }
    }
    loads.forEach(
        (link, load) ->
            assertThat(load).as("%s", link).isLessThanOrEqualTo(world.limits.get(link)));
    for (SharedFlow flow : world.flows) {
      boolean fits =
          flow.flow().links().stream()
              .allMatch(
                  link -> promised.getOrDefault(link, 0L) <= world.limits.getOrDefault(link, 0L));
      if (fits) {
        assertThat(rate(made, flow.id()).millibitsPerSecond())
            .as(flow.id())
            .isGreaterThanOrEqualTo(flow.flow().least().millibitsPerSecond() - 1);
      }
    }
  }

  /** Equation 4, at every bottleneck; and nobody could have more but by another's loss. */
  @Property(tries = 500, seed = "20")
  void flowsWithOneBottleneckStandInTheModelsRatio(@ForAll long seed) {
    World world = new World(seed, false, false);
    ClassAllocation made = world.allocate();
    Map<LinkId, Long> loads = new HashMap<>();
    world.flows.forEach(
        flow ->
            flow.flow()
                .links()
                .forEach(
                    link ->
                        loads.merge(link, rate(made, flow.id()).millibitsPerSecond(), Long::sum)));
    for (SharedFlow one : world.flows) {
      LinkId full = Objects.requireNonNull(made.rates().bottlenecks().get(one.id()), one.id());
      assertThat(one.flow().links()).contains(full);
      assertThat(loads.get(full)).isGreaterThan(limit(world, full) - 100);
      double mine = rate(made, one.id()).millibitsPerSecond();
      for (SharedFlow other : world.flows) {
        double ratio = Math.pow(other.flow().weight() / one.flow().weight(), 1 / world.alpha);
        double its = rate(made, other.id()).millibitsPerSecond();
        if (full.equals(made.rates().bottlenecks().get(other.id()))) {
          assertThat(its).isCloseTo(ratio * mine, within(10 + ratio * 10));
        } else if (other.flow().links().contains(full)) {
          // Another link holds it back: it has no more than its share here.
          assertThat(its).isLessThan(ratio * mine + 10 + ratio * 10);
        }
      }
    }
  }

  @Property(tries = 200, seed = "20")
  void equalInputGivesEqualOutputInWhateverOrder(@ForAll long seed) {
    World world = new World(seed, true, true);
    ClassAllocation made = world.allocate();
    Collections.shuffle(world.flows, new Random(seed));
    assertThat(world.allocate()).isEqualTo(made);
  }

  @Property(tries = 200, seed = "20")
  void onOneLinkTheseAreTheSharesOfTheClassesAndTheirSubClasses(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 30) int gold,
      @ForAll @IntRange(min = 1, max = 30) int bronze,
      @ForAll @DoubleRange(min = 0.4, max = 5) double alpha,
      @ForAll @DoubleRange(min = 0, max = 1) double gamma,
      @ForAll @IntRange(min = 0, max = 3) int depth) {
    Random random = new Random(seed);
    SplitRule rule = SplitRule.of(-0.25, gamma, LowerMean.F_MINUS, depth);
    Map<String, DataRate> shares =
        ClassShares.divide(
            DataRate.ofMillibitsPerSecond(CAPACITY),
            alpha,
            List.of(ServiceClass.of("gold", 3, gold), ServiceClass.of("bronze", 1, bronze)));
    List<SharedFlow> flows = new ArrayList<>();
    Map<String, Double> expected = new HashMap<>();
    for (String name : List.of("gold", "bronze")) {
      int many = name.equals("gold") ? gold : bronze;
      DataRate share = Objects.requireNonNull(shares.get(name));
      Map<String, DataRate> measured = new HashMap<>();
      for (int f = 0; f < many; f++) {
        // From a tenth of an equal share to twice that.
        long equal = share.millibitsPerSecond() / many;
        measured.put(
            name + f,
            DataRate.ofMillibitsPerSecond(equal / 10 + (long) (random.nextDouble() * equal * 2)));
        flows.add(
            SharedFlow.of(
                flow(name + f, name.equals("gold") ? 3 : 1).build(),
                name,
                Optional.ofNullable(measured.get(name + f))));
      }
      FlowGroup.of(share, measured, rule)
          .forEach(
              group -> group.throughput().keySet().forEach(f -> expected.put(f, group.each())));
    }

    ClassAllocation made = ClassAllocation.of(Map.of(LINK, CAPACITY), flows, alpha, rule);

    expected.forEach(
        (flow, rate) ->
            assertThat((double) rate(made, flow).millibitsPerSecond())
                .as(flow)
                .isCloseTo(rate, within(100.0)));
  }

  @Example
  void whatAFlowHeldBackElsewhereLeavesIsSharedByTheOthers() {
    LinkId narrow = LinkId.of("b", "c");
    List<SharedFlow> flows =
        List.of(
            of("gold", WeightedFlow.builder("far", List.of(LINK, narrow)).weight(3).build()),
            of("gold", flow("near", 3).build()),
            of("bronze", flow("last", 1).build()));
    ClassAllocation made =
        ClassAllocation.of(Map.of(LINK, 9_000L, narrow, 1_000L), flows, 1, SplitRule.PAPER);
    assertThat(rate(made, "far").millibitsPerSecond()).isEqualTo(1_000);
    assertThat(rate(made, "near").millibitsPerSecond()).isEqualTo(6_000);
    assertThat(rate(made, "last").millibitsPerSecond()).isEqualTo(2_000);
    assertThat(made.rates().bottlenecks()).containsEntry("far", narrow).containsEntry("near", LINK);
  }

  @Example
  void whatAFlowCannotUseAndWhatItWasPromisedCountFirst() {
    List<SharedFlow> flows =
        List.of(
            of("gold", flow("small", 3).most(DataRate.ofMillibitsPerSecond(100)).build()),
            of("bronze", flow("promised", 1).least(DataRate.ofMillibitsPerSecond(5_000)).build()),
            of("gold", flow("gold", 3).build()),
            of("bronze", flow("bronze", 1).build()));
    ClassAllocation made = ClassAllocation.of(Map.of(LINK, 9_100L), flows, 1, NONE);
    assertThat(rate(made, "small").millibitsPerSecond()).isEqualTo(100);
    assertThat(rate(made, "promised").millibitsPerSecond()).isEqualTo(5_000);
    assertThat(rate(made, "gold").millibitsPerSecond()).isEqualTo(3_000);
    assertThat(rate(made, "bronze").millibitsPerSecond()).isEqualTo(1_000);
  }

  @Example
  void aPromiseBelowAnEqualShareCostsNobodyAnything() {
    List<SharedFlow> flows =
        List.of(
            of("bronze", flow("promised", 1).least(DataRate.ofMillibitsPerSecond(500)).build()),
            of("bronze", flow("bronze", 1).build()));
    ClassAllocation made = ClassAllocation.of(Map.of(LINK, 8_000L), flows, 1, NONE);
    assertThat(rate(made, "promised")).isEqualTo(rate(made, "bronze"));
  }

  @Example
  void aFlowThatIsSilentForAWhileIsNotLeftWithNothing() {
    List<SharedFlow> flows =
        List.of(
            SharedFlow.of(flow("silent", 1).build(), "gold", Optional.of(DataRate.ZERO)),
            of("gold", flow("busy", 1).build()));
    SplitRule greedy = SplitRule.of(0, 1, LowerMean.F_MINUS, 1);
    ClassAllocation made = ClassAllocation.of(Map.of(LINK, 10_000L), flows, 1, greedy);
    assertThat(made.places()).containsEntry("silent", "L").containsEntry("busy", "H");
    assertThat(rate(made, "silent").millibitsPerSecond()).isEqualTo(250);
    assertThat(rate(made, "busy").millibitsPerSecond()).isEqualTo(9_750);
  }

  @Example
  void anAlphaNearZeroLeavesTheLighterClassAThousandth() {
    List<SharedFlow> flows =
        List.of(of("gold", flow("gold", 3).build()), of("bronze", flow("bronze", 1).build()));
    ClassAllocation made = ClassAllocation.of(Map.of(LINK, 1_001_000L), flows, 0.001, NONE);
    assertThat(rate(made, "gold").millibitsPerSecond()).isEqualTo(1_000_000);
    assertThat(rate(made, "bronze").millibitsPerSecond()).isEqualTo(1_000);
  }

  @Example
  void nobodyAndALinkThatIsNotThere() {
    assertThat(ClassAllocation.of(Map.of(), List.of(), 1, NONE).rates().rates()).isEmpty();
    ClassAllocation made =
        ClassAllocation.of(Map.of(), List.of(of("gold", flow("f", 1).build())), 1, SplitRule.PAPER);
    assertThat(rate(made, "f")).isEqualTo(DataRate.ZERO);
  }

  @Example
  void whatMakesNoSenseIsRefusedByName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WeightedFlow.builder("f", List.of()).build())
        .withMessageContaining("(f) crosses no link");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> flow("f", 0).build())
        .withMessageContaining("weight (0.0)");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                flow("f", 1)
                    .least(DataRate.ofKilobitsPerSecond(2))
                    .most(DataRate.ofKilobitsPerSecond(1))
                    .build())
        .withMessageContaining("(f) was promised 2 kbit/s");
    SharedFlow flow = of("gold", flow("f", 1).build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClassAllocation.of(Map.of(), List.of(flow, flow), 1, NONE))
        .withMessageContaining("(f)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClassAllocation.of(Map.of(), List.of(flow), 0, NONE))
        .withMessageContaining("alpha");
  }

  private static long limit(World world, LinkId link) {
    return world.limits.getOrDefault(link, 0L);
  }

  private static WeightedFlow.Builder flow(String id, double weight) {
    return WeightedFlow.builder(id, List.of(LINK)).weight(weight);
  }

  private static SharedFlow of(String serviceClass, WeightedFlow flow) {
    return SharedFlow.of(flow, serviceClass, Optional.empty());
  }

  private static DataRate rate(ClassAllocation made, String flow) {
    return Objects.requireNonNull(made.rates().rates().get(flow), flow);
  }
}
