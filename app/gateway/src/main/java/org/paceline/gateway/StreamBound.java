package org.paceline.gateway;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Optional;
import org.paceline.protocol.AgentGatewayGrpc;

/** Lets in only so many streams of agents at once. */
final class StreamBound implements ServerInterceptor {
  private final SharedBounds bounds;

  StreamBound(SharedBounds bounds) {
    this.bounds = bounds;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (!call.getMethodDescriptor().equals(AgentGatewayGrpc.getAttachMethod())) {
      return next.startCall(call, headers);
    }
    Optional<String> refusal = bounds.openStream();
    if (refusal.isPresent()) {
      call.close(Status.RESOURCE_EXHAUSTED.withDescription(refusal.get()), new Metadata());
      return new ServerCall.Listener<>() {};
    }
    ServerCall.Listener<Q> begun;
    try {
      begun = next.startCall(call, headers);
    } catch (RuntimeException | Error bug) {
      bounds.closeStream();
      throw bug;
    }
    // One of these two comes in the end, and once.
    return new SimpleForwardingServerCallListener<>(begun) {
      @Override
      public void onCancel() {
        bounds.closeStream();
        super.onCancel();
      }

      @Override
      public void onComplete() {
        bounds.closeStream();
        super.onComplete();
      }
    };
  }
}
