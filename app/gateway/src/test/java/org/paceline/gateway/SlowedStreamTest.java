package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.gateway.flood.Floods;
import org.paceline.gateway.flood.MessageRate;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;

/** An agent that says too much waits for its turn and for the planner at the same time. */
final class SlowedStreamTest {
  /** Of all agents together, beside each one's own. */
  private static final int A_SECOND = 10;

  private static final Duration WAIT = Duration.ofSeconds(1).dividedBy(A_SECOND);

  /** More than anybody is heard. */
  private static final int MANY = 100_000;

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
    final MessageRate rate = new MessageRate();
    boolean isHeldBack;
    boolean isCutOff;

    @Override
    public void holdBack() {
      isHeldBack = true;
    }

    @Override
    public void goOn() {
      isHeldBack = false;
    }

    @Override
    public MessageRate rate() {
      return rate;
    }

    @Override
    public void cutOff() {
      isCutOff = true;
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

  /** Speaks for so long, each second so many messages, as far as they are asked for. */
  private static void speaks(SlowedStream stream, Talker to, int aSecond, Duration time) {
    double unsaid = 0;
    for (long milli = 0; milli < time.toMillis() && !to.agent.isCutOff; milli++) {
      unsaid += aSecond / 1e3;
      while (unsaid >= 1 && !to.agent.isHeldBack && !to.agent.isCutOff) {
        stream.onNext(AgentMessage.getDefaultInstance());
        unsaid--;
      }
      to.timer.pass(Duration.ofMillis(1));
    }
  }

  /** An agent beside which nobody speaks, before a planner that has nothing else to do. */
  private static final class Talker {
    final ManualWorker timer = new ManualWorker();
    final Taker agent = new Taker();
    final Call call = new Call();

    SlowedStream stream() {
      agent.isHeldBack = false;
      return new SlowedStream(
          agent,
          call,
          timer,
          new SharedBounds(1, 1, 1, 1_000_000, () -> timer.now().toNanos()),
          Runnable::run);
    }
  }

  @Test
  void oneThatFloodsWithoutAPauseIsCutOffAndAskedForNothingMore() {
    Talker flooding = new Talker();
    SlowedStream stream = flooding.stream();
    speaks(stream, flooding, MANY, Floods.BORNE.minusSeconds(1));
    assertThat(flooding.agent.isCutOff).as("slowed at first").isFalse();
    speaks(stream, flooding, MANY, Duration.ofMinutes(1));
    assertThat(flooding.agent.isCutOff).isTrue();
    int asked = flooding.call.asked;
    flooding.timer.pass(Duration.ofMinutes(1));
    assertThat(flooding.call.asked).isEqualTo(asked);
  }

  @Test
  void oneThatComesAnewMeanwhileIsCutOffAllTheSame() {
    Talker flooding = new Talker();
    for (int minute = 0; minute <= Floods.BORNE.toMinutes(); minute++) {
      speaks(flooding.stream(), flooding, MANY, Duration.ofMinutes(1));
    }
    assertThat(flooding.agent.isCutOff).isTrue();
  }

  @Test
  void oneThatSaysLessThanTheBoundIsNeverCutOffNorIsOneThatPauses() {
    Talker busy = new Talker();
    speaks(busy.stream(), busy, MessageRate.A_SECOND * 9 / 10, Floods.BORNE.plusMinutes(2));
    assertThat(busy.agent.isCutOff).isFalse();
    Talker pausing = new Talker();
    SlowedStream stream = pausing.stream();
    for (int time = 0; time < 3; time++) {
      speaks(stream, pausing, MANY, Floods.BORNE.minusMinutes(1));
      pausing.timer.pass(Duration.ofSeconds(10));
    }
    assertThat(pausing.agent.isCutOff).isFalse();
  }
}
