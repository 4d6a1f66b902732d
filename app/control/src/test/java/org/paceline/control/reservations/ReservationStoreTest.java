package org.paceline.control.reservations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.ManualWorker;
import org.paceline.control.NoCeilings;
import org.paceline.control.RememberedRecords;
import org.paceline.control.WholeLinks;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.Request;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.NetworkState;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** What a second controller on the same store finds, as after a restart. */
final class ReservationStoreTest {
  private static final Duration HOUR = Duration.ofHours(1);
  static final DataRate ALL = DataRate.ofKilobitsPerSecond(1_000);

  private final RememberedRecords<Reservation> records = new RememberedRecords<>();
  private final RememberedRecords<String> numbers = new RememberedRecords<>();
  private final ManualWorker time = new ManualWorker();
  private final List<String> steps = new ArrayList<>();
  private int changes;

  private Reservations start(ManualWorker worker) {
    Reservations started =
        new Reservations(
            new ReservationStore(records, numbers),
            new Terms(
                new Admission(
                    new AutoAllocator(new NetworkAllocator(Optional.empty())),
                    Duration.ofMinutes(1)),
                ReservationStoreTest::twoHosts,
                WholeLinks.RESERVABLE,
                policies(),
                new ProofBook(),
                NoCeilings.all()),
            worker,
            worker,
            () -> changes++);
    started.onStep((step, reservation) -> steps.add(step + " " + reservation.id()));
    started.restore();
    return started;
  }

  private ReservationRequest requested(Duration in) {
    Instant start = time.instant().plus(in);
    return ReservationRequest.of("", "10.0.0.1", "10.0.0.2", ALL, start, HOUR, start.plus(HOUR));
  }

  private String committed(Reservations at, Duration in) {
    String id = at.hold(NoCeilings.ADAM, requested(in)).held().orElseThrow().id();
    assertThat(at.commit(id)).isPresent();
    return id;
  }

  /** As a process that ends: nothing that it had in mind happens any more. */
  private ManualWorker restarted() {
    ManualWorker next = new ManualWorker();
    next.pass(Duration.between(next.instant(), time.instant()));
    return next;
  }

  @Test
  void whatWasCommittedKeepsItsRoomComesDueAndEnds() {
    String id = committed(start(time), HOUR);
    time.pass(Duration.ofMinutes(10));
    ManualWorker worker = restarted();
    Reservations again = start(worker);
    assertThat(again.all()).extracting(Reservation::id).containsExactly(id);
    assertThat(again.ask(NoCeilings.ADAM, requested(HOUR)).isYes()).isFalse();
    changes = 0;
    worker.pass(HOUR);
    assertThat(again.find(id).orElseThrow().isActive(worker.instant())).isTrue();
    assertThat(changes).isEqualTo(1);
    steps.clear();
    worker.pass(HOUR);
    assertThat(steps).containsExactly("ENDED " + id);
    assertThat(start(restarted()).all()).isEmpty();
    assertThat(records.size()).isZero();
  }

  @Test
  void whatWasHeldMayBeCommittedUntilItsTimeIsOver() {
    Reservations first = start(time);
    String held = first.hold(NoCeilings.ADAM, requested(HOUR)).held().orElseThrow().id();
    String late =
        first.hold(NoCeilings.ADAM, requested(HOUR.multipliedBy(5))).held().orElseThrow().id();
    time.pass(Duration.ofSeconds(50));
    ManualWorker worker = restarted();
    Reservations again = start(worker);
    assertThat(again.commit(held)).isPresent();
    worker.pass(Duration.ofSeconds(11));
    assertThat(again.commit(late)).isEmpty();
    assertThat(steps).contains("ENDED " + late);
  }

  @Test
  void whatEndedWhileNobodyWasThereIsTold() {
    String id = committed(start(time), Duration.ZERO);
    ManualWorker worker = restarted();
    worker.pass(HOUR.multipliedBy(2));
    steps.clear();
    Reservations again = start(worker);
    worker.pass(Duration.ofSeconds(1));
    assertThat(again.all()).isEmpty();
    assertThat(steps).containsExactly("ENDED " + id);
  }

  @Test
  void whatWasGivenBackStaysSoAndItsNumberIsNobodyElses() {
    Reservations first = start(time);
    String id = committed(first, HOUR);
    assertThat(first.cancel(id)).isTrue();
    Reservations again = start(restarted());
    assertThat(again.find(id)).isEmpty();
    assertThat(again.hold(NoCeilings.ADAM, requested(HOUR)).held().orElseThrow().id())
        .isNotEqualTo(id);
  }

  @Test
  void whatIsCommittedAtOnceIsNeverStoredAsHeld() {
    Reservations first = start(time);
    List<Reservation> stored = new ArrayList<>();
    first.onStep((step, one) -> stored.add(records.find(one.id()).orElseThrow()));
    String id = reserve(first, HOUR, "request-1").held().orElseThrow().id();
    assertThat(steps).containsExactly("HELD " + id, "COMMITTED " + id);
    assertThat(stored).hasSize(2).allMatch(Reservation::isCommitted);
  }

  @Test
  void aRequestThatACrashCutOffFindsWhatItHadMade() {
    AdmissionDecision made = reserve(start(time), HOUR, "request-1");
    Reservations again = start(restarted());
    assertThat(reserve(again, HOUR, "request-1")).isEqualTo(made);
    assertThat(reserve(again, HOUR.multipliedBy(5), "request-2").held()).isNotEqualTo(made.held());
    assertThat(again.all()).hasSize(2);
  }

  private AdmissionDecision reserve(Reservations at, Duration in, String request) {
    ChangeLog changes =
        new ChangeLog(
            RememberedRecords.numbered(new RememberedRecords<>()),
            new RememberedRecords<>(),
            "n1",
            time);
    return new ReservationDesk(at, changes)
        .reserve(
            NoCeilings.ADAM,
            Author.PACELINE.by(Optional.of(Request.of(request, Instant.EPOCH))),
            "",
            requested(in),
            true);
  }

  @Test
  void whatCannotBeWrittenDownIsNotPromised() {
    Reservations reservations = start(time);
    String held = reservations.hold(NoCeilings.ADAM, requested(HOUR)).held().orElseThrow().id();
    String firm = committed(reservations, HOUR.multipliedBy(5));
    steps.clear();
    records.refuse();
    numbers.refuse();
    assertThatThrownBy(() -> reservations.hold(NoCeilings.ADAM, requested(HOUR.multipliedBy(9))))
        .hasMessageContaining("away");
    assertThatThrownBy(() -> reservations.commit(held)).hasMessageContaining("away");
    assertThatThrownBy(() -> reservations.cancel(firm)).hasMessageContaining("away");
    assertThat(reservations.find(held).orElseThrow().isCommitted()).isFalse();
    assertThat(reservations.all()).extracting(Reservation::id).containsExactly(held, firm);
    assertThat(steps).isEmpty();
  }

  static NetworkState twoHosts() {
    Network network =
        Network.of(
            Set.of("h1", "h2"),
            List.of(Link.of("h1", "h2", ALL, LinkDelay.constant(Latency.ofMillis(1)))));
    return NetworkState.of(network, Map.of("10.0.0.1", "h1", "10.0.0.2", "h2"), List.of());
  }

  static IntentPolicies policies() {
    return new IntentPolicies(
        IntentTree.withDefault(
            UtilityFunction.of(
                "any",
                List.of(ALL),
                List.of(Latency.ofMillis(50)),
                List.of(List.of(Utility.of(3.0))))));
  }
}
