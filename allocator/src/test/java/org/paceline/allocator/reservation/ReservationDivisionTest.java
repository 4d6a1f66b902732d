package org.paceline.allocator.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

class ReservationDivisionTest {
  private static final LinkId LINK = LinkId.of("a", "b");
  private static final long MEGABIT = 1_000_000_000L;

  /** What rounding down may leave of a link. */
  private static final long ROUNDING = 1_000;

  @Property(tries = 300, seed = "20")
  void sumsAreWithinEachLinkAtEveryStep(@ForAll long seed) {
    World world = new World(seed, AdaptationRule.DEFAULT);
    for (int period = 0; period < 20; period++) {
      world.change();
      world.period();
      loads(world)
          .forEach(
              (link, load) ->
                  assertThat(load).as("%s", link).isLessThanOrEqualTo(world.limits.get(link)));
    }
  }

  @Property(tries = 300, seed = "20")
  void whoAsksForItsReservationHasItByTheNextPeriod(@ForAll long seed) {
    World world = new World(seed, AdaptationRule.DEFAULT);
    for (int period = 0; period < 20; period++) {
      world.change();
      world.period();
      for (ReservedFlow flow : world.flows.values()) {
        long wanted = world.offered.getOrDefault(flow.id(), 0L);
        assertThat(world.has(flow.id()))
            .as(flow.id())
            .isGreaterThanOrEqualTo(Math.min(wanted, flow.reserved().millibitsPerSecond()));
      }
    }
  }

  @Property(tries = 300, seed = "20")
  void nobodyWhoAsksWaitsWhileAllOfItsLinksHaveRoom(@ForAll long seed) {
    World world = new World(seed, AdaptationRule.DEFAULT);
    for (int period = 0; period < 10; period++) {
      world.change();
      world.period();
      Map<LinkId, Long> loads = loads(world);
      for (ReservedFlow flow : world.flows.values()) {
        boolean wantsMore = world.has(flow.id()) < flow.most().millibitsPerSecond();
        if (flow.demand().isAsking() && wantsMore) {
          assertThat(flow.links())
              .as(flow.id())
              .anyMatch(
                  link ->
                      loads.getOrDefault(link, 0L)
                          >= world.limits.getOrDefault(link, 0L) - ROUNDING);
        }
      }
    }
  }

  @Property(tries = 300, seed = "20")
  void nobodyBorrowsWhereAHigherPriorityStillWantsMore(@ForAll long seed) {
    World world = new World(seed, AdaptationRule.DEFAULT);
    for (int period = 0; period < 10; period++) {
      world.change();
      world.period();
      for (ReservedFlow flow : world.flows.values()) {
        if (!flow.isBestEffort() && world.has(flow.id()) < flow.wanted()) {
          assertThat(flow.links())
              .as(flow.id())
              .anyMatch(link -> isFullOfBetter(world, flow, link));
        }
      }
    }
  }

  /**
   * Whether all of the link but what is kept for best effort is guaranteed, or with those of no
   * lower a priority.
   */
  private static boolean isFullOfBetter(World world, ReservedFlow flow, LinkId link) {
    long limit = world.limits.getOrDefault(link, 0L);
    long better = 0;
    boolean isKept = false;
    for (ReservedFlow other : world.flows.values()) {
      if (other.links().contains(link)) {
        isKept |= other.isBestEffort();
        better +=
            other.isBestEffort()
                ? 0
                : other.priority() >= flow.priority()
                    ? world.has(other.id())
                    : Math.min(world.has(other.id()), other.guaranteed());
      }
    }
    return better >= (isKept ? limit - limit / 1_000 * 20 : limit) - ROUNDING;
  }

  @Property(tries = 200, seed = "20")
  void theOrderOfFlowsMakesNoDifference(@ForAll long seed) {
    World world = new World(seed, AdaptationRule.DEFAULT);
    world.period();
    List<ReservedFlow> shuffled = new ArrayList<>(world.flows.values());
    Collections.shuffle(shuffled, new Random(seed));
    assertThat(ReservationDivision.of(world.limits, world.limits, shuffled)).isEqualTo(world.rates);
  }

  /** As where a scheme is asked again, with just what it took before of links that others use. */
  @Property(tries = 300, seed = "20")
  void whatWasTakenBeforeIsDividedAsBefore(@ForAll long seed) {
    World world = new World(seed, AdaptationRule.DEFAULT);
    for (int period = 0; period < 10; period++) {
      world.change();
      world.period();
      Map<String, DataRate> again =
          ReservationDivision.of(world.limits, loads(world), world.flows.values());
      for (String flow : world.flows.keySet()) {
        assertThat(again.getOrDefault(flow, DataRate.ZERO).millibitsPerSecond())
            .as(flow)
            .isGreaterThanOrEqualTo(world.has(flow) - ROUNDING);
      }
    }
  }

