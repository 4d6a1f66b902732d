package org.paceline.agent.netns;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.paceline.protocol.AgentGatewayGrpc;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.Heartbeat;
import org.paceline.protocol.Hello;
import org.paceline.protocol.PortQueue;
import org.paceline.protocol.PortQueues;
import org.paceline.protocol.Rate;
import org.paceline.protocol.Rates;
import org.paceline.protocol.RatesInstalled;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.Welcome;

/** A controller that speaks the real protocol and grants what the test says. */
final class TestController extends Heard implements AutoCloseable {
  private final ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor();
  private final Server server;
  private Function<Hello, Optional<Refusal>> door = hello -> Optional.empty();
  private Optional<StreamObserver<ControllerMessage>> agent = Optional.empty();
  private long plan;
  private int leaseSeconds;

  TestController(String address) throws IOException {
    this(address, 0, Optional.empty());
  }

  /**
   * @param port 0: any
   * @param certificates of both sides; empty: unencrypted
   */
  TestController(String address, int port, Optional<Path> certificates) throws IOException {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(address, port))
            .addService(new Gateway());
    if (certificates.isPresent()) {
      builder.sslContext(context(certificates.get()));
    }
    server = builder.build().start();
  }

  private static SslContext context(Path directory) throws IOException {
    return GrpcSslContexts.configure(
            SslContextBuilder.forServer(
                directory.resolve("controller.pem").toFile(),
                directory.resolve("controller.key").toFile()),
            SslProvider.JDK)
        .trustManager(directory.resolve("ca.pem").toFile())
        .clientAuth(ClientAuth.REQUIRE)
        .build();
  }

  int port() {
    return server.getPort();
  }

  synchronized void door(Function<Hello, Optional<Refusal>> door) {
    this.door = door;
  }

  /** What every Welcome says from now on; this controller then has to speak to renew it. */
  synchronized void lease(int seconds) {
    leaseSeconds = seconds;
  }

  /**
   * From now on it speaks twice a second, whether it is heard or not: no lease runs out before the
   * test cuts the cable, however long programs take to start.
   */
  synchronized void beat() {
    heart.scheduleAtFixedRate(this::beatOnce, 0, 500, TimeUnit.MILLISECONDS);
  }

  private synchronized void beatOnce() {
    try {
      agent.ifPresent(
          out ->
              out.onNext(
                  ControllerMessage.newBuilder()
                      .setHeartbeat(Heartbeat.getDefaultInstance())
                      .build()));
    } catch (RuntimeException gone) {
      // Its end is on its way.
      agent = Optional.empty();
    }
  }

  private final class Gateway extends AgentGatewayGrpc.AgentGatewayImplBase {
    @Override
    public StreamObserver<AgentMessage> attach(StreamObserver<ControllerMessage> outgoing) {
      return new StreamObserver<>() {
        @Override
        public void onNext(AgentMessage message) {
          take(message, outgoing);
        }

        @Override
        public void onError(Throwable failure) {
          left(outgoing);
        }

        @Override
        public void onCompleted() {
          left(outgoing);
          outgoing.onCompleted();
        }
      };
    }
  }

  private synchronized void take(AgentMessage message, StreamObserver<ControllerMessage> outgoing) {
    hear(message);
    if (!message.hasHello()) {
      return;
    }
    Optional<Refusal> refusal = door.apply(message.getHello());
    if (refusal.isPresent()) {
      outgoing.onNext(ControllerMessage.newBuilder().setRefusal(refusal.get()).build());
      outgoing.onCompleted();
    } else {
      agent = Optional.of(outgoing);
      outgoing.onNext(
          ControllerMessage.newBuilder()
              .setWelcome(
                  Welcome.newBuilder()
                      .setSession("s1")
                      .setController("test")
                      .setLeaseSeconds(leaseSeconds)
                      .setKnowsDigests(true)
                      .addAllWantedBuckets(believe(message.getHello())))
              .build());
    }
  }

  private synchronized void left(StreamObserver<ControllerMessage> outgoing) {
    if (agent.equals(Optional.of(outgoing))) {
      agent = Optional.empty();
    }
    notifyAll();
  }

  synchronized boolean hasAgent() {
    return agent.isPresent();
  }

  /** The agent, as soon as it is here. */
  void awaitAgent() throws InterruptedException {
    await("the agent", () -> hasAgent() ? Optional.of(true) : Optional.empty());
  }

  /** That its stream has ended. */
  void awaitLeft() throws InterruptedException {
    await("the end of the stream", () -> hasAgent() ? Optional.empty() : Optional.of(true));
  }

  void refuse(String id, Refusal.Code code) throws InterruptedException {
    ask(
        ControllerMessage.newBuilder()
            .setRefusal(Refusal.newBuilder().setConversationId(id).setCode(code).setMessage("no"))
            .build(),
        "the agent",
        () -> agent.map(present -> true));
  }

  /**
   * The answer to what the agent is told, which is told again, as any controller does, to an agent
   * that has called again meanwhile.
   */
  private <T> T ask(ControllerMessage message, String what, Question<T> answer)
      throws InterruptedException {
    AtomicReference<Optional<StreamObserver<ControllerMessage>>> told =
        new AtomicReference<>(Optional.empty());
    return await(
        what,
        () -> {
          Optional<StreamObserver<ControllerMessage>> now = agent;
          if (now.isPresent() && !now.equals(told.get())) {
            told.set(now);
            try {
              now.get().onNext(message);
            } catch (RuntimeException gone) {
              // Its end is on its way.
              agent = Optional.empty();
            }
          }
          return answer.ask();
        });
  }

  /** Grants and waits for the acknowledgement. */
  RatesInstalled grant(Map<String, Long> rates) throws InterruptedException {
    Rates.Builder message = Rates.newBuilder();
    rates.forEach(
        (id, rate) ->
            message.addRates(Rate.newBuilder().setConversationId(id).setRateBitsPerSecond(rate)));
    return tell(message);
  }

  /** The same, of all that a plan may say. */
  RatesInstalled tell(Rates.Builder message) throws InterruptedException {
    long version = nextPlan();
    return ask(
        ControllerMessage.newBuilder().setRates(message.setPlanVersion(version)).build(),
        "the acknowledgement of plan " + version,
        () -> installed(version));
  }

  /** Tells an agent of a switch, and waits for its answer. */
  PortQueues divide(PortQueue port) throws InterruptedException {
    long number = nextPlan();
    return ask(
        ControllerMessage.newBuilder()
            .setPorts(PortQueues.newBuilder().setNumber(number).addPorts(port))
            .build(),
        "the answer about ports, " + number,
        () -> ports(number));
  }

  private synchronized long nextPlan() {
    return ++plan;
  }

  @Override
  public void close() throws InterruptedException {
    heart.shutdownNow();
    server.shutdownNow().awaitTermination();
  }
}
