package org.paceline.agent.session;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.paceline.agent.config.TlsFiles;
import org.paceline.agent.runtime.CannotRun;
import org.paceline.protocol.AgentGatewayGrpc;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.EnrolmentGrpc;
import org.paceline.protocol.HostCertificate;
import org.paceline.protocol.RenewRequest;

/** The stream to the controller: one at a time, opened anew by whoever is told that it ended. */
public final class ControllerStream implements AutoCloseable {
  // A connection that is cut may take minutes to say so; a new attempt must not wait for it.
  private static final int CONNECT_MILLIS = 2_000;

  // Less than this is not worth the time that it takes to compress.
  private static final int WORTH_COMPRESSING = 1_024;

  // What may wait for a controller that does not read, beside its newest report.
  private static final int MOST_UNREAD_BYTES = 1 << 24;

  private static final int RENEWAL_SECONDS = 30;

  // A controller that has much to do hears late. Cut off before, it takes the host for one that
  // is lost, and keeps its conversations for those who come back. But whoever tells the agent to
  // end waits for this, also where the controller is frozen or out of reach.
  private static final int GOODBYE_SECONDS = 2;

  // A certificate names the controller by this, wherever it runs.
  static final String CONTROLLER = "paceline-controller";

  private final String host;
  private final int port;
  private final Optional<RenewedTls> tls;
  private final Executor loop;
  private final Listener listener;
  private ManagedChannel channel;
  private Optional<ClientCallStreamObserver<AgentMessage>> stream = Optional.empty();
  private Optional<String> givenUp = Optional.empty();
  private final Deque<AgentMessage> leaving = new ArrayDeque<>();
  private List<AgentMessage> newest = List.of();
  private long unreadBytes;
  // Callbacks of a stream that was given up must not be taken for those of the present one.
  private int generation;

  /** Called on the loop. */
  public interface Listener {
    /**
     * @param arrivedNanos when, by the monotonic clock: the loop may have been busy meanwhile
     */
    void received(ControllerMessage message, long arrivedNanos);

    void ended(String reason);

    /** What would take the place of the files of {@code tls} cannot be used; what they held is. */
    void notRenewed(String reason);
  }

  /**
   * @param tls by what both sides know each other; empty: unencrypted
   * @param loop one thread; every method is called on it, and every call-back comes on it
   * @throws CannotRun where the files of {@code tls} hold no certificates
   */
  public ControllerStream(
      String host, int port, Optional<TlsFiles> tls, Executor loop, Listener listener) {
    this.host = host;
    this.port = port;
    this.tls = tls.map(RenewedTls::new);
    this.loop = loop;
    this.listener = listener;
    this.channel = connect();
  }

