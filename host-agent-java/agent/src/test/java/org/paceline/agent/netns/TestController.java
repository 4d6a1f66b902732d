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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.paceline.protocol.AgentGatewayGrpc;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.ConversationReport;
import org.paceline.protocol.Heartbeat;
import org.paceline.protocol.HeldConversations;
import org.paceline.protocol.Hello;
import org.paceline.protocol.Rate;
import org.paceline.protocol.Rates;
import org.paceline.protocol.RatesInstalled;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.Report;
import org.paceline.protocol.Resumption;
import org.paceline.protocol.Welcome;

/** A controller that speaks the real protocol and grants what the test says. */
final class TestController extends AgentGatewayGrpc.AgentGatewayImplBase implements AutoCloseable {
  private final ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor();
  private final Server server;
  private final List<AgentMessage> messages = new ArrayList<>();
  private final HeldConversations open = new HeldConversations();
  private final Map<String, ConversationOpened> incoming = new ConcurrentHashMap<>();
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
        NettyServerBuilder.forAddress(new InetSocketAddress(address, port)).addService(this);
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

  /** From now on it speaks twice a second, whether it is heard or not. */
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

  private synchronized void take(AgentMessage message, StreamObserver<ControllerMessage> outgoing) {
    messages.add(message);
    switch (message.getMessageCase()) {
      case HELLO -> {
        Optional<Refusal> refusal = door.apply(message.getHello());
        if (refusal.isPresent()) {
          outgoing.onNext(ControllerMessage.newBuilder().setRefusal(refusal.get()).build());
          outgoing.onCompleted();
        } else {
          agent = Optional.of(outgoing);
          List<Integer> wanted = List.of();
          if (message.getHello().getDigestsCount() > 0) {
            wanted = open.differing(message.getHello().getDigestsList());
          } else {
            open.replace(message.getHello().getConversationsList());
          }
          incoming.clear();
          message.getHello().getIncomingList().forEach(c -> incoming.put(c.getId(), c));
          outgoing.onNext(
              ControllerMessage.newBuilder()
                  .setWelcome(
                      Welcome.newBuilder()
                          .setSession("s1")
                          .setController("test")
                          .setLeaseSeconds(leaseSeconds)
                          .setKnowsDigests(true)
                          .addAllWantedBuckets(wanted))
                  .build());
        }
      }
      case RESUMPTION -> {
        Resumption rest = message.getResumption();
        int buckets = latestHello().orElseThrow().getDigestsCount();
        open.replace(rest.getBucketsList(), buckets, rest.getConversationsList());
      }
      case OPENED -> open.open(message.getOpened());
      case INCOMING -> incoming.put(message.getIncoming().getId(), message.getIncoming());
      case CLOSED -> {
        open.close(message.getClosed().getIdsList());
        message.getClosed().getIdsList().forEach(incoming::remove);
      }
      case INSTALLED ->
          message
              .getInstalled()
              .getRatesList()
              .forEach(r -> open.rate(r.getConversationId(), r.getRateBitsPerSecond()));
      case REPORT ->
          message
              .getReport()
              .getConversationsList()
              .forEach(c -> open.rate(c.getConversationId(), c.getInstalledRateBitsPerSecond()));
      default -> {}
    }
    notifyAll();
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

  synchronized List<ConversationOpened> open(String intent) {
    return open.all().stream().filter(c -> c.getIntent().equals(intent)).toList();
  }

  /** The one open conversation of this intent, as soon as there is one. */
  ConversationOpened awaitOpen(String intent) throws InterruptedException {
    return await("a conversation of " + intent, () -> open(intent).stream().findFirst());
  }

  /** The one open conversation of this intent that is not this one. */
  ConversationOpened awaitOpenAgain(String intent, String notThis) throws InterruptedException {
    return await(
        "another conversation of " + intent,
        () -> open(intent).stream().filter(c -> !c.getId().equals(notThis)).findFirst());
  }

  /** What the agent's host receives under this intent, by any but this id. */
  ConversationOpened awaitIncoming(String intent, String notThis) throws InterruptedException {
    return await(
        "incoming " + intent,
        () ->
            incoming.values().stream()
                .filter(c -> c.getIntent().equals(intent) && !c.getId().equals(notThis))
                .findFirst());
  }

  synchronized void refuse(String id, Refusal.Code code) {
    agent
        .orElseThrow()
        .onNext(
            ControllerMessage.newBuilder()
                .setRefusal(
                    Refusal.newBuilder().setConversationId(id).setCode(code).setMessage("no"))
                .build());
  }

  void awaitClosed(String id) throws InterruptedException {
    await(
        "the end of " + id,
        () ->
            open.all().stream().anyMatch(c -> c.getId().equals(id))
                ? Optional.empty()
                : Optional.of(id));
  }

  /** Grants and waits for the acknowledgement. */
  RatesInstalled grant(Map<String, Long> rates) throws InterruptedException {
    long version;
    synchronized (this) {
      version = ++plan;
      Rates.Builder message = Rates.newBuilder().setPlanVersion(version);
      rates.forEach(
          (id, rate) ->
              message.addRates(Rate.newBuilder().setConversationId(id).setRateBitsPerSecond(rate)));
      agent.orElseThrow().onNext(ControllerMessage.newBuilder().setRates(message).build());
    }
    return await(
        "the acknowledgement of plan " + version,
        () ->
            messages.stream()
                .filter(AgentMessage::hasInstalled)
                .map(AgentMessage::getInstalled)
                .filter(installed -> installed.getPlanVersion() == version)
                .findFirst());
  }

  synchronized Optional<ConversationReport> latestReport(String id) {
    Optional<ConversationReport> latest = Optional.empty();
    for (AgentMessage message : messages) {
      for (ConversationReport one : message.getReport().getConversationsList()) {
        if (one.getConversationId().equals(id)) {
          latest = Optional.of(one);
        }
      }
    }
    return latest;
  }

  synchronized Optional<Hello> latestHello() {
    return messages.stream()
        .filter(AgentMessage::hasHello)
        .map(AgentMessage::getHello)
        .reduce((a, b) -> b);
  }

  synchronized Optional<Report> latestReport() {
    return messages.stream()
        .filter(AgentMessage::hasReport)
        .map(AgentMessage::getReport)
        .reduce((a, b) -> b);
  }

  interface Question<T> {
    Optional<T> ask();
  }

  synchronized <T> T await(String what, Question<T> question) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (true) {
      Optional<T> answer = question.ask();
      if (answer.isPresent()) {
        return answer.get();
      }
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError("waited in vain for " + what + "; open: " + open.all());
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, 200_000_000L));
    }
  }

  @Override
  public void close() throws InterruptedException {
    heart.shutdownNow();
    server.shutdownNow().awaitTermination();
  }
}
