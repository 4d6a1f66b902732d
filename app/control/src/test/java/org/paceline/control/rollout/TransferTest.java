package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.paceline.control.NoCeilings;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.User;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Conversation;
import org.paceline.control.policy.Ceiling;
import org.paceline.control.reservations.AdmissionDecision;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.control.reservations.Transfer;
import org.paceline.control.reservations.Transfers;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/** A backup with a deadline beside others who want all of the link, with the real planner. */
final class TransferTest {
  private static final long MEGABYTE = 1_000_000;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Office office = new Office();
  private final Conversation copy = Office.conversation(1, "copy", "files/copy");
  private final Transfers transfers =
      new Transfers(office.reservations, office.worker, Runnable::run);
  private final List<String> steps = new ArrayList<>();
  private List<Alarm> alarms = List.of();

  @BeforeEach
  void fillTheLink() {
    office.proofs.onRemoval(transfers::ended);
    office.reservations.onStep((step, one) -> steps.add(step + " " + one.id()));
    for (int host = 1; host <= 3; host++) {
      office.attach(host);
    }
    office.open(copy);
    for (int i = 0; i < 20; i++) {
      office.open(Office.conversation(1 + i % 3, "web" + i, ""));
    }
    office.settle();
  }

  private ReservationRequest transfer(long bytes, Duration in, Duration time) {
    Instant start = office.worker.instant().plus(in);
    return ReservationRequest.transfer(
        "files", "10.0.1.1", "10.0.2.1", bytes, start, start.plus(time));
  }

  private String committed(ReservationRequest requested) {
    String id = office.reservations.hold(NoCeilings.ADAM, requested).held().orElseThrow().id();
    office.reservations.commit(id);
    office.settle();
    return id;
  }

  /** Each second the copy sends this part of its rate, and everybody else all. */
  private void pass(int seconds, double part) {
    for (int i = 0; i < seconds; i++) {
      office.report(id -> id.equals(copy.id()) ? part : 1);
      alarms = transfers.look(office.proofs.all());
      office.settle();
    }
  }

  private long granted() {
    return Optional.ofNullable(office.planner.plan().grants().get(copy.id()))
        .orElseThrow()
        .rate()
        .toKbpsFloor();
  }

  private Reservation find(String id) {
    return office.reservations.find(id).orElseThrow();
  }

  private Transfer so(String id) {
    return find(id).transfer().orElseThrow();
  }

  @Test
  void itIsSentByItsDeadlineBesideOthersWhoWantTheWholeLink() {
    long before = granted();
    String id = committed(transfer(20 * MEGABYTE, Duration.ZERO, MINUTE));
    // 160 Mbit and a tenth on top in 57 s, a twentieth before the deadline.
    assertThat(find(id).requested().rate().toKbpsFloor()).isEqualTo(3_087);
    assertThat(before).isLessThan(3_087);
    assertThat(granted()).isGreaterThanOrEqualTo(3_087);
    Instant deadline = find(id).requested().end();
    pass(61, 1);
    assertThat(find(id).state(office.worker.instant())).isEqualTo(Reservation.State.MET);
    assertThat(so(id).endedAt().orElseThrow()).isBefore(deadline);
    assertThat(so(id).sentBytes()).isEqualTo(20 * MEGABYTE);
    assertThat(alarms).isEmpty();
    assertThat(steps).containsExactly("HELD " + id, "COMMITTED " + id, "MET " + id);
    assertThat(granted()).isEqualTo(before);
    assertThat(office.reservations.all()).isEmpty();
    assertThat(office.reservations.withEnded()).extracting(Reservation::id).containsExactly(id);
    office.worker.pass(Duration.ofDays(1));
    assertThat(office.reservations.withEnded()).isEmpty();
  }

  @Test
  void whoIsBehindGetsMoreAndIsInTimeAllTheSame() {
    String id = committed(transfer(12 * MEGABYTE, Duration.ZERO, MINUTE));
    long first = find(id).requested().rate().toKbpsFloor();
    pass(20, 0.1);
    assertThat(find(id).requested().rate().toKbpsFloor()).isGreaterThan(first * 13 / 10);
    assertThat(granted()).isGreaterThanOrEqualTo(find(id).requested().rate().toKbpsFloor());
    pass(41, 1);
    assertThat(find(id).state(office.worker.instant())).isEqualTo(Reservation.State.MET);
  }

