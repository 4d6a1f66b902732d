package org.paceline.control.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.RememberedRecords;

final class ChangeLogTest {
  private static final Author ANNA = Author.of("anna", Optional.empty());
  private static final Subject DRAFT = Subject.of(Subject.Kind.DRAFT, "d");

  private final ManualWorker clock = new ManualWorker();
  private final RememberedRecords<Change> records = new RememberedRecords<>();
  private final AtomicBoolean first = new AtomicBoolean(true);
  private final RememberedRecords<PendingChange> begun = new RememberedRecords<>(this::meanwhile);
  private final ChangeLog log = new ChangeLog(records, begun, "n1", clock);
  private final CountDownLatch underWay = new CountDownLatch(1);

  /** Another thread takes the number that this one was about to take, and is never done. */
  private void meanwhile() {
    if (!first.getAndSet(false)) {
      return;
    }
    Thread other =
        new Thread(
            () ->
                log.carryOut(
                    ANNA,
                    DRAFT,
                    "Other.",
                    "",
                    "",
                    "after",
                    at -> {
                      underWay.countDown();
                      return forEver();
                    }));
    other.setDaemon(true);
    other.start();
    try {
      underWay.await();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  private static boolean forEver() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
    return true;
  }

  @Test
  void whoWasQuickerForANumberIsNotForgottenToBeUnderWay() {
    log.carryOut(ANNA, DRAFT, "Mine.", "", "", "after", at -> true);
    List<String> cutOff = new ArrayList<>();
    new ChangeLog(records, begun, "n1", clock)
        .settle(
            left -> {
              cutOff.add(left.change().operation());
              return false;
            });
    assertThat(cutOff).containsExactly("Other.");
    assertThat(records.find("1").orElseThrow().operation()).isEqualTo("Other.");
    assertThat(records.find("2").orElseThrow().operation()).isEqualTo("Mine.");
    assertThat(records.find("3").orElseThrow().operation())
        .isEqualTo("Change 1 was not made: the controller ended before.");
    assertThat(begun.keys()).isEmpty();
  }

  @Test
  void whatAnotherNodeLeftIsItsOwnToLookUp() {
    first.set(false);
    begun.replace(
        "n2/1", PendingChange.of(DRAFT, Change.of(1, clock.instant(), ANNA, "a", "", "", "b")));
    new ChangeLog(records, begun, "n1", clock).settle(left -> false);
    assertThat(begun.keys()).containsExactly("n2/1");
    assertThat(records.size()).isZero();
  }
}
