package org.paceline.control.reservations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;

final class OverlapTest {
  private static final Instant NOON = Instant.parse("2031-12-01T12:00:00Z");

  @Test
  void theMostIsOfThoseThatHaveTheirRateAtOneOfItsTimes() {
    List<Reservation> others =
        List.of(
            held("before", requested(-2, 0, 100)),
            held("across its start", requested(-1, 1, 1)),
            held("across all of it", requested(-1, 9, 2)),
            held("from when the first ends", requested(1, 3, 4)),
            held("across its end", requested(2, 9, 8)),
            held("after", requested(4, 5, 100)));
    assertThat(Overlap.most(requested(0, 4, 1), others)).isEqualTo(14_000_000L);
    assertThat(Overlap.most(requested(0, 2, 1), others)).isEqualTo(6_000_000L);
    assertThat(Overlap.most(requested(0, 1, 1), others)).isEqualTo(3_000_000L);
    assertThat(Overlap.most(requested(0, 1, 1), List.of())).isZero();
  }

  @Test
  void timesThatTwoShareCountOnce() {
    assertThat(
            Overlap.together(List.of(requested(5, 6, 1), requested(0, 3, 1), requested(1, 2, 1))))
        .isEqualTo(Duration.ofHours(4));
    assertThat(Overlap.together(List.of())).isZero();
  }

  private static Reservation held(String id, ReservationRequest requested) {
    return Reservation.held(id, requested, NOON);
  }

  private static ReservationRequest requested(int from, int until, int kbps) {
    Instant end = NOON.plus(Duration.ofHours(until));
    return ReservationRequest.of(
        "voice",
        "10.0.0.1",
        "10.0.0.2",
        DataRate.ofKilobitsPerSecond(kbps),
        NOON.plus(Duration.ofHours(from)),
        Duration.ofHours(until - from),
        end);
  }
}
