package org.paceline.control.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.paceline.control.SolverBug;
import org.paceline.control.WrittenFaults;

final class WorkerThreadTest {
  private static final int SECONDS = 60;

  private final WrittenFaults written = new WrittenFaults();
  private final WorkerThread worker = new WorkerThread("test", written);

  @AfterEach
  void close() {
    worker.close();
  }

  @ParameterizedTest
  @EnumSource
  void whateverOnePieceOfWorkThrowsTheNextIsDone(SolverBug bug) throws Exception {
    CountDownLatch done = new CountDownLatch(2);
    worker.execute(bug::thrown);
    worker.execute(done::countDown);
    worker.after(Duration.ZERO, bug::thrown);
    worker.after(Duration.ofMillis(1), done::countDown);
    assertThat(done.await(SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsDoneAgainAndAgainIsSoThoughItFailsEachTimeAndIsWrittenDownOnce(SolverBug bug)
      throws Exception {
    CountDownLatch done = new CountDownLatch(20);
    worker.every(
        () -> Duration.ofMillis(1),
        () -> {
          done.countDown();
          bug.thrown();
        });
    assertThat(done.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    worker.close();
    assertThat(written.all).singleElement().asString().contains(bug.said);
  }

  /** Two that fail in turn are two faults, and not one that is new each time. */
  @ParameterizedTest
  @EnumSource
  void twoThatFailInTurnAreWrittenDownOnceEach(SolverBug bug) throws Exception {
    CountDownLatch done = new CountDownLatch(10);
    for (int i = 0; i < 10; i++) {
      worker.execute(bug::thrown);
      worker.execute(WorkerThreadTest::another);
      worker.execute(done::countDown);
    }
    assertThat(done.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(written.all).hasSize(2);
  }

  /** Each says its failure once only, and all of them throw at one place. */
  @ParameterizedTest
  @EnumSource
  void ofSeveralThatAreNotUpToDateEachIsWrittenDown(SolverBug bug) throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    new Upkeep(worker, Duration.ZERO, "The one is old.", bug::thrown).ask();
    new Upkeep(worker, Duration.ZERO, "The other is old.", bug::thrown).ask();
    worker.execute(done::countDown);
    assertThat(done.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(written.all).hasSize(2);
  }

  private static void another() {
    throw new IllegalStateException("another");
  }
}
