package org.paceline.gateway;

import io.grpc.Status;
import io.grpc.stub.CallStreamObserver;
import io.grpc.stub.StreamObserver;
import org.paceline.protocol.ControllerMessage;

/**
 * What an agent is told: any thread may speak, and a stream observer takes one call at a time. What
 * an agent does not read waits in this process, so that is bounded.
 */
final class AgentLine {
  /** So many more than what its connection takes; an agent that reads at all is far from it. */
  static final int MOST_UNREAD = 10_000;

  private final StreamObserver<ControllerMessage> out;
  private int unread;
  private boolean ended;

  AgentLine(StreamObserver<ControllerMessage> out) {
    this.out = out;
  }

  synchronized boolean isEnded() {
    return ended;
  }

  /** Says nothing more to an agent that is gone; false where it has not read for too long. */
  synchronized boolean send(ControllerMessage message) {
    if (ended) {
      return true;
    }
    boolean isRead =
        !(out instanceof CallStreamObserver) || ((CallStreamObserver<?>) out).isReady();
    unread = isRead ? 0 : unread + 1;
    if (unread > MOST_UNREAD) {
      return false;
    }
    try {
      out.onNext(message);
    } catch (RuntimeException broken) {
      // The stream's end is on its way as onError, and that is where it is dealt with.
      ended = true;
    }
    return true;
  }

  synchronized void complete() {
    if (!ended) {
      ended = true;
      out.onCompleted();
    }
  }

  synchronized void fail(String why) {
    if (!ended) {
      ended = true;
      out.onError(Status.UNAVAILABLE.withDescription(why).asRuntimeException());
    }
  }
}
