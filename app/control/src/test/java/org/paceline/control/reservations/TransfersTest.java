package org.paceline.control.reservations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.ManualWorker;
import org.paceline.control.NoCeilings;
import org.paceline.control.RememberedRecords;
import org.paceline.control.WholeLinks;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Transport;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.port.ReservedRates;
import org.paceline.intents.unit.DataRate;

/** Transfers whose conversation sends at most what is due to it, in frames as TCP makes them. */
final class TransfersTest {
  private static final int FRAME = 1_514;

  /** With timestamps. */
  private static final int PAYLOAD = 1_448;

  private static final ConversationId COPY = ConversationId.of("h1", "copy");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final RememberedRecords<Reservation> records = new RememberedRecords<>();
  private final RememberedRecords<String> numbers = new RememberedRecords<>();
  private final IntentPolicies policies = ReservationStoreTest.policies();
  private final ProofBook book = new ProofBook();
  private ManualWorker time = new ManualWorker();
  private Reservations reservations = controller();
  private Transfers transfers = new Transfers(reservations, time, Runnable::run);
  private double bytesToSend;
  private long frames;

  private Reservations controller() {
    Reservations started =
        new Reservations(
            new ReservationStore(records, numbers),
            new Terms(
                new Admission(
                    new AutoAllocator(new NetworkAllocator(Optional.empty())),
                    Duration.ofMinutes(1)),
                ReservationStoreTest::twoHosts,
                WholeLinks.RESERVABLE,
                policies,
                book,
                NoCeilings.all()),
            time,
            time,
            () -> {});
    started.restore();
    return started;
  }

  private void talk() {
    Conversation copy =
        Conversation.builder()
            .id(COPY)
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .transport(Transport.TCP)
            .build();
    book.put(Proof.of(copy, policies.resolve(""), time.instant()));
  }

  private Optional<String> hold(ReservationRequest requested) {
    Optional<Reservation> held = reservations.hold(NoCeilings.ADAM, requested).held();
    held.ifPresent(one -> reservations.commit(one.id()));
    return held.map(Reservation::id);
  }

  private ReservationRequest transfer(long bytes, Duration in, Duration lasting) {
    Instant start = time.instant().plus(in);
    return ReservationRequest.transfer(
        "", "10.0.0.1", "10.0.0.2", bytes, start, start.plus(lasting));
  }

  /** A second passes, in which it sends this part of what is due, and is reported. */
  private void second(ToDoubleFunction<Instant> part) {
    DataRate due =
        reservations.due(book.all()).getOrDefault(COPY, ReservedRates.Due.NOTHING).rate();
    time.pass(SECOND);
    bytesToSend += due.millibitsPerSecond() * part.applyAsDouble(time.instant()) / 8_000;
    frames = (long) (bytesToSend / FRAME);
    book.change(
        COPY,
        proof -> proof.sentBytes(frames * FRAME).sentPackets(frames).countedAt(time.instant()));
    transfers.look(book.all());
  }

  @Property(tries = 100, seed = "20")
  void whoSendsAllThatIsDueIsInTimeAndNoSumOfPromisesIsAboveTheLink(@ForAll long seed) {
    TransfersTest office = new TransfersTest();
    office.sendsAllThatIsDue(new Random(seed));
  }

  private void sendsAllThatIsDue(Random chance) {
    talk();
    List<String> all = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; i < 4; i++) {
      long some = 500_000L + chance.nextInt(5_000_000);
      Duration in = Duration.ofSeconds(chance.nextInt(60));
      Optional<String> id = hold(transfer(some, in, Duration.ofSeconds(20 + chance.nextInt(200))));
      id.ifPresent(all::add);
      bytes += id.isPresent() ? some : 0;
    }
    for (int i = 0; i < 300; i++) {
      second(now -> 1);
      long promised =
          reservations.due(book.all()).values().stream()
              .mapToLong(due -> due.rate().millibitsPerSecond())
              .sum();
      assertThat(promised).isLessThanOrEqualTo(ReservationStoreTest.ALL.millibitsPerSecond());
    }
    assertThat(reservations.withEnded())
        .allMatch(one -> one.state(time.instant()) == Reservation.State.MET)
        .allMatch(one -> !one.endedAt().orElseThrow().isAfter(one.requested().end()))
        .extracting(Reservation::id)
        .containsExactlyElementsOf(all);
    assertThat(frames * PAYLOAD).isGreaterThanOrEqualTo(bytes * 99 / 100);
  }

  @Test
  void whatWasSentIsCountedOnceAcrossARestart() {
    talk();
    second(now -> 0);
    String id = hold(transfer(3_000_000, Duration.ZERO, Duration.ofMinutes(1))).orElseThrow();
    for (int i = 0; i < 13; i++) {
      second(now -> 1);
    }
    long sent = sent(id);
    assertThat(sent).isEqualTo(frames * (FRAME - 54));

    // What was sent since it was stored is counted again, from where that was.
    ManualWorker later = new ManualWorker();
    later.pass(Duration.between(later.instant(), time.instant().plus(SECOND)));
    time = later;
    book.remove(COPY);
    reservations = controller();
    transfers = new Transfers(reservations, time, Runnable::run);
    talk();
    assertThat(sent(id)).isPositive().isLessThan(sent);
    second(now -> 1);
    assertThat(sent(id)).isEqualTo(frames * (FRAME - 54));
  }

  @Test
  void oneThatItsSenderBeganBeforeAControllerStartedIsNotTakenForNew() {
    String id = hold(transfer(3_000_000, SECOND, Duration.ofMinutes(1))).orElseThrow();
    ManualWorker later = new ManualWorker();
    later.pass(Duration.ofSeconds(30));
    time = later;
    reservations = controller();
    transfers = new Transfers(reservations, time, Runnable::run);
    Conversation copy =
        Conversation.builder()
            .id(COPY)
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .firstSeen(Instant.EPOCH.plusMillis(500))
            .build();
    book.put(Proof.of(copy, policies.resolve(""), time.instant()));
    bytesToSend = 1e9;
    second(now -> 1);
    assertThat(sent(id)).isZero();
    second(now -> 1);
    assertThat(sent(id)).isPositive().isLessThan(300_000);
  }

  private long sent(String id) {
    return reservations.find(id).flatMap(Reservation::transfer).orElseThrow().sentBytes();
  }
}