  @Test
  void whoIsAheadNeedsLessAndOthersMayReserveTheRest() {
    String id = committed(transfer(36 * MEGABYTE, Duration.ZERO, MINUTE.multipliedBy(2)));
    DataRate first = find(id).requested().rate();
    ReservationRequest other =
        ReservationRequest.of(
                "",
                "10.0.1.2",
                "10.0.2.2",
                DataRate.ofKilobitsPerSecond(7_000),
                office.worker.instant().plus(MINUTE),
                MINUTE,
                office.worker.instant().plus(MINUTE.multipliedBy(2)))
            .sharedBy(4);
    assertThat(office.reservations.ask(NoCeilings.ADAM, other).isYes()).isFalse();
    // Nobody else talks for a while, and the copy has 5 Mbit/s, all that it can use.
    for (int i = 0; i < 20; i++) {
      office.close(Office.conversation(1 + i % 3, "web" + i, "").id());
    }
    office.settle();
    pass(40, 1);
    assertThat(find(id).requested().rate()).isLessThan(first);
    assertThat(office.reservations.ask(NoCeilings.ADAM, other).isYes()).isTrue();
  }

  @Test
  void whatIsNotSentByItsDeadlineIsMissedWithWhatWasLeft() {
    String id = committed(transfer(12 * MEGABYTE, Duration.ZERO, MINUTE));
    Instant deadline = find(id).requested().end();
    pass(63, 0.1);
    assertThat(find(id).state(office.worker.instant())).isEqualTo(Reservation.State.MISSED);
    assertThat(so(id).endedAt()).hasValue(deadline);
    assertThat(steps).last().isEqualTo("MISSED " + id);
    assertThat(alarms)
        .singleElement()
        .satisfies(
            alarm -> {
              assertThat(alarm.reservation()).hasValue(id);
              assertThat(alarm.sentence())
                  .contains("missed its deadline (" + deadline + ")")
                  .contains(so(id).leftBytes() + " of 12000000 bytes were left");
            });
    assertThat(office.reservations.cancel(id)).isTrue();
    pass(1, 1);
    assertThat(alarms).isEmpty();
    assertThat(steps).last().isEqualTo("MISSED " + id);
  }

  @Test
  void whoCannotCatchUpBesideWhatIsReservedIsAnAlarmBeforeTheDeadline() {
    String id = committed(transfer(12 * MEGABYTE, Duration.ZERO, MINUTE));
    Instant now = office.worker.instant();
    ReservationRequest rest =
        ReservationRequest.of(
                "",
                "10.0.1.2",
                "10.0.2.2",
                DataRate.ofKilobitsPerSecond(7_500),
                now,
                MINUTE.multipliedBy(2),
                now.plus(MINUTE.multipliedBy(2)))
            .sharedBy(7);
    committed(rest);
    pass(40, 0.1);
    assertThat(alarms)
        .anySatisfy(
            alarm -> {
              assertThat(alarm.reservation()).hasValue(id);
              assertThat(alarm.sentence()).contains("is behind", "there is room for");
            });
    long together =
        office.reservations.all().stream()
            .mapToLong(one -> one.requested().rate().toKbpsFloor())
            .sum();
    assertThat(together).as("nobody's promise is broken").isLessThanOrEqualTo(9_500);
  }

