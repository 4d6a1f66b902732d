package org.paceline.gateway;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import org.paceline.protocol.ControllerMessage;

/** What an agent is told: any thread may speak, and a stream observer takes one call at a time. */
final class AgentLine {
  private final StreamObserver<ControllerMessage> out;
  private boolean ended;

  AgentLine(StreamObserver<ControllerMessage> out) {
    this.out = out;
  }

  synchronized boolean isEnded() {
    return ended;
  }

  /** Says nothing more to an agent that is gone. */
  synchronized void send(ControllerMessage message) {
    if (ended) {
      return;
    }
    try {
      out.onNext(message);
    } catch (RuntimeException broken) {
      // The stream's end is on its way as onError, and that is where it is dealt with.
      ended = true;
    }
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
