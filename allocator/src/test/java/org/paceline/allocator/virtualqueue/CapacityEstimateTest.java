package org.paceline.allocator.virtualqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;

/** In a fluid link: what it cannot carry waits, up to its buffer, and what has no room is lost. */
class CapacityEstimateTest {
  private static final double CEILING = 100e6;
  private static final double FLOOR = 1e6;
  private static final int PERIOD_SECONDS = 2;
  private static final int STEPS = 20;
  private static final double WITHIN = 0.05;

  /** The share of one greedy sender that stands for all hosts, and the link that it fills. */
  private static final class Fluid {
    private static final double QUEUE_THAT_SHOWS = 0.02;
    private static final double BUFFER = 0.3;

    final CapacityEstimate estimate = new CapacityEstimate(rate(FLOOR), rate(CEILING));
    final boolean answers;
    double capacity;
    double stranger;
    double wanted = Double.POSITIVE_INFINITY;
    double queueSeconds;
    int queuedPeriods;
    NominalShare share = NominalShare.of(rate(FLOOR), VirtualQueueSettings.STANDARD);

    /**
     * @param answers whether the sender has no more at the link than passes, as TCP: else it sends
     *     what it may, as UDP
     */
    Fluid(double capacity, boolean answers) {
      this.capacity = capacity;
      this.answers = answers;
    }

    void pass(int periods) {
      for (int i = 0; i < periods; i++) {
        period();
      }
    }

    void period() {
      double allowed = share.share().bitsPerSecond();
      double may = Math.min(wanted, allowed);
      double sent = 0;
      for (int step = 0; step < STEPS; step++) {
        double room = Math.max(0, capacity - stranger);
        double sends = answers && queueSeconds >= BUFFER ? Math.min(may, room) : may;
        sent += sends / STEPS;
        double more = (sends + stranger - capacity) / capacity * PERIOD_SECONDS / STEPS;
        queueSeconds = Math.max(0, Math.min(BUFFER, queueSeconds + more));
      }
      CapacityEstimate.Queue queue =
          queueSeconds > QUEUE_THAT_SHOWS
              ? CapacityEstimate.Queue.STANDING
              : CapacityEstimate.Queue.NONE;
      queuedPeriods += queue == CapacityEstimate.Queue.STANDING ? 1 : 0;
      ResourceUse use =
          sent >= 0.92 * allowed
              ? ResourceUse.hungry(1, rate(sent))
              : ResourceUse.sated(1, rate(sent));
      estimate.after(use, VirtualQueueSettings.STANDARD.settled(share.capacity()), queue);
      share = share.withCapacity(estimate.now()).after(use);
    }

    /** Of what the link carries for this sender. */
    double part() {
      return estimate.now().bitsPerSecond() / (capacity - stranger);
    }

    /** At some moment within so many periods it has found a capacity. */
    void passUntilItRests(int periods) {
      int left = periods;
      while (!estimate.isResting() && left-- > 0) {
        period();
      }
      assertThat(estimate.isResting()).as("after %d periods", periods).isTrue();
    }
  }

  private static DataRate rate(double bitsPerSecond) {
    return DataRate.ofBitsPerSecond((long) bitsPerSecond);
  }

  @Property(seed = "23", tries = 300)
  void fromBelowItComesToWhatTheLinkCarriesAndStaysThere(
      @ForAll @DoubleRange(min = 2e6, max = 80e6) double capacity, @ForAll boolean answers) {
    Fluid link = new Fluid(capacity, answers);
    link.passUntilItRests(120);
    for (int period = 0; period < 600; period++) {
      link.period();
      assertThat(link.part()).isBetween(1 - WITHIN, 1.3);
      if (link.estimate.isResting()) {
        assertThat(link.part()).as("period %d", period).isBetween(1 - WITHIN, 1 + WITHIN);
      }
    }
  }

  /** It rises by a fifth to look for more, and has less and less often a reason to. */
  @Property(seed = "23", tries = 300)
  void aQueueStandsSeldom(
      @ForAll @DoubleRange(min = 2e6, max = 80e6) double capacity, @ForAll boolean answers) {
    Fluid link = new Fluid(capacity, answers);
    link.passUntilItRests(120);
    link.pass(300);
    link.queuedPeriods = 0;
    link.pass(600);
    assertThat(link.queuedPeriods).isLessThanOrEqualTo(600 * 5 / 100);
  }