  /** Where best effort had a part of what was left of its host's own link, it had less and less. */
  @Example
  void aLinkThatIsNarrowerNowTakesNothingOfBestEffortsPartNorOfReservations() {
    LinkId here = LinkId.of("here", "a");
    LinkId there = LinkId.of("there", "a");
    List<ReservedFlow> flows =
        List.of(
            flow("sure", List.of(there, LINK), demand(8, 8, false)),
            flow("asks", List.of(here, LINK), demand(1, 5, true)),
            flow("be here", List.of(here, LINK), DemandEstimate.initial(DataRate.ZERO)),
            flow("be there", List.of(there, LINK), DemandEstimate.initial(DataRate.ZERO)));
    Map<LinkId, Long> promisable =
        Map.of(here, 100 * MEGABIT, there, 100 * MEGABIT, LINK, 10 * MEGABIT);
    Map<LinkId, Long> taken =
        Map.of(here, 19 * MEGABIT / 10, there, 81 * MEGABIT / 10, LINK, 10 * MEGABIT);
    for (Map<LinkId, Long> limits : List.of(promisable, taken)) {
      Map<String, DataRate> rates = ReservationDivision.of(promisable, limits, flows);
      assertThat(mbit(rates, "sure")).isEqualTo(8);
      assertThat(mbit(rates, "asks")).isEqualTo(1.8);
      assertThat(mbit(rates, "be here")).isEqualTo(0.1);
      assertThat(mbit(rates, "be there")).isEqualTo(0.1);
    }
  }

  @Property(tries = 300, seed = "20")
  void theLedgerHasWhatIsBorrowedBeyondWhatNobodyReserved(@ForAll long seed) {
    World world = new World(seed, AdaptationRule.DEFAULT);
    for (int period = 0; period < 15; period++) {
      world.change();
      world.period();
      for (LinkId link : world.limits.keySet()) {
        long spare = world.limits.getOrDefault(link, 0L);
        long borrowed = 0;
        for (ReservedFlow flow : world.flows.values()) {
          if (flow.links().contains(link)) {
            long reserved = flow.reserved().millibitsPerSecond();
            long has = world.has(flow.id());
            spare -= reserved;
            borrowed += Math.max(0, has - reserved);
            assertThat(sum(world, link, flow.id(), true))
                .isLessThanOrEqualTo(Math.max(0, reserved - has));
            assertThat(sum(world, link, flow.id(), false))
                .isLessThanOrEqualTo(Math.max(0, has - reserved));
          }
        }
        assertThat(
                world.loans.stream()
                    .filter(loan -> loan.link().equals(link))
                    .mapToLong(loan -> loan.rate().millibitsPerSecond())
                    .sum())
            .isEqualTo(Math.max(0, borrowed - Math.max(0, spare)));
      }
    }
  }

  private static long sum(World world, LinkId link, String flow, boolean asLender) {
    return world.loans.stream()
        .filter(loan -> loan.link().equals(link))
        .filter(loan -> flow.equals(asLender ? loan.lender() : loan.borrower()))
        .mapToLong(loan -> loan.rate().millibitsPerSecond())
        .sum();
  }

  /** The paper's figure 2: QoS1 and QoS2 with 1 and 2 Mbit/s, best effort, on 10 Mbit/s. */
  @Example
  void whatAFlowLeavesIsBorrowedByPriorityAndComesBackWhenAskedFor() {
    DemandEstimate silent = demand(1, 0.1, false);
    Map<String, DataRate> lent =
        of(flow("qos1", 2, silent), flow("qos2", 1, demand(2, 12, true)), bestEffort("be"));
    assertThat(mbit(lent, "qos1")).isEqualTo(0.1);
    // All but a fiftieth of the link, which is best effort's in any case.
    assertThat(mbit(lent, "qos2")).isEqualTo(9.7);
    assertThat(mbit(lent, "be")).isEqualTo(0.2);
    Map<String, DataRate> back =
        of(
            flow("qos1", 2, demand(1, 1, true)),
            flow("qos2", 1, demand(2, 12, true)),
            bestEffort("be"));
    assertThat(mbit(back, "qos1")).isEqualTo(1);
    assertThat(mbit(back, "qos2")).isEqualTo(8.8);
  }

