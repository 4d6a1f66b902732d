package org.paceline.allocator.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** What the listings of Boley et al. 2017 do as printed, and what is done here instead. */
class PaperListingsTest {
  private static final LinkId LINK = LinkId.of("a", "b");
  private static final long CAPACITY = 10_000;

  /**
   * Lines 12 to 14 add all that was returned so far, once more for each flow that is taken from.
   */
  @Example
  void algorithm3GivesMoreThanItTakes() {
    PaperListings.Flow asking = new PaperListings.Flow("asking", 3, 4_000, 1_000, 1_000);
    PaperListings literal =
        new PaperListings(
            CAPACITY,
            asking,
            new PaperListings.Flow("low", 1, 1_000, 2_000, 2_000),
            new PaperListings.Flow("middle", 2, 1_000, 6_500, 6_500));
    literal.giveBack();
    assertThat(asking.tracking).isGreaterThan(asking.reserved);
    assertThat(literal.tracked()).isGreaterThan(CAPACITY);

    Map<String, DataRate> here =
        divided(
            flow("asking", 3, 4_000, 4_000, true),
            flow("low", 1, 1_000, 2_000, true),
            flow("middle", 2, 1_000, 6_500, true));
    assertThat(kbps(here, "asking")).isEqualTo(4_000);
    assertThat(kbps(here, "low")).isEqualTo(1_000);
    assertThat(kbps(here, "middle")).isEqualTo(5_000);
  }

  /** Line 7 claims nothing, so each flow is given what the one before it was given. */
  @Example
  void algorithm4GivesTheSameRoomTwice() {
    PaperListings literal =
        new PaperListings(
            CAPACITY,
            new PaperListings.Flow("one", 2, 3_000, 3_000, 3_000),
            new PaperListings.Flow("two", 1, 3_000, 3_000, 3_000));
    literal.share();
    assertThat(literal.tracked()).isGreaterThan(CAPACITY);

    Map<String, DataRate> here =
        divided(flow("one", 2, 3_000, 6_000, true), flow("two", 1, 3_000, 6_000, true));
    assertThat(kbps(here, "one")).isEqualTo(6_000);
    assertThat(kbps(here, "two")).isEqualTo(4_000);
  }

  /** No line sets the flag by which the others are to pass over a flow that shrinks. */
  @Example
  void algorithm2LeavesAShrinkingFlowToTheOthersWhoGiveItMore() {
    PaperListings.Flow shrinking =
        new PaperListings.Flow("shrinking", 2, 1_000, 3_000, 2_500).shrinking();
    PaperListings literal =
        new PaperListings(
            CAPACITY, shrinking, new PaperListings.Flow("other", 1, 1_000, 7_000, 7_000));
    literal.seize();
    assertThat(shrinking.tracking).isEqualTo(2_750);
    literal.share();
    assertThat(shrinking.tracking).isEqualTo(3_000);

    Map<String, DataRate> here =
        divided(flow("shrinking", 2, 1_000, 2_750, false), flow("other", 1, 1_000, 7_000, true));
    assertThat(kbps(here, "shrinking")).isEqualTo(2_750);
    assertThat(kbps(here, "other")).isEqualTo(7_250);
  }

  /** Line 10 takes from the lowest priority anywhere, also where it shares no link. */
  @Example
  void algorithm3TakesFromAFlowWhoseRateIsOfNoUseToTheOneThatReturns() {
    PaperListings.Flow far = new PaperListings.Flow("far", 1, 1_000, 4_000, 4_000);
    PaperListings.Flow near = new PaperListings.Flow("near", 2, 1_000, 9_000, 9_000);
    PaperListings.Flow asking = new PaperListings.Flow("asking", 3, 4_000, 1_000, 1_000);
    PaperListings literal = new PaperListings(asking.tracking + near.tracking, asking, near, far);
    literal.available = 0;
    literal.giveBack();
    assertThat(far.tracking).isEqualTo(1_000);
    // Near and asking share a link of 10,000; far has another.
    assertThat(near.tracking + asking.tracking).isGreaterThan(CAPACITY);

    LinkId elsewhere = LinkId.of("c", "d");
    long limit = DataRate.ofKilobitsPerSecond(CAPACITY).millibitsPerSecond();
    Map<String, DataRate> here =
        ReservationDivision.of(
            Map.of(LINK, limit, elsewhere, limit),
            Map.of(LINK, limit, elsewhere, limit),
            List.of(
                flow("asking", 3, 4_000, 4_000, true),
                flow("near", 2, 1_000, 9_000, true),
                ReservedFlow.of(
                    "far",
                    List.of(elsewhere),
                    1,
                    DataRate.ZERO,
                    DataRate.MAX,
                    DemandEstimate.of(
                        DataRate.ofKilobitsPerSecond(1_000),
                        DataRate.ofKilobitsPerSecond(4_000),
                        false))));
    assertThat(kbps(here, "asking")).isEqualTo(4_000);
    assertThat(kbps(here, "near")).isEqualTo(6_000);
    assertThat(kbps(here, "far")).isEqualTo(4_000);
  }

  private static ReservedFlow flow(
      String id, int priority, long reserved, long wanted, boolean isAsking) {
    return ReservedFlow.of(
        id,
        List.of(LINK),
        priority,
        DataRate.ZERO,
        DataRate.MAX,
        DemandEstimate.of(
            DataRate.ofKilobitsPerSecond(reserved),
            DataRate.ofKilobitsPerSecond(wanted),
            isAsking));
  }

  private static Map<String, DataRate> divided(ReservedFlow... flows) {
    long limit = DataRate.ofKilobitsPerSecond(CAPACITY).millibitsPerSecond();
    return ReservationDivision.of(Map.of(LINK, limit), Map.of(LINK, limit), List.of(flows));
  }

  private static long kbps(Map<String, DataRate> rates, String flow) {
    return rates.getOrDefault(flow, DataRate.ZERO).toKbpsFloor();
  }
}
