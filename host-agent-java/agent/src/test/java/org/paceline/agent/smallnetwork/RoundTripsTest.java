package org.paceline.agent.smallnetwork;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.virtualqueue.CapacityEstimate;
import org.paceline.intents.unit.DataRate;

class RoundTripsTest {
  private static final DataRate UPLINK = DataRate.ofKilobitsPerSecond(8_000);

  private final RoundTrips trips = new RoundTrips();
  private long now = 1_234;

  private Optional<Duration> after(int... millis) {
    for (int took : millis) {
      now += Duration.ofSeconds(1).toNanos();
      trips.answered(Duration.ofMillis(took), now);
    }
    return trips.waiting(now);
  }

  @Test
  void whatIsLongerThanTheShortestWayIsAQueue() {
    assertThat(after(30, 31)).isEmpty();
    assertThat(after(30)).contains(Duration.ZERO);
    assertThat(after(120, 130, 140)).contains(Duration.ofMillis(100));
  }

  @Test
  void oneThatWaitedForAProcessorTellsNothing() {
    assertThat(after(30, 30, 30, 400)).contains(Duration.ZERO);
  }

  @Test
  void afterTooFewAnswersNothingIsKnown() {
    after(30, 30, 30);
    now += Duration.ofSeconds(6).toNanos();
    assertThat(trips.waiting(now)).isEmpty();
  }

  /** Another provider, say. */
  @Test
  void aWayThatHasBecomeLongerIsTheShortestAfterTenMinutes() {
    after(30);
    for (int second = 0; second < 599; second++) {
      after(60);
    }
    assertThat(after(60)).contains(Duration.ofMillis(30));
    assertThat(after(60, 60)).contains(Duration.ZERO);
  }

  @Test
  void onASlowLinkAFewPacketsAreNoQueueYet() {
    Optional<Duration> waiting = Optional.of(Duration.ofMillis(60));
    assertThat(Probe.queue(waiting, UPLINK)).isEqualTo(CapacityEstimate.Queue.STANDING);
    assertThat(Probe.queue(waiting, DataRate.ofKilobitsPerSecond(512)))
        .isEqualTo(CapacityEstimate.Queue.NONE);
    assertThat(Probe.queue(Optional.empty(), UPLINK)).isEqualTo(CapacityEstimate.Queue.UNKNOWN);
  }
}
