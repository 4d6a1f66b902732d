package org.paceline.control.reservations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.control.policy.Ceiling;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

class CeilingCheckTest {
  private static ReservationRequest circuit(String from, String to, int hour) {
    Instant start = Instant.EPOCH.plus(Duration.ofHours(hour));
    return ReservationRequest.of(
        "backup",
        from,
        to,
        DataRate.ofKilobitsPerSecond(1_000),
        start,
        Duration.ofHours(1),
        start.plus(Duration.ofHours(1)));
  }

  private static Optional<String> refusal(ReservationRequest requested) {
    Ceiling hour =
        Ceiling.of(IntentPath.parse("backup")).duration(Optional.of(Duration.ofHours(1))).build();
    Reservation before = Reservation.committed("r000001", circuit("10.0.1.0/24", "10.0.2.0/24", 0));
    return new CeilingCheck(List.of(hour), List.of(before), (one, others, percent) -> true)
        .refusal(requested);
  }

  /** Else whoever may have an hour would have as many as there are ways to write the hosts. */
  @Test
  void timeOfAPrefixCountsForEachOfItsHosts() {
    assertThat(refusal(circuit("10.0.1.7", "10.0.2.0/25", 1)).orElseThrow())
        .contains("3600 s of reserved time", "it would be 7200 s");
    assertThat(refusal(circuit("10.0.1.7", "10.0.3.1", 1))).isEmpty();
  }
}
