package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;

/** An agent that says too much waits for its turn and for the planner at the same time. */
final class SlowedStreamTest {
  /** Of all agents together, beside each one's own. */
  private static final int A_SECOND = 10;

  private static final Duration WAIT = Duration.ofSeconds(1).dividedBy(A_SECOND);

  private final ManualWorker timer = new ManualWorker();
  private final Call call = new Call();
  private final Taker agent = new Taker();

  /** What the planner has still to do. */
  private final Queue<Runnable> planner = new ArrayDeque<>();

  private final SlowedStream stream =
      new SlowedStream(
          agent,
          call,
          timer,
          new SharedBounds(1, 1, 1, A_SECOND, () -> timer.now().toNanos()),
          planner::add);

  private static final class Taker implements SlowedStream.Taker {
    boolean isHeldBack;

    @Override
    public void holdBack() {
      isHeldBack = true;
    }

    @Override
    public void goOn() {
      isHeldBack = false;
    }

    @Override
    public void onNext(AgentMessage message) {}

    @Override
    public void onError(Throwable broken) {}

    @Override
    public void onCompleted() {}
  }

  /** Counts what is asked for. */
  private static final class Call extends ServerCallStreamObserver<ControllerMessage> {
    int asked;

    @Override
    public void request(int count) {
      asked += count;
    }

    @Override
    public void disableAutoRequest() {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void setCompression(String compression) {}

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void onNext(ControllerMessage message) {}

    @Override
    public void onError(Throwable broken) {}

    @Override
    public void onCompleted() {}
  }

  /** Says one message, and the planner takes so long for it; whether the next one is asked for. */
  private boolean says(Duration planning) {
    int before = call.asked;
    stream.onNext(AgentMessage.getDefaultInstance());
    assertThat(agent.isHeldBack).isTrue();
    timer.pass(planning);
    planner.remove().run();
    assertThat(agent.isHeldBack).isEqualTo(call.asked == before);
    return call.asked > before;
  }

  /** Until no more are taken at once; then the wait for the next one passes. */
  private void saysAllThatIsTakenAtOnce() {
    int said = 1;
    while (says(Duration.ZERO)) {
      said++;
    }
    assertThat(said).isGreaterThan(SharedBounds.OWN_MESSAGES_AT_ONCE);
    timer.pass(WAIT);
    assertThat(agent.isHeldBack).isFalse();
  }

  /** What each agent has of its own again after such a wait. */
  private void saysWhatIsItsOwn() {
    for (int n = 0; n < SharedBounds.OWN_MESSAGES_A_SECOND / A_SECOND; n++) {
      assertThat(says(Duration.ZERO)).isTrue();
    }
  }

  @Test
  void theWaitGoesOnWhileThePlannerDealsWithTheMessage() {
    saysAllThatIsTakenAtOnce();
    saysWhatIsItsOwn();
    Duration planning = Duration.ofMillis(40);
    assertThat(says(planning)).isFalse();
    timer.pass(WAIT.minus(planning).minusMillis(1));
    assertThat(agent.isHeldBack).isTrue();
    timer.pass(Duration.ofMillis(1));
    assertThat(agent.isHeldBack).isFalse();
  }

  @Test
  void whatWaitedLongEnoughForThePlannerWaitsNoLonger() {
    saysAllThatIsTakenAtOnce();
    saysWhatIsItsOwn();
    assertThat(says(WAIT.multipliedBy(3))).isTrue();
  }

  @Test
  void aFastPlannerLetsNobodySayMoreThanTheBound() {
    saysAllThatIsTakenAtOnce();
    for (int n = 0; n < 5; n++) {
      saysWhatIsItsOwn();
      assertThat(says(Duration.ZERO)).isFalse();
      timer.pass(WAIT.minusMillis(1));
      assertThat(agent.isHeldBack).isTrue();
      timer.pass(Duration.ofMillis(1));
      assertThat(agent.isHeldBack).isFalse();
    }
  }
}
