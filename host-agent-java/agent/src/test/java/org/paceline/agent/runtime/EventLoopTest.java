package org.paceline.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventLoopTest {
  @Test
  void whatIsDueDuringTheLastStepIsNotTakenAfterIt() throws Exception {
    EventLoop loop = new EventLoop(console(), () -> {});
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger after = new AtomicInteger();
    for (int i = 1; i <= 200; i++) {
      loop.after(Duration.ofMillis(i), () -> after.addAndGet(ended.get() ? 1 : 0));
    }

    loop.end(
        () -> {
          pause(300);
          ended.set(true);
        });

    // Whoever waits for the end is not back at once on a busy host; nor here.
    pause(100);
    assertThat(after).hasValue(0);
  }

  @Test
  void whoHandsSomethingOverTooLateIsThrownNothing() throws Exception {
    EventLoop loop = new EventLoop(console(), () -> {});
    AtomicInteger after = new AtomicInteger();
    loop.end(() -> {});

    loop.execute(after::incrementAndGet);
    loop.soon(after::incrementAndGet);

    pause(100);
    assertThat(after).hasValue(0);
  }

  @Test
  void whatCannotGoOnEndsTheProcessAndIsNotTakenForAFailureThatIsTriedAgain() throws Exception {
    AtomicInteger ends = new AtomicInteger();
    EventLoop loop = new EventLoop(console(), ends::incrementAndGet);

    loop.guarded(
        () -> {
          throw new IllegalStateException("a step that failed");
        });
    assertThat(ends).hasValue(0);
    loop.guarded(
        () -> {
          throw new OutOfMemoryError("as if");
        });
    assertThat(ends).hasValue(1);
    loop.end(() -> {});
  }

  private static Console console() {
    return new Console(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