  private ManagedChannel connect() {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(host, port)
            .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS);
    return tls.isPresent()
        ? builder.sslContext(tls.get().context()).overrideAuthority(CONTROLLER).build()
        : builder.usePlaintext().build();
  }

  /** Opens a stream; says what came of it to the listener. */
  public void open(AgentMessage hello) {
    int mine = ++generation;
    givenUp = Optional.empty();
    renew();
    // A channel that has just failed would wait by itself before it tries again.
    channel.resetConnectBackoff();
    AgentGatewayGrpc.newStub(channel).withCompression("gzip").attach(new Incoming(mine));
    leaving.clear();
    newest = List.of();
    unreadBytes = 0;
    stream.ifPresent(s -> send(s, hello));
  }

  /** A connection keeps the certificates that it was made with. */
  private void renew() {
    try {
      if (tls.isPresent() && tls.get().renew()) {
        channel.shutdownNow();
        channel = connect();
      }
    } catch (IOException e) {
      listener.notRenewed(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Has the controller sign a new key where the last third of the certificate's time has begun; of
   * an enrolled host only. The next connection is made with it.
   */
  public void renewCertificate(Instant now) {
    if (tls.isEmpty() || !tls.get().isDue(now)) {
      return;
    }
    RenewedTls mine = tls.get();
    try {
      SigningRequest request = SigningRequest.ofNewKey();
      EnrolmentGrpc.newStub(channel)
          .withDeadlineAfter(RENEWAL_SECONDS, TimeUnit.SECONDS)
          .renew(
              RenewRequest.newBuilder()
                  .setSigningRequest(ByteString.copyFrom(request.request()))
                  .build(),
              new Signed(mine, request));
    } catch (IOException e) {
      listener.notRenewed(String.valueOf(e.getMessage()));
    }
  }

  private final class Signed implements StreamObserver<HostCertificate> {
    private final RenewedTls certificate;
    private final SigningRequest request;

    Signed(RenewedTls certificate, SigningRequest request) {
      this.certificate = certificate;
      this.request = request;
    }

    @Override
    public void onNext(HostCertificate signed) {
      loop.execute(
          () -> {
            try {
              certificate.keep(signed, request);
            } catch (IOException e) {
              listener.notRenewed(String.valueOf(e.getMessage()));
            }
          });
    }

    @Override
    public void onError(Throwable declined) {
      loop.execute(() -> listener.notRenewed(String.valueOf(declined.getMessage())));
    }

    @Override
    public void onCompleted() {}
  }

  /**
   * Sends unless the stream is gone, in which case the next Hello will say it all. So it does where
   * the controller does not read: the stream is given up before what waits for it fills memory.
   */
  public void send(AgentMessage message) {
    boolean ready = isReady();
    unreadBytes = message.getSerializedSize() + (ready ? 0 : unreadBytes);
    if (!ready && unreadBytes > MOST_UNREAD_BYTES) {
      giveUp("the controller does not read what it is told");
    } else {
      stream.ifPresent(s -> send(s, message));
    }
  }

  /**
   * Sends what is only worth telling fresh: until its first part can leave, the next report takes
   * its place. One that has begun to leave goes on, or its last parts would never be told.
   */
  public void offer(List<AgentMessage> report) {
    newest = List.copyOf(report);
    sendNewest();
  }

  private void sendNewest() {
    while (isReady() && !(leaving.isEmpty() && newest.isEmpty())) {
      if (leaving.isEmpty()) {
        leaving.addAll(newest);
        newest = List.of();
      }
      send(leaving.remove());
    }
  }

  private static void send(ClientCallStreamObserver<AgentMessage> to, AgentMessage message) {
    to.setMessageCompression(message.getSerializedSize() >= WORTH_COMPRESSING);
    to.onNext(message);
  }

  private boolean isReady() {
    return stream.map(ClientCallStreamObserver::isReady).orElse(false);
  }

  /** Gives the stream and its connection up, as if the controller had ended it. */
  public void giveUp(String reason) {
    givenUp = Optional.of(reason);
    stream.ifPresent(s -> s.cancel(reason, Status.CANCELLED.asException()));
    stream = Optional.empty();
    channel.shutdownNow();
    channel = connect();
  }

  @Override
  public void close() {
    generation++;
    stream.ifPresent(ClientCallStreamObserver::onCompleted);
    stream = Optional.empty();
    channel.shutdown();
    try {
      if (!channel.awaitTermination(GOODBYE_SECONDS, TimeUnit.SECONDS)) {
        channel.shutdownNow();
      }
    } catch (InterruptedException e) {
      channel.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private final class Incoming implements ClientResponseObserver<AgentMessage, ControllerMessage> {
    private final int mine;

    Incoming(int mine) {
      this.mine = mine;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<AgentMessage> requests) {
      stream = Optional.of(requests);
      requests.setOnReadyHandler(() -> onLoop(ControllerStream.this::sendNewest));
    }

    @Override
    public void onNext(ControllerMessage message) {
      long arrived = System.nanoTime();
      onLoop(() -> listener.received(message, arrived));
    }

    @Override
    public void onError(Throwable failure) {
      Status status = Status.fromThrowable(failure);
      String detail = Optional.ofNullable(status.getDescription()).orElse("no details");
      // Of a failed handshake, the cause is what says whose certificate was not believed.
      String cause =
          Optional.ofNullable(status.getCause()).map(c -> ", " + c.getMessage()).orElse("");
      end(status.getCode() + ": " + detail + cause);
    }

    @Override
    public void onCompleted() {
      end("the controller ended the stream");
    }

    private void end(String reason) {
      onLoop(
          () -> {
            stream = Optional.empty();
            // Who refuses also ends the stream, before or after it was given up for that.
            listener.ended(givenUp.orElse(reason));
          });
    }

    private void onLoop(Runnable action) {
      loop.execute(
          () -> {
            if (mine == generation) {
              action.run();
            }
          });
    }
  }
}
