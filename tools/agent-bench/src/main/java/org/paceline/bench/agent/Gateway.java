package org.paceline.bench.agent;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.paceline.protocol.AgentGatewayGrpc;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.InstalledRate;
import org.paceline.protocol.Pool;
import org.paceline.protocol.Rate;
import org.paceline.protocol.Rates;
import org.paceline.protocol.RatesInstalled;
import org.paceline.protocol.Welcome;

/** The controller's end of the protocol, which grants what is to be measured. */
final class Gateway extends AgentGatewayGrpc.AgentGatewayImplBase implements AutoCloseable {
  private final Server server;
  private final Map<String, ConversationOpened> open = new HashMap<>();
  private Optional<StreamObserver<ControllerMessage>> agent = Optional.empty();
  private RatesInstalled installed = RatesInstalled.getDefaultInstance();
  private long installedNanos;
  private long plan;

  Gateway(String address) throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(address, 0))
            .addService(this)
            .build()
            .start();
  }

  int port() {
    return server.getPort();
  }

  @Override
  public StreamObserver<AgentMessage> attach(StreamObserver<ControllerMessage> out) {
    return new StreamObserver<>() {
      @Override
      public void onNext(AgentMessage message) {
        take(message, out);
      }

      @Override
      public void onError(Throwable failure) {
        left();
      }

      @Override
      public void onCompleted() {
        left();
        out.onCompleted();
      }
    };
  }

  private synchronized void take(AgentMessage message, StreamObserver<ControllerMessage> out) {
    switch (message.getMessageCase()) {
      case HELLO -> {
        agent = Optional.of(out);
        message.getHello().getConversationsList().forEach(c -> open.put(c.getId(), c));
        out.onNext(
            ControllerMessage.newBuilder()
                .setWelcome(Welcome.newBuilder().setSession("bench").setController("bench"))
                .build());
      }
      case OPENED -> open.put(message.getOpened().getId(), message.getOpened());
      case CLOSED -> message.getClosed().getIdsList().forEach(open::remove);
      case INSTALLED -> {
        installedNanos = System.nanoTime();
        installed = message.getInstalled();
      }
      default -> {}
    }
    notifyAll();
  }

  private synchronized void left() {
    agent = Optional.empty();
    open.clear();
    notifyAll();
  }

  /** What is open now. */
  synchronized Map<String, ConversationOpened> open() {
    return new HashMap<>(open);
  }

  synchronized void awaitOpen(int conversations) throws InterruptedException {
    await(conversations + " conversations, not " + open.size(), () -> open.size() == conversations);
  }

  synchronized void awaitAgent() throws InterruptedException {
    await("the agent", () -> agent.isPresent());
  }

  /**
   * Milliseconds from the message to the answer that says what the kernel was read to hold.
   *
   * @throws IllegalStateException where it holds anything else
   */
  double grant(Map<String, Long> rates) throws InterruptedException {
    Rates.Builder message = Rates.newBuilder();
    rates.forEach(
        (id, rate) ->
            message.addRates(Rate.newBuilder().setConversationId(id).setRateBitsPerSecond(rate)));
    return tell(message, rates);
  }

  /** The same for each, and who borrows may have as much as the ceiling while the pool has room. */
  double grantWithPool(long rate, long ceiling, long pool) throws InterruptedException {
    Map<String, Long> rates = new HashMap<>();
    Rates.Builder message = Rates.newBuilder().addPools(pool(pool));
    for (String id : open().keySet()) {
      rates.put(id, rate);
      message.addRates(
          Rate.newBuilder()
              .setConversationId(id)
              .setRateBitsPerSecond(rate)
              .setCeilingBitsPerSecond(ceiling));
    }
    return tell(message, rates);
  }

  /** Another size of the pool, as a plan changes it that leaves rates as they are. */
  double resizePool(long pool) throws InterruptedException {
    return tell(Rates.newBuilder().addPools(pool(pool)), Map.of());
  }

  private static Pool pool(long rate) {
    return Pool.newBuilder().setInterface("pbs0").setRateBitsPerSecond(rate).build();
  }

  private synchronized double tell(Rates.Builder message, Map<String, Long> rates)
      throws InterruptedException {
    long version = ++plan;
    message.setPlanVersion(version);
    ControllerMessage told = ControllerMessage.newBuilder().setRates(message).build();
    long begun = System.nanoTime();
    agent.orElseThrow().onNext(told);
    await("plan " + version, () -> installed.getPlanVersion() == version);
    for (InstalledRate one : installed.getRatesList()) {
      boolean gone = !open.containsKey(one.getConversationId());
      Long asked = rates.get(one.getConversationId());
      if (!gone && asked != null && one.getRateBitsPerSecond() != asked) {
        throw new IllegalStateException("granted " + asked + ", installed " + one);
      }
    }
    return (installedNanos - begun) / 1e6;
  }

  private void await(String what, BooleanSupplier here) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!here.getAsBoolean()) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new IllegalStateException("waited in vain for " + what);
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  @Override
  public void close() throws InterruptedException {
    server.shutdownNow().awaitTermination();
  }
}