  /** Section 6: hosts outside appear as capacity that is missing. */
  @Property(seed = "23", tries = 300)
  void itGivesWayToASenderOutsideAndTakesItsPartOnceThatIsGone(
      @ForAll @DoubleRange(min = 4e6, max = 80e6) double capacity,
      @ForAll @DoubleRange(min = 0.25, max = 0.7) double part,
      @ForAll boolean answers) {
    Fluid link = new Fluid(capacity, answers);
    link.passUntilItRests(120);
    link.stranger = part * capacity;
    link.pass(40);
    assertThat(link.part()).isLessThan(1.3);
    link.queuedPeriods = 0;
    link.pass(100);
    assertThat(link.queuedPeriods).as("its packets seldom wait").isLessThanOrEqualTo(10);
    link.pass(200);
    link.passUntilItRests(120);
    assertThat(link.part()).isBetween(1 - 2 * WITHIN, 1 + 2 * WITHIN);

    link.stranger = 0;
    link.pass(400);
    link.passUntilItRests(120);
    assertThat(link.part()).isBetween(1 - WITHIN, 1 + WITHIN);
  }

  @Property(seed = "23", tries = 300)
  void whateverIsSeenItStaysWithinItsBounds(
      @ForAll @DoubleRange(min = 0, max = 2e9) double sent,
      @ForAll CapacityEstimate.Queue queue,
      @ForAll boolean hungry) {
    CapacityEstimate estimate = new CapacityEstimate(rate(FLOOR), rate(CEILING));
    for (int period = 0; period < 200; period++) {
      ResourceUse use =
          hungry ? ResourceUse.hungry(1, rate(sent)) : ResourceUse.sated(1, rate(sent));
      estimate.after(use, estimate.now(), queue);
      assertThat(estimate.now().bitsPerSecond()).isBetween((long) FLOOR, (long) CEILING);
    }
  }

  @Test
  void whereNobodyWantsMoreOrNothingIsKnownOfAQueueItStays() {
    Fluid link = new Fluid(20e6, true);
    link.wanted = 300e3;
    link.pass(100);
    assertThat(link.estimate.now()).isEqualTo(rate(FLOOR));

    CapacityEstimate unseen = new CapacityEstimate(rate(FLOOR), rate(CEILING));
    unseen.after(ResourceUse.hungry(1, rate(FLOOR)), rate(FLOOR), CapacityEstimate.Queue.UNKNOWN);
    assertThat(unseen.now()).isEqualTo(rate(FLOOR));
  }

  /** To hold those who send next to nothing would empty no queue. */
  @Test
  void aQueueThatOthersFillAloneChangesNothing() {
    CapacityEstimate estimate = new CapacityEstimate(rate(FLOOR), rate(CEILING));
    estimate.follow(rate(20e6));
    for (int period = 0; period < 50; period++) {
      estimate.after(ResourceUse.sated(1, rate(1e6)), rate(16e6), CapacityEstimate.Queue.STANDING);
    }
    assertThat(estimate.now()).isEqualTo(rate(20e6));
  }

  /** One queue, seen by two hosts, is one reason to fall. */
  @Test
  void whoHearsThatAnotherHasFallenWaitsUntilTheQueueIsEmpty() {
    CapacityEstimate estimate = new CapacityEstimate(rate(FLOOR), rate(CEILING));
    estimate.follow(rate(20e6));
    estimate.atMost(rate(16e6));
    estimate.after(ResourceUse.hungry(1, rate(15e6)), rate(13e6), CapacityEstimate.Queue.STANDING);
    assertThat(estimate.now()).isEqualTo(rate(16e6));
    estimate.atMost(rate(30e6));
    assertThat(estimate.now()).isEqualTo(rate(16e6));
  }

  @Test
  void aFloorAboveTheCeilingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CapacityEstimate(rate(2), rate(1)))
        .withMessageContaining("Maybe a tenth");
  }
}
