package org.paceline.cli.reservations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.paceline.cli.Given;
import org.paceline.control.reservations.AdmissionDecision;
import org.paceline.control.reservations.Period;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.control.reservations.Transfer;
import org.paceline.control.view.ReservationView;
import org.paceline.intents.unit.DataRate;

final class ReservationTablesTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Instant NOW = Instant.parse("2026-12-01T20:30:00Z");
  private static final Function<Reservation, Optional<String>> KEPT = one -> Optional.empty();
  private static final Function<Reservation, Optional<DataRate>> ALL = one -> Optional.empty();
  private static final ReservationRequest NOW_ON = requested(NOW.minus(Duration.ofMinutes(1)));
  private static final ReservationRequest LATER = requested(NOW.plus(HOUR));

  private static ReservationRequest requested(Instant start) {
    DataRate rate = DataRate.ofKilobitsPerSecond(20_000);
    return ReservationRequest.of(
        "voip", "10.0.0.1", "10.0.0.2", rate, start, HOUR, start.plus(HOUR));
  }

  private static List<ReservationView> views(
      Function<Reservation, Optional<String>> shortfall,
      Function<Reservation, Optional<DataRate>> usable,
      Reservation... all) {
    return Stream.of(all)
        .map(
            one ->
                ReservationView.of(
                    one, NOW, shortfall.apply(one), usable.apply(one), Optional.empty()))
        .collect(Collectors.toList());
  }

  @Test
  void aReservationSaysHowFarItIs() {
    Reservation held = Reservation.held("r1", LATER, NOW);
    Reservation active = Reservation.held("r2", NOW_ON, NOW).committed();
    assertThat(ReservationsCommand.table(views(KEPT, ALL, held, active)).asText())
        .contains("r1  held until 2026-12-01T20:30:00Z  voip", "r2  active ", "20000 kbit/s")
        .endsWith("2 reservations, 1 of them active.");
    assertThat(ReservationsCommand.table(List.of()).asText()).endsWith("Nothing is reserved.");
  }

  @Test
  void whatTheNetworkCannotKeepIsShortAndTheLastLineSaysWhy() {
    Reservation kept = Reservation.held("r1", NOW_ON, NOW).committed();
    Reservation broken = Reservation.held("r2", NOW_ON, NOW).committed();
    Function<Reservation, Optional<String>> lacks =
        one -> Optional.of("It lacks much.").filter(why -> one.equals(broken));
    assertThat(ReservationsCommand.table(views(lacks, ALL, kept, broken)).asText())
        .contains("r1  active ", "r2  short ")
        .endsWith("2 reservations, 2 of them active. It lacks much.");
  }

  @Test
  void aTransferSaysWhatOfItIsSentAndHowItEnded() {
    ReservationRequest requested =
        ReservationRequest.transfer(
            "backup", "10.0.0.1", "10.0.0.2", 20_000_000_000L, NOW, NOW.plus(HOUR));
    Reservation going = Reservation.held("r3", requested, NOW).committed();
    Reservation met =
        going.with(Transfer.of(20_000_000_000L, 20_000_000_000L, Map.of(), Optional.of(NOW)));
    Reservation missed =
        going.with(Transfer.of(20_000_000_000L, 1_500_000L, Map.of(), Optional.of(NOW)));
    assertThat(ReservationsCommand.table(views(KEPT, ALL, going, met, missed)).asText())
        .contains("r3  active  backup", "0 B of 20.0 GB")
        .contains("r3  met     backup", "20.0 GB of 20.0 GB")
        .contains("r3  missed  backup", "1.5 MB of 20.0 GB");
    assertThat(
            ReserveCommand.table(
                    requested, AdmissionDecision.no("Too soon.", Optional.of(requested)))
                .asText())
        .contains("offered  49025 kbit/s  2026-12-01T20:30:00Z  2026-12-01T21:30:00Z");
  }

  @Test
  void bytesAreReadInTheUnitsOfDisks() {
    assertThat(Given.bytes("20GB")).isEqualTo(20_000_000_000L);
    assertThat(Given.bytes("1500")).isEqualTo(1_500);
    for (String bad : List.of("", "-1", "20 GB", "20gb", "1.5GB", "999999999999999TB")) {
      assertThatThrownBy(() -> Given.bytes(bad)).as(bad).hasMessageContaining("Maybe 20GB");
    }
  }

  @Test
  void whatItsConversationsCannotUseIsSeenBesideTheRate() {
    Reservation one = Reservation.held("r1", NOW_ON, NOW).committed();
    Function<Reservation, Optional<DataRate>> some =
        any -> Optional.of(DataRate.ofKilobitsPerSecond(5_000));
    assertThat(ReservationsCommand.table(views(KEPT, some, one)).asText())
        .contains("20000 kbit/s  5000 kbit/s  -")
        .endsWith("More than their conversations can use: r1.");
  }

  @Test
  void theCalendarSaysWhenHowMuchIsDue() {
    Reservation now = Reservation.held("r1", NOW_ON, NOW).committed();
    Reservation beside = Reservation.held("r2", NOW_ON, NOW).committed();
    assertThat(ReservationsCommand.calendar(Period.of(List.of(now, beside))).asText())
        .contains("40000 kbit/s  r1 r2")
        .endsWith("1 periods.");
    assertThat(ReservationsCommand.calendar(List.of()).asText()).endsWith("Nothing is reserved.");
  }

  @Test
  void anAnswerEndsWithWhatIsReservedOrWhyNot() {
    AdmissionDecision yes = AdmissionDecision.yes(Reservation.held("r7", LATER, NOW));
    assertThat(ReserveCommand.table(LATER, yes).asText())
        .endsWith("Held as r7 until 2026-12-01T20:30:00Z.");
    AdmissionDecision firm = AdmissionDecision.yes(Reservation.held("r8", LATER, NOW).committed());
    assertThat(ReserveCommand.table(LATER, firm).asText()).endsWith("Reserved as r8.");
    assertThat(ReserveCommand.table(LATER, AdmissionDecision.yes()).asText())
        .endsWith("It would be admitted.");
    AdmissionDecision no = AdmissionDecision.no("There is no room.", Optional.of(LATER));
    assertThat(ReserveCommand.table(NOW_ON, no).asText())
        .contains("offered  20000 kbit/s  2026-12-01T21:30:00Z")
        .endsWith("There is no room.");
  }
}
