package org.paceline.gateway;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.paceline.control.port.Worker;
import org.paceline.gateway.flood.Floods;
import org.paceline.gateway.flood.MessageRate;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;

/**
 * Asks for an agent's next message only when it is to be taken: one that floods waits at its own
 * end of the connection, and the others do not notice; one that goes on for long is cut off. The
 * planner has one message of each agent at a time to deal with: whoever says little waits for no
 * more than that.
 */
final class SlowedStream implements StreamObserver<AgentMessage> {
  /** Who takes the messages. */
  interface Taker extends StreamObserver<AgentMessage> {
    /** The next message is left unread from here on. */
    void holdBack();

    /** It is asked for. */
    void goOn();

    /** How fast it may speak: it, and those of its host that were before it. */
    MessageRate rate();

    /** It has said all that it may for so long that nothing more is asked for. */
    void cutOff();
  }

  private final Taker agent;
  private final ServerCallStreamObserver<ControllerMessage> call;
  private final Worker timer;
  private final SharedBounds bounds;
  private final Executor dealt;
  private final MessageRate own =
      new MessageRate(SharedBounds.OWN_MESSAGES_A_SECOND, SharedBounds.OWN_MESSAGES_AT_ONCE);

  /**
   * To be made before the call goes on: its messages are asked for from here on.
   *
   * @param timer asks again after a while
   * @param bounds of what all agents may say
   * @param dealt runs what it is given once the messages so far have been dealt with
   */
  SlowedStream(
      Taker agent,
      ServerCallStreamObserver<ControllerMessage> call,
      Worker timer,
      SharedBounds bounds,
      Executor dealt) {
    this.agent = agent;
    this.call = call;
    this.timer = timer;
    this.bounds = bounds;
    this.dealt = dealt;
    call.disableAutoRequest();
    call.request(1);
  }

  @Override
  public void onNext(AgentMessage message) {
    agent.onNext(message);
    Duration now = timer.now();
    long nanos = now.toNanos();
    MessageRate rate = agent.rate();
    long wait = Math.max(rate.taken(nanos), own.fits(nanos) ? 0 : bounds.taken(nanos));
    Duration due = now.plusNanos(wait);
    agent.holdBack();
    if (rate.strained(nanos) >= Floods.BORNE.toNanos()) {
      agent.cutOff();
      return;
    }
    dealt.execute(() -> askBy(due));
  }

  /** While the planner dealt with the message before, a part of the wait has passed, or all. */
  private void askBy(Duration due) {
    Duration left = due.minus(timer.now());
    if (left.isZero() || left.isNegative()) {
      askNow();
    } else {
      timer.after(left, this::askNow);
    }
  }

  private void askNow() {
    agent.goOn();
    call.request(1);
  }

  @Override
  public void onError(Throwable broken) {
    agent.onError(broken);
  }

  @Override
  public void onCompleted() {
    agent.onCompleted();
  }
}
