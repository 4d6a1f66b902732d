package org.paceline.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerStreamTracer;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.paceline.agent.application.ReportedKpi;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.runtime.Console;
import org.paceline.agent.runtime.EventLoop;
import org.paceline.protocol.AgentGatewayGrpc;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.AgentUsage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationReport;
import org.paceline.protocol.Hello;
import org.paceline.protocol.InstalledRate;
import org.paceline.protocol.Pool;
import org.paceline.protocol.RatesInstalled;
import org.paceline.protocol.Report;

/** A real stream on loopback to a controller that reads only when it is told to. */
class ControllerStreamTest {
  private static final int GRPC_LIMIT = 4 << 20;

  private static final int A_MINUTE = 60;
  private static final int WINDOW = 65_535;
  private static final AgentMessage HELLO =
      AgentMessage.newBuilder().setHello(Hello.newBuilder().setHostId("h1")).build();

  private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
  private final ExecutorService loop = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, waiting);
  private final BlockingQueue<AgentMessage> read = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
  private volatile CompletableFuture<ServerCallStreamObserver<ControllerMessage>> controller =
      new CompletableFuture<>();
  private final BlockingQueue<String> goodbyes = new LinkedBlockingQueue<>();
  private final AtomicLong wireBytes = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private Server server;
  private ControllerStream link;
  private volatile Runnable hearing = () -> {};

  @BeforeEach
  void listen() throws Exception {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .flowControlWindow(WINDOW)
            .addService(new Reader())
            .addStreamTracerFactory(new Counting())
            .build()
            .start();
    link = stream(loop);
    onLoop(l -> l.open(HELLO));
  }

  private ControllerStream stream(Executor owner) {
    return new ControllerStream(
        "127.0.0.1",
        server.getPort(),
        Optional.empty(),
        owner,
        new ControllerStream.Listener() {
          @Override
          public void received(ControllerMessage message, long arrivedNanos) {
            hearing.run();
          }

          @Override
          public void ended(String reason) {
            ends.add(reason);
          }

          @Override
          public void notRenewed(String reason) {}
        });
  }

  @AfterEach
  void end() throws Exception {
    server.shutdownNow().awaitTermination();
    onLoop(ControllerStream::close);
    loop.shutdownNow();
  }

  @Test
  void whereTheControllerDoesNotReadTheNewestReportTakesThePlaceOfThoseBefore() throws Exception {
    controller.get(A_MINUTE, TimeUnit.SECONDS);
    int reports = 500;
    for (int i = 1; i <= reports; i++) {
      AgentMessage report = report(i, 100, true);
      onLoop(l -> l.offer(List.of(report)));
    }

    readAll();
    assertThat(next()).isEqualTo(HELLO);
    int told = 0;
    long latest = 0;
    while (latest < reports) {
      AgentMessage next = next();
      assertThat(next.getReport().getUnixNanos()).isGreaterThan(latest);
      latest = next.getReport().getUnixNanos();
      told++;
    }

    assertThat(told).isLessThan(reports / 5);
    assertThat(ends).isEmpty();
  }

  @Test
  void theStreamIsGivenUpBeforeWhatIsNotReadFillsMemory() throws Exception {
    controller.get(A_MINUTE, TimeUnit.SECONDS);
    AgentMessage large = report(1, 1_000, true);
    for (int told = 0; told < (100 << 20) / large.getSerializedSize(); told++) {
      onLoop(l -> l.send(large));
    }

    assertThat(ends.poll(A_MINUTE, TimeUnit.SECONDS)).contains("does not read what it is told");
    assertThat(ends).isEmpty();
  }

  /** Who refuses ends the stream, too: what it said is the reason, not that it ended. */
  @Test
  void whatItIsGivenUpForIsTheReasonAlsoWhereTheControllerHasEndedItMeanwhile() throws Exception {
    hearing =
        () -> {
          try {
            waiting.put(waiting.take());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          link.giveUp("refused");
        };
    StreamObserver<ControllerMessage> out = controller.get(A_MINUTE, TimeUnit.SECONDS);
    out.onNext(ControllerMessage.getDefaultInstance());
    out.onCompleted();

    assertThat(ends.poll(A_MINUTE, TimeUnit.SECONDS)).isEqualTo("refused");
    assertThat(ends).isEmpty();
  }

  /** What it has not read yet comes before the goodbye. */
  @Test
  void aControllerThatIsBusyForASecondHearsTheGoodbyeAndNoBrokenStream() throws Exception {
    controller.get(A_MINUTE, TimeUnit.SECONDS);
    Thread busy = new Thread(() -> readAfter(Duration.ofSeconds(1)));
    busy.start();

    onLoop(ControllerStream::close);

    assertThat(goodbyes.poll(A_MINUTE, TimeUnit.SECONDS)).isEqualTo("completed");
    busy.join();
  }

  /** Here it has the stream and reads nothing of it; one that is frozen does the same. */
  @Test
  void anAgentThatIsToEndDoesNotWaitLongForAControllerThatDoesNotAnswer() throws Exception {
    controller.get(A_MINUTE, TimeUnit.SECONDS);
    long began = System.nanoTime();

    onLoop(ControllerStream::close);

    // It gives two seconds. A busy machine may take as long again.
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    assertThat(goodbyes.poll(A_MINUTE, TimeUnit.SECONDS)).isEqualTo("broken");
  }

  @Test
  void whatTheControllerSaysToAnAgentThatIsAboutToSayGoodbyeBreaksNoStream() throws Exception {
    controller.get(A_MINUTE, TimeUnit.SECONDS);
    controller = new CompletableFuture<>();
    EventLoop ending = new EventLoop(new Console(System.out), () -> {});
    ControllerStream leaving = stream(ending);
    ending.soon(() -> leaving.open(HELLO));
    readAll();
    assertThat(next()).isEqualTo(HELLO);

    ending.end(
        () -> {
          controller.join().onNext(ControllerMessage.getDefaultInstance());
          pause(300);
          leaving.close();
        });

    assertThat(goodbyes.poll(A_MINUTE, TimeUnit.SECONDS)).isEqualTo("completed");
  }

  @Test
  void whatIsLargeIsCompressedAndWhatIsSmallLeavesAsItIs() throws Exception {
    readAll();
    assertThat(next()).isEqualTo(HELLO);
    wireBytes.set(0);
    bytes.set(0);
    AgentMessage report = report(1, 1_000, false);

    onLoop(l -> l.offer(List.of(report)));

    assertThat(next()).isEqualTo(report);
    assertThat(bytes.get()).isGreaterThanOrEqualTo(report.getSerializedSize());
    assertThat(wireBytes.get()).isPositive().isLessThan(bytes.get() / 2);
  }

  @Test
  void aReportOfFiftyThousandConversationsArrivesInPartsEachOnceAndBeforeTheNextOne()
      throws Exception {
    int many = 50_000;
    Map<Conversation, ClassStatistics> statistics = ReportOfMany.statistics(many);
    List<AgentMessage> report =
        Messages.report(
            statistics,
            one -> Map.of("rtt_ms", new ReportedKpi(12.5, 1), "stalled_ms", new ReportedKpi(3, 1)),
            AgentUsage.getDefaultInstance(),
            Optional.empty(),
            1);
    List<AgentMessage> later =
        Messages.report(
            Map.of(), one -> Map.of(), AgentUsage.getDefaultInstance(), Optional.empty(), 2);
    assertThat(report.stream().mapToInt(AgentMessage::getSerializedSize).sum())
        .isGreaterThan(GRPC_LIMIT);

    onLoop(l -> l.offer(report));
    onLoop(l -> l.offer(later));
    readAll();

    assertThat(next()).isEqualTo(HELLO);
    Set<String> told = new HashSet<>();
    int usages = 0;
    for (AgentMessage part = next(); part.getReport().getUnixNanos() == 1; part = next()) {
      usages += part.getReport().hasUsage() ? 1 : 0;
      part.getReport().getConversationsList().forEach(c -> told.add(c.getConversationId()));
    }
    assertThat(told).hasSize(many);
    assertThat(usages).isEqualTo(1);
    assertThat(ends).isEmpty();
  }

  @Test
  void theAnswerToAllRatesOfAHostArrivesInPartsWithEachOnce() throws Exception {
    InstalledRate.Builder refused =
        InstalledRate.newBuilder()
            .setError("There is no such conversation. Maybe it closed meanwhile.");
    List<InstalledRate> rates =
        IntStream.range(0, ClassIds.MOST_CONVERSATIONS)
            .mapToObj(i -> refused.setConversationId("mibxz1q7-" + i).build())
            .toList();
    assertThat(rates.stream().mapToInt(InstalledRate::getSerializedSize).sum())
        .isGreaterThan(GRPC_LIMIT);

    List<Pool> pools = List.of(Pool.newBuilder().setInterface("eth0").build());

    onLoop(l -> Messages.installed(7, rates, pools).forEach(l::send));
    readAll();

    assertThat(next()).isEqualTo(HELLO);
    List<InstalledRate> told = new ArrayList<>();
    List<Pool> toldPools = new ArrayList<>();
    while (told.size() < rates.size()) {
      RatesInstalled part = next().getInstalled();
      assertThat(part.getPlanVersion()).isEqualTo(7);
      told.addAll(part.getRatesList());
      toldPools.addAll(part.getPoolsList());
    }
    assertThat(told).isEqualTo(rates);
    assertThat(toldPools).isEqualTo(pools);
    assertThat(ends).isEmpty();
  }

  @Test
  void noRatesAreAnsweredToo() {
    assertThat(Messages.installed(7, List.of(), List.of()))
        .containsExactly(
            AgentMessage.newBuilder()
                .setInstalled(RatesInstalled.newBuilder().setPlanVersion(7))
                .build());
  }

  private void readAfter(Duration time) {
    try {
      Thread.sleep(time.toMillis());
      readAll();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void onLoop(Consumer<ControllerStream> action) throws Exception {
    loop.submit(() -> action.accept(link)).get(A_MINUTE, TimeUnit.SECONDS);
  }

  private void readAll() throws Exception {
    controller.get(A_MINUTE, TimeUnit.SECONDS).request(Integer.MAX_VALUE);
  }

  private AgentMessage next() throws Exception {
    return Optional.ofNullable(read.poll(A_MINUTE, TimeUnit.SECONDS)).orElseThrow();
  }

  /**
   * @param random whether its ids cannot be compressed
   */
  private static AgentMessage report(int number, int conversations, boolean random) {
    Report.Builder report = Report.newBuilder().setUnixNanos(number);
    Random some = new Random(number);
    for (int i = 0; i < conversations; i++) {
      report.addConversations(
          ConversationReport.newBuilder()
              .setConversationId(random ? noise(some) : "mibxz1q7-" + i)
              .setSentBytes(1_000_000L * i + some.nextInt(100_000))
              .setSentPackets(700L * i)
              .setSockets(1)
              .setInstalledRateBitsPerSecond(1_000_000)
              .setRetransmittedSegments(some.nextInt(4))
              .setSmoothedRttMicros(200 + some.nextInt(100)));
    }
    return AgentMessage.newBuilder().setReport(report).build();
  }

  private static String noise(Random random) {
    StringBuilder text = new StringBuilder();
    random.ints(300, 0x20, 0x7f).forEach(text::appendCodePoint);
    return text.toString();
  }

  private final class Reader extends AgentGatewayGrpc.AgentGatewayImplBase {
    @Override
    public StreamObserver<AgentMessage> attach(StreamObserver<ControllerMessage> out) {
      ServerCallStreamObserver<ControllerMessage> call =
          (ServerCallStreamObserver<ControllerMessage>) out;
      call.disableAutoRequest();
      controller.complete(call);
      return new StreamObserver<>() {
        @Override
        public void onNext(AgentMessage message) {
          read.add(message);
        }

        @Override
        public void onError(Throwable broken) {
          goodbyes.add("broken");
        }

        @Override
        public void onCompleted() {
          goodbyes.add("completed");
          out.onCompleted();
        }
      };
    }
  }

  private final class Counting extends ServerStreamTracer.Factory {
    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
      return new ServerStreamTracer() {
        @Override
        public void inboundWireSize(long more) {
          wireBytes.addAndGet(more);
        }

        @Override
        public void inboundUncompressedSize(long more) {
          bytes.addAndGet(more);
        }
      };
    }
  }
}
