package org.paceline.control.reservations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.ManualWorker;
import org.paceline.control.NoCeilings;
import org.paceline.control.RememberedRecords;
import org.paceline.control.WholeLinks;
import org.paceline.control.inventory.ProofBook;
import org.paceline.intents.unit.DataRate;

/** Who comes while the solver is at work for somebody else. */
final class ManyAskTest {
  private final Deque<Runnable> whileSolving = new ArrayDeque<>();
  private final ManualWorker time = new ManualWorker();
  private final Reservations reservations =
      new Reservations(
          new ReservationStore(new RememberedRecords<>(), new RememberedRecords<>()),
          new Terms(
              new Admission(interrupted(), Duration.ofMinutes(1)),
              ReservationStoreTest::twoHosts,
              WholeLinks.RESERVABLE,
              ReservationStoreTest.policies(),
              new ProofBook(),
              NoCeilings.all()),
          time,
          time,
          () -> {});

  @Test
  void whoAsksWaitsForNobodysAdmission() {
    ReservationRequest requested = requested(ReservationStoreTest.ALL.millibitsPerSecond());
    whileSolving.add(
        () ->
            elsewhere(
                () -> assertThat(reservations.ask(NoCeilings.ADAM, requested).isYes()).isTrue()));
    assertThat(reservations.hold(NoCeilings.ADAM, requested).isYes()).isTrue();
    assertThat(whileSolving).isEmpty();
  }

  @Test
  void whoIsOvertakenGetsWhatIsLeft() {
    long all = ReservationStoreTest.ALL.millibitsPerSecond();
    whileSolving.add(
        () ->
            elsewhere(
                () ->
                    assertThat(reservations.hold(NoCeilings.ADAM, requested(all / 2)).isYes())
                        .isTrue()));
    assertThat(reservations.hold(NoCeilings.ADAM, requested(all)).isYes()).isFalse();
    assertThat(reservations.hold(NoCeilings.ADAM, requested(all / 2)).isYes()).isTrue();
    assertThat(reservations.all()).hasSize(2);
  }

  @Test
  void whoIsOvertakenAgainAndAgainHasTheirTurnAllTheSame() {
    long some = ReservationStoreTest.ALL.millibitsPerSecond() / 20;
    for (int i = 0; i < 4; i++) {
      whileSolving.add(() -> elsewhere(() -> reservations.hold(NoCeilings.ADAM, requested(some))));
      // For that one's own solve.
      whileSolving.add(() -> {});
    }
    assertThat(reservations.hold(NoCeilings.ADAM, requested(some)).isYes()).isTrue();
    assertThat(whileSolving).isEmpty();
    assertThat(reservations.all()).hasSize(5);
  }

  private Allocator interrupted() {
    Allocator real = new AutoAllocator(new NetworkAllocator(Optional.empty()));
    return (problem, options) -> {
      Optional.ofNullable(whileSolving.poll()).ifPresent(Runnable::run);
      return real.solve(problem, options);
    };
  }

  private static void elsewhere(Runnable act) {
    CompletableFuture.runAsync(act).orTimeout(2, TimeUnit.MINUTES).join();
  }

  private static ReservationRequest requested(long millibitsPerSecond) {
    Instant start = Instant.EPOCH.plusSeconds(60);
    Instant end = start.plusSeconds(60);
    return ReservationRequest.of(
        "",
        "10.0.0.1",
        "10.0.0.2",
        DataRate.ofMillibitsPerSecond(millibitsPerSecond),
        start,
        Duration.between(start, end),
        end);
  }
}
