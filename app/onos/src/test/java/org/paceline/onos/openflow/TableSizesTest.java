package org.paceline.onos.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;

final class TableSizesTest {
  private static final DeviceId SWITCH = DeviceId.deviceId("of:1");
  private static final Object CONNECTION = new Object();

  private final AtomicLong nanos = new AtomicLong();
  private final Deque<CompletableFuture<Optional<Long>>> questions = new ArrayDeque<>();
  private final TableSizes sizes = new TableSizes(nanos::get);

  private Optional<Long> look(Object connection) {
    return sizes.of(
        SWITCH,
        connection,
        () -> {
          questions.add(new CompletableFuture<>());
          return questions.getLast();
        });
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void isUnknownUntilItIsAnswered() {
    assertThat(look(CONNECTION)).isEmpty();
    questions.getLast().complete(Optional.of(10L));
    assertThat(look(CONNECTION)).contains(10L);
    assertThat(questions).hasSize(1);
  }

  @Test
  void aTableThatGrewWhileTheSwitchStayedConnectedIsSeen() {
    look(CONNECTION);
    questions.getLast().complete(Optional.of(10L));
    pass(Duration.ofSeconds(5));
    assertThat(look(CONNECTION)).as("nobody waits for the answer").contains(10L);
    questions.getLast().complete(Optional.of(1_000_000L));
    assertThat(look(CONNECTION)).contains(1_000_000L);
  }

  @Test
  void whatWasSaidStandsWhereTheSwitchFallsSilent() {
    look(CONNECTION);
    questions.getLast().complete(Optional.of(10L));
    pass(Duration.ofSeconds(5));
    look(CONNECTION);
    questions.getLast().complete(Optional.empty());
    assertThat(look(CONNECTION)).contains(10L);
  }

  @Test
  void whatWasSaidStandsWhereTheSwitchCannotBeAsked() {
    assertThat(sizes.last(SWITCH)).isEmpty();
    look(CONNECTION);
    questions.getLast().complete(Optional.of(10L));
    assertThat(sizes.last(SWITCH)).contains(10L);
  }

  @Test
  void aNewConnectionMayBeAnotherSwitch() {
    look(CONNECTION);
    questions.getLast().complete(Optional.of(10L));
    assertThat(look(new Object())).isEmpty();
    assertThat(questions).hasSize(2);
  }
}