  @Example
  void theHigherPriorityBorrowsFirstHoweverLateItComes() {
    Map<String, DataRate> first =
        of(flow("high", 2, demand(1, 1, false)), flow("low", 1, demand(2, 9, true)));
    assertThat(mbit(first, "low")).isEqualTo(9);
    Map<String, DataRate> then =
        of(flow("high", 2, demand(1, 7, true)), flow("low", 1, demand(2, 9, true)));
    assertThat(mbit(then, "high")).isEqualTo(7);
    assertThat(mbit(then, "low")).isEqualTo(3);
  }

  @Example
  void whatIsFirmIsLentToNobody() {
    DataRate firm = World.rate(MEGABIT);
    ReservedFlow flow =
        ReservedFlow.of("firm", List.of(LINK), 0, firm, DataRate.MAX, demand(1, 0.1, false));
    Map<String, DataRate> rates = of(flow, bestEffort("be"));
    assertThat(mbit(rates, "firm")).isEqualTo(1);
    assertThat(mbit(rates, "be")).isEqualTo(9);
  }

  @Example
  void wherePromisesNoLongerFitTheyShrinkAlike() {
    Map<String, DataRate> rates =
        of(flow("one", 2, demand(5, 5, true)), flow("two", 1, demand(15, 15, true)));
    assertThat(mbit(rates, "one")).isEqualTo(2.5);
    assertThat(mbit(rates, "two")).isEqualTo(7.5);
  }

  @Example
  void aLoanStaysWithItsBorrowerAndANewOneIsTheLowestPrioritys() {
    Map<LinkId, Long> limits = Map.of(LINK, 10 * MEGABIT);
    ReservedFlow lender = flow("lender", 3, demand(8, 4, false));
    ReservedFlow high = flow("high", 2, demand(1, 3, true));
    ReservedFlow low = flow("low", 1, demand(1, 3, true));
    List<Loan> first =
        LoanLedger.after(
            List.of(),
            limits,
            List.of(lender, high, low),
            Map.of(
                "lender",
                World.rate(4 * MEGABIT),
                "low",
                World.rate(3 * MEGABIT),
                "high",
                World.rate(MEGABIT)));
    assertThat(first).containsExactly(Loan.of(LINK, "lender", "low", World.rate(2 * MEGABIT)));
    List<Loan> then =
        LoanLedger.after(
            first,
            limits,
            List.of(lender, high, low),
            Map.of(
                "lender",
                World.rate(4 * MEGABIT),
                "low",
                World.rate(2 * MEGABIT),
                "high",
                World.rate(4 * MEGABIT)));
    assertThat(then)
        .containsExactlyInAnyOrder(
            Loan.of(LINK, "lender", "low", World.rate(MEGABIT)),
            Loan.of(LINK, "lender", "high", World.rate(3 * MEGABIT)));
  }

  @Example
  void whatMakesNoSenseIsRefusedByName() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ReservedFlow.of(
                    "f", List.of(LINK), 0, DataRate.ZERO, World.rate(1), demand(1, 1, true)))
        .withMessageContaining("(f) reserves 1000 kbit/s");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AdaptationRule.of(50, 100, 1_000, 50))
        .withMessageContaining("growth (1000 thousandths)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Observation.of(DataRate.ZERO, List.of(), true, Optional.empty()))
        .withMessageContaining("without a period");
  }

  private static Map<LinkId, Long> loads(World world) {
    Map<LinkId, Long> loads = new HashMap<>();
    for (ReservedFlow flow : world.flows.values()) {
      flow.links().forEach(link -> loads.merge(link, world.has(flow.id()), Long::sum));
    }
    return loads;
  }

  /** Reserves and wants so many Mbit/s. */
  private static DemandEstimate demand(double reserved, double wanted, boolean isAsking) {
    return DemandEstimate.of(
        World.rate((long) (reserved * MEGABIT)), World.rate((long) (wanted * MEGABIT)), isAsking);
  }

  private static ReservedFlow flow(String id, List<LinkId> links, DemandEstimate demand) {
    return ReservedFlow.of(id, links, 0, DataRate.ZERO, DataRate.MAX, demand);
  }

  private static ReservedFlow flow(String id, int priority, DemandEstimate demand) {
    return ReservedFlow.of(id, List.of(LINK), priority, DataRate.ZERO, DataRate.MAX, demand);
  }

  private static ReservedFlow bestEffort(String id) {
    return flow(id, 0, DemandEstimate.initial(DataRate.ZERO));
  }

  private static Map<String, DataRate> of(ReservedFlow... flows) {
    Map<LinkId, Long> limits = Map.of(LINK, 10 * MEGABIT);
    return ReservationDivision.of(limits, limits, List.of(flows));
  }

  private static double mbit(Map<String, DataRate> rates, String flow) {
    return (double) rates.getOrDefault(flow, DataRate.ZERO).millibitsPerSecond() / MEGABIT;
  }
}
