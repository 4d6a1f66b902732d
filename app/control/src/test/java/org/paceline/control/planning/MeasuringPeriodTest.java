package org.paceline.control.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.Example;
import org.paceline.control.ManualWorker;

final class MeasuringPeriodTest {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final ManualWorker worker = new ManualWorker();
  private final Counted counted = new Counted();
  private final List<Duration> replanned = new ArrayList<>();
  private final List<Duration> written = new ArrayList<>();
  private final MeasuringPeriod period =
      new MeasuringPeriod(worker, counted, () -> replanned.add(worker.now()));

  /** Counters that come when the test says so. */
  private final class Counted implements MeasuringPeriod.Measurement {
    CompletableFuture<Void> answer = CompletableFuture.allOf();
    final List<Duration> measured = new ArrayList<>();
    boolean moves;
    boolean isBroken;

    @Override
    public CompletableFuture<Void> count() {
      if (isBroken) {
        throw new IllegalStateException("a bug");
      }
      return answer;
    }

    @Override
    public boolean measure() {
      measured.add(worker.now());
      return moves;
    }

    @Override
    public void clear() {
      measured.clear();
    }
  }

  /** Rates go by what was counted up to now, and not by what was known before. */
  @Example
  void nothingIsMeasuredBeforeAllHaveCounted() {
    counted.answer = new CompletableFuture<>();
    counted.moves = true;
    period.planned(PERIOD, true);
    counted.measured.clear();
    worker.pass(PERIOD.plusMillis(50));
    assertThat(counted.measured).isEmpty();
    worker.execute(() -> written.add(worker.now()));
    counted.answer.complete(null);
    assertThat(written).as("what was counted is not written down yet").isEmpty();
    assertThat(counted.measured).isEmpty();
    worker.pass(Duration.ZERO);
    assertThat(written).hasSize(1);
    assertThat(counted.measured).containsExactly(PERIOD.plusMillis(50));
    assertThat(replanned).hasSize(1);
    worker.pass(PERIOD);
    assertThat(counted.measured).as("once, and the next begins with the plan").hasSize(1);
  }

  @Example
  void whoDoesNotAnswerIsNotWaitedForForLong() {
    counted.answer = new CompletableFuture<>();
    period.planned(PERIOD, true);
    counted.measured.clear();
    worker.pass(PERIOD.plusMillis(300));
    assertThat(counted.measured).hasSize(1);
    worker.pass(PERIOD.plusMillis(200));
    assertThat(counted.measured).as("and the next period is as long").hasSize(2);
  }

  @Example
  void whoCannotBeAskedIsMeasuredByWhatIsKnown() {
    counted.answer = CompletableFuture.failedFuture(new IllegalStateException("a bug"));
    period.planned(PERIOD, true);
    counted.measured.clear();
    worker.pass(PERIOD);
    assertThat(counted.measured).hasSize(1);
  }

  @Example
  void nothingIsMeasuredWhereNobodyIsRuledWhenTheAnswerComes() {
    counted.answer = new CompletableFuture<>();
    period.planned(PERIOD, true);
    worker.pass(PERIOD);
    period.planned(PERIOD, false);
    counted.answer.complete(null);
    worker.pass(PERIOD);
    assertThat(counted.measured).isEmpty();
    assertThat(replanned).isEmpty();
  }

  @Example
  void measuringGoesOnWhereAskingThrows() {
    counted.isBroken = true;
    worker.goingOn();
    period.planned(PERIOD, true);
    counted.measured.clear();
    worker.pass(PERIOD.multipliedBy(3));
    assertThat(counted.measured).hasSize(2);
    assertThat(worker.faults).as("and somebody hears of each").hasSizeGreaterThanOrEqualTo(2);
  }

  @Example
  void aPeriodThatIsChangedWhileItRunsEndsANewPeriodAfterItBegan() {
    period.planned(Duration.ofHours(1), true);
    counted.measured.clear();
    worker.pass(Duration.ofMillis(400));
    period.planned(PERIOD, true);
    worker.pass(Duration.ofSeconds(3));
    assertThat(counted.measured)
        .as("once a period, and the one before is forgotten")
        .containsExactly(PERIOD, PERIOD.multipliedBy(2), PERIOD.multipliedBy(3));
    period.planned(Duration.ofSeconds(10), true);
    counted.measured.clear();
    worker.pass(Duration.ofSeconds(13));
    assertThat(counted.measured).containsExactly(Duration.ofSeconds(13));
  }

  @Example
  void aPeriodThatIsOverWhenItIsMadeShorterEndsAtOnce() {
    period.planned(Duration.ofHours(1), true);
    counted.measured.clear();
    worker.pass(Duration.ofSeconds(5));
    period.planned(PERIOD, true);
    worker.pass(Duration.ZERO);
    assertThat(counted.measured).containsExactly(Duration.ofSeconds(5));
    worker.pass(PERIOD);
    assertThat(counted.measured).hasSize(2);
  }

  @Example
  void aPeriodThatIsChangedWhileCountersAreAskedIsTheNextOnesLength() {
    counted.answer = new CompletableFuture<>();
    period.planned(PERIOD, true);
    counted.measured.clear();
    worker.pass(PERIOD.plusMillis(100));
    period.planned(PERIOD.multipliedBy(2), true);
    counted.answer.complete(null);
    worker.pass(Duration.ZERO);
    assertThat(counted.measured).containsExactly(PERIOD.plusMillis(100));
    worker.pass(PERIOD.multipliedBy(2));
    assertThat(counted.measured).hasSize(2);
  }

  @Example
  void aSchemeThatIsTurnedOffAndOnBeginsAWholePeriod() {
    period.planned(PERIOD, true);
    worker.pass(Duration.ofMillis(900));
    period.planned(PERIOD, false);
    period.planned(PERIOD, true);
    counted.measured.clear();
    worker.pass(Duration.ofMillis(900));
    assertThat(counted.measured).isEmpty();
    worker.pass(Duration.ofMillis(100));
    assertThat(counted.measured).hasSize(1);
  }
}