  @Test
  void oneThatCannotBeMetIsRefusedWithTheEarliestDeadlineThatCan() {
    // The copy can use 5 Mbit/s: 60 MB and a tenth take 105.6 s, of at least 111.2 s.
    ReservationRequest much = transfer(60 * MEGABYTE, Duration.ZERO, MINUTE);
    AdmissionDecision answer = office.reservations.ask(NoCeilings.ADAM, much);
    Instant earliest = much.start().plusSeconds(112);
    assertThat(answer.refusal().orElseThrow())
        .contains("can use 5000 kbit/s at most")
        .endsWith("The earliest deadline that can be met is (" + earliest + ").");
    assertThat(answer.counterOffer().orElseThrow().deadline()).isEqualTo(earliest);
    assertThat(answer.counterOffer().orElseThrow().bytes()).hasValue(60 * MEGABYTE);
    assertThat(
            office.reservations.hold(NoCeilings.ADAM, answer.counterOffer().orElseThrow()).isYes())
        .isTrue();
  }

  @Test
  void theCeilingsOfABranchHoldForItsTransfers() {
    User boris = User.of("boris", Set.of("viewer", "operator:files"));
    office.ceilings.set(
        Author.of("anna", Optional.empty()),
        "",
        Ceiling.of(IntentPath.parse("files"))
            .rate(Optional.of(DataRate.ofKilobitsPerSecond(2_200)))
            .duration(Optional.of(MINUTE.multipliedBy(2)))
            .build());
    ReservationRequest fast = transfer(20 * MEGABYTE, Duration.ZERO, MINUTE);
    AdmissionDecision answer = office.reservations.ask(boris, fast);
    assertThat(answer.refusal().orElseThrow()).contains("The ceiling of (files) is 2200 kbit/s");
    assertThat(answer.counterOffer().orElseThrow().deadline())
        .isEqualTo(fast.start().plusSeconds(85));
    // A transfer that would take longer than a branch may reserve is refused, and told of a shorter
    // one that fits.
    ReservationRequest slow = transfer(20 * MEGABYTE, Duration.ZERO, MINUTE.multipliedBy(10));
    answer = office.reservations.ask(boris, slow);
    assertThat(answer.refusal().orElseThrow()).contains("The ceiling of (files) is 120 s");
    assertThat(answer.counterOffer().orElseThrow().deadline())
        .isEqualTo(fast.start().plusSeconds(85));
    answer = office.reservations.ask(boris, transfer(40 * MEGABYTE, Duration.ZERO, MINUTE));
    assertThat(answer.refusal().orElseThrow()).endsWith("No deadline can be met.");
    assertThat(answer.counterOffer()).isEmpty();
  }

  @Test
  void whatWasSentBeforeAndByOthersDoesNotCount() {
    pass(10, 1);
    String id = committed(transfer(12 * MEGABYTE, Duration.ofSeconds(5), MINUTE));
    pass(4, 1);
    assertThat(so(id).sentBytes()).isZero();
    long before = office.proof("h1", "copy").sentBytes();
    pass(11, 1);
    long since = office.proof("h1", "copy").sentBytes() - before;
    assertThat(so(id).sentBytes()).isBetween(since * 80 / 100, since);
  }

  @Test
  void theLastThatAConversationSentCountsWhenItIsOver() {
    String id = committed(transfer(12 * MEGABYTE, Duration.ZERO, MINUTE));
    pass(10, 1);
    long before = so(id).sentBytes();
    office.report(conversation -> 1);
    office.close(copy.id());
    office.settle();
    assertThat(so(id).sentBytes()).isGreaterThan(before);
    assertThat(so(id).distributed()).isEmpty();
  }

  @Test
  void bytesCountForOneOfTwoTransfersByWhatEachIsPromised() {
    String late = committed(transfer(6 * MEGABYTE, Duration.ZERO, MINUTE.multipliedBy(3)));
    String soon = committed(transfer(4 * MEGABYTE, Duration.ZERO, MINUTE));
    pass(20, 1);
    assertThat((double) so(soon).sentBytes() / so(late).sentBytes()).isBetween(1.8, 2.2);
    assertThat(so(late).sentBytes() + so(soon).sentBytes())
        .isLessThanOrEqualTo(office.proof("h1", "copy").sentBytes());
    pass(40, 1);
    assertThat(find(soon).state(office.worker.instant())).isEqualTo(Reservation.State.MET);
    pass(120, 1);
    assertThat(find(late).state(office.worker.instant())).isEqualTo(Reservation.State.MET);
  }
}
