package org.paceline.control.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TurnsTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger begun = new AtomicInteger();

  @AfterEach
  void close() {
    end.countDown();
    threads.shutdownNow();
  }

  private static Turns turns(Duration patience) {
    return new Turns(patience, new ProcessorAllowance(Duration.ofMinutes(1), 10));
  }

  /** Somebody was not let in. */
  private static final class TooMany extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Turns.NotNow why;

    TooMany(Turns.NotNow why) {
      this.why = why;
    }
  }

  /** Empty for whoever was not let in. */
  private static Optional<String> now(Turns turns, String actor, Supplier<String> work) {
    try {
      return Optional.of(turns.now(actor, work, TooMany::new));
    } catch (TooMany refused) {
      return Optional.empty();
    }
  }

  private static Turns.NotNow refusal(Turns turns, String actor) {
    try {
      throw new AssertionError(turns.now(actor, () -> "let in", TooMany::new));
    } catch (TooMany refused) {
      return refused.why;
    }
  }

  private CompletableFuture<Optional<String>> ask(Turns turns, String actor) {
    return CompletableFuture.supplyAsync(() -> now(turns, actor, () -> untilEnd(actor)), threads);
  }

  private String untilEnd(String actor) {
    begun.incrementAndGet();
    try {
      assertThat(end.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return actor;
  }

  private void awaitBegun(int wanted) throws InterruptedException {
    while (begun.get() < wanted) {
      Thread.sleep(1);
    }
  }

  @Test
  void twoAtOnceAndOneOfEach() throws Exception {
    Turns turns = turns(Duration.ofMillis(50));
    List<CompletableFuture<Optional<String>>> first =
        List.of(ask(turns, "anna"), ask(turns, "bert"));
    awaitBegun(2);
    assertThat(ask(turns, "anna").get()).as("has a turn").isEmpty();
    assertThat(ask(turns, "cleo").get()).as("has waited long enough").isEmpty();
    end.countDown();
    assertThat(first.get(0).get()).hasValue("anna");
    assertThat(first.get(1).get()).hasValue("bert");
    assertThat(ask(turns, "cleo").get()).hasValue("cleo");
  }

  @Test
  void aFewOfOneWaitAndAreAllServed() throws Exception {
    Turns turns = turns(Duration.ofMinutes(1));
    List<CompletableFuture<Optional<String>>> asked = new ArrayList<>();
    asked.add(ask(turns, "anna"));
    awaitBegun(1);
    for (int i = 0; i < 30; i++) {
      asked.add(ask(turns, "anna"));
    }
    // Those who need not wait are told so at once.
    while (asked.stream().filter(CompletableFuture::isDone).count() < 25) {
      Thread.sleep(1);
    }
    end.countDown();
    int served = 0;
    for (CompletableFuture<Optional<String>> one : asked) {
      served += one.get().isPresent() ? 1 : 0;
    }
    assertThat(served).isEqualTo(6);
  }

  @Test
  void aQuestionLeavesAllProcessorsButOneToPlans() {
    Set<Thread> used = ConcurrentHashMap.newKeySet();
    new Turns()
        .now(
            "anna",
            () -> {
              IntStream.range(0, 10_000).parallel().forEach(i -> used.add(Thread.currentThread()));
              return used.add(Thread.currentThread());
            },
            TooMany::new);
    assertThat(used).hasSize(1);
  }

  @Test
  void whatThrowsGivesItsTurnBack() {
    Turns turns = new Turns();
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(
              () ->
                  turns.now(
                      "anna",
                      () -> {
                        throw new IllegalStateException("no");
                      },
                      TooMany::new))
          .hasMessage("no");
    }
    assertThat(now(turns, "anna", () -> "yes")).hasValue("yes");
  }

  @Test
  void whoeverDoesNotWaitForItHasItsTurnInTheEnd() throws Exception {
    Turns turns = turns(Duration.ofMillis(10));
    CompletableFuture<Optional<String>> first = ask(turns, "anna");
    awaitBegun(1);
    CompletableFuture<String> later =
        CompletableFuture.supplyAsync(() -> turns.whenever("anna", () -> "done"), threads);
    Thread.sleep(50);
    assertThat(later).isNotDone();
    end.countDown();
    assertThat(first.get()).hasValue("anna");
    assertThat(later.get()).isEqualTo("done");
  }

  @Test
  void whoseQuestionsHaveTakenTooMuchOfAProcessorIsToldWhenToComeAgainAndNobodyElseIs() {
    Turns turns =
        new Turns(Duration.ofMillis(1), new ProcessorAllowance(Duration.ofMillis(5), 1000));
    assertThat(now(turns, "anna", () -> reckon(Duration.ofMillis(50)))).hasValue("done");
    Turns.NotNow refusal = refusal(turns, "anna");
    assertThat(refusal.why).contains("of a processor");
    assertThat(refusal.comeAgain).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(1000));
    assertThat(now(turns, "bert", () -> "yes")).hasValue("yes");
  }

  @Test
  void whoHasToWaitForALittleOfAProcessorOnlyWaits() {
    Turns turns = new Turns(Duration.ofMinutes(1), new ProcessorAllowance(Duration.ofMillis(5), 2));
    assertThat(now(turns, "anna", () -> reckon(Duration.ofMillis(50)))).hasValue("done");
    assertThat(now(turns, "anna", () -> "again")).hasValue("again");
  }

  @Test
  void aQuestionThatThrowsHasTakenWhatItTook() {
    Turns turns =
        new Turns(Duration.ofMillis(1), new ProcessorAllowance(Duration.ofMillis(5), 1000));
    assertThatThrownBy(
            () ->
                turns.now(
                    "anna",
                    () -> {
                      throw new IllegalStateException(reckon(Duration.ofMillis(50)));
                    },
                    TooMany::new))
        .hasMessage("done");
    assertThat(now(turns, "anna", () -> "again")).isEmpty();
  }

  @Test
  void whatNobodyWaitsForIsHeldUpByNoDebt() {
    Turns turns =
        new Turns(Duration.ofMillis(1), new ProcessorAllowance(Duration.ofMillis(5), 1_000_000));
    assertThat(turns.debt("anna")).isEmpty();
    assertThat(now(turns, "anna", () -> reckon(Duration.ofMillis(50)))).hasValue("done");
    assertThat(turns.debt("anna"))
        .hasValueSatisfying(debt -> assertThat(debt.why).contains("of a processor"));
    assertThat(turns.whenever("anna", () -> "later")).isEqualTo("later");
  }

  /** The debt is paid, or a place is free, by the time that it is said. */
  @Test
  void theReasonIsTheOneThatKeptIt() throws Exception {
    Turns busy = turns(Duration.ofMillis(20));
    CompletableFuture<Optional<String>> first = ask(busy, "anna");
    awaitBegun(1);
    CompletableFuture<String> told =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return busy.now("anna", () -> "let in", TooMany::new);
              } catch (TooMany refused) {
                end.countDown();
                first.join();
                return refused.why.why;
              }
            },
            threads);
    assertThat(told.get()).isEqualTo(Turns.BUSY);

    Turns indebted =
        new Turns(Duration.ofNanos(1), new ProcessorAllowance(Duration.ofMillis(5), 2));
    assertThat(now(indebted, "anna", () -> reckon(Duration.ofMillis(200)))).hasValue("done");
    Turns.NotNow refusal = refusal(indebted, "anna");
    while (indebted.debt("anna").isPresent()) {
      Thread.sleep(10);
    }
    assertThat(refusal.why).contains("of a processor");
  }

  /** Takes so much of a processor, however long that lasts. */
  private static String reckon(Duration ofProcessor) {
    ThreadMXBean processor = ManagementFactory.getThreadMXBean();
    long until = processor.getCurrentThreadCpuTime() + ofProcessor.toNanos();
    while (processor.getCurrentThreadCpuTime() < until) {
      Thread.onSpinWait();
    }
    return "done";
  }
}
