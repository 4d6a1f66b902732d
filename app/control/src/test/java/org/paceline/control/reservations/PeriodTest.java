package org.paceline.control.reservations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.DataRate;

class PeriodTest {
  private static Reservation hours(String id, int from, int until, int kbps) {
    Instant start = Instant.EPOCH.plus(Duration.ofHours(from));
    Duration length = Duration.ofHours(until - from);
    ReservationRequest requested =
        ReservationRequest.of(
            "files",
            "10.0.0.1",
            "10.0.0.2",
            DataRate.ofKilobitsPerSecond(kbps),
            start,
            length,
            start.plus(length));
    return Reservation.held(id, requested, Instant.EPOCH).committed();
  }

  @Test
  void aPageBeginsWhereSomebodysRateBeginsOrEndsAndEmptyOnesAreLeftOut() {
    List<Period> pages =
        Period.of(List.of(hours("a", 1, 4, 10), hours("b", 2, 3, 5), hours("c", 6, 7, 1)));
    assertThat(
            pages.stream()
                .map(
                    page ->
                        page.from().toString().substring(11, 13)
                            + "-"
                            + page.until().toString().substring(11, 13)
                            + " "
                            + page.reservations().stream()
                                .map(Reservation::id)
                                .collect(Collectors.joining())
                            + " "
                            + page.rate())
                .collect(Collectors.toList()))
        .containsExactly(
            "01-02 a 10 kbit/s", "02-03 ab 15 kbit/s", "03-04 a 10 kbit/s", "06-07 c 1 kbit/s");
    assertThat(Period.of(List.of())).isEmpty();
  }
}
