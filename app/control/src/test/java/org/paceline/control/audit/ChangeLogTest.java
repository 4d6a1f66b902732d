package org.paceline.control.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
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
  private final ChangeLog log =
      new ChangeLog(RememberedRecords.numbered(records), begun, "n1", clock);
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
    new ChangeLog(RememberedRecords.numbered(records), begun, "n1", clock)
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
  void whatIsUnderWayOrMayBeAskedForAgainOutlivesRetention() throws IOException {
    first.set(false);
    Request asked = Request.of("r", clock.instant());
    carryOut(100, ANNA);
    log.carryOut(
        ANNA,
        DRAFT,
        "Long.",
        "",
        "",
        "after",
        at -> {
          carryOut(400, ANNA);
          // 101 is under way: it stays alone.
          retain();
          assertThat(log.find(101)).isPresent();
          assertThat(log.find(102)).isEmpty();
          return true;
        });
    log.carryOut(ANNA.by(Optional.of(asked)), DRAFT, "Asked.", "", "", "after", at -> true);
    carryOut(1000, ANNA);
    retain();
    assertThat(log.find(101)).isEmpty();
    assertThat(log.find(500)).isEmpty();
    assertThat(log.find(501)).isPresent();
    assertThat(log.wasMade(asked)).isTrue();
    clock.pass(Request.REPEATABLE);
    retain();
    assertThat(log.find(501)).isEmpty();
    assertThatThrownBy(() -> log.mustFind(501, ""))
        .isInstanceOf(Absent.class)
        .hasMessage("The change (501) is not kept here any more. It is elsewhere.");
    assertThatThrownBy(() -> log.mustFind(9999, "Maybe less."))
        .isInstanceOf(Absent.class)
        .hasMessage("There is no change (9999). Maybe less.");
  }

  private void carryOut(int times, Author author) {
    for (int n = 0; n < times; n++) {
      log.carryOut(author, DRAFT, "Many.", "", "", "after", at -> true);
    }
  }

  private void retain() {
    try {
      log.retention(
              () -> 100,
              (first, last, some) -> {
                some.forEach(one -> {});
                return "It is elsewhere.";
              })
          .run();
    } catch (IOException none) {
      throw new AssertionError(none);
    }
  }

  @Test
  void whatAnotherNodeLeftIsItsOwnToLookUp() {
    first.set(false);
    begun.replace(
        "n2/1", PendingChange.of(DRAFT, Change.of(1, clock.instant(), ANNA, "a", "", "", "b")));
    new ChangeLog(RememberedRecords.numbered(records), begun, "n1", clock).settle(left -> false);
    assertThat(begun.keys()).containsExactly("n2/1");
    assertThat(records.size()).isZero();
  }
}
