package org.paceline.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.config.TlsFiles;
import org.paceline.protocol.AgentGatewayGrpc;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.EnrolmentGrpc;
import org.paceline.protocol.Hello;
import org.paceline.protocol.HostCertificate;
import org.paceline.protocol.RenewRequest;

/** Real TLS on loopback: an agent that runs uses the files that somebody has renewed. */
@SuppressWarnings("NullAway.Init")
class RenewedTlsTest {
  private static final int A_MINUTE = 60;
  private static final List<String> FILES = List.of("ca.pem", "h1.pem", "h1.key");
  private static final AgentMessage HELLO =
      AgentMessage.newBuilder().setHello(Hello.newBuilder().setHostId("h1")).build();

  private final ExecutorService loop = Executors.newSingleThreadExecutor();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> notRenewed = new LinkedBlockingQueue<>();
  private final BlockingQueue<RenewRequest> asked = new LinkedBlockingQueue<>();
  private Path house;
  private Path strangers;
  private Path own;
  private Server server;
  private ControllerStream link;

  @BeforeEach
  void listen(@TempDir Path directory) throws Exception {
    house = certificates(directory.resolve("house"));
    strangers = certificates(directory.resolve("strangers"));
    own = Files.createDirectory(directory.resolve("own"));
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .sslContext(
                GrpcSslContexts.configure(
                        SslContextBuilder.forServer(
                            house.resolve("controller.pem").toFile(),
                            house.resolve("controller.key").toFile()),
                        SslProvider.JDK)
                    .trustManager(house.resolve("ca.pem").toFile())
                    .clientAuth(ClientAuth.REQUIRE)
                    .build())
            .addService(new Reader())
            .addService(new Signer())
            .build()
            .start();
  }

  private static Path certificates(Path directory) throws Exception {
    Process script =
        new ProcessBuilder("../../tools/certificates", directory.toString(), "h1")
            .redirectErrorStream(true)
            .start();
    String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(script.waitFor()).as(said).isZero();
    return directory;
  }

  @AfterEach
  void end() throws Exception {
    onLoop(ControllerStream::close);
    loop.shutdownNow();
    server.shutdownNow().awaitTermination();
  }

  private void take(Path from) throws Exception {
    for (String name : FILES) {
      Files.copy(from.resolve(name), own.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Of the files that are there now. */
  private void start() throws Exception {
    start(new TlsFiles(own.resolve("ca.pem"), own.resolve("h1.pem"), own.resolve("h1.key")));
  }

  private void start(TlsFiles files) throws Exception {
    link =
        loop.submit(
                () ->
                    new ControllerStream(
                        "127.0.0.1", server.getPort(), Optional.of(files), loop, new Ends()))
            .get(A_MINUTE, TimeUnit.SECONDS);
  }

  private void onLoop(Consumer<ControllerStream> action) throws Exception {
    loop.submit(() -> action.accept(link)).get(A_MINUTE, TimeUnit.SECONDS);
  }

  private static String next(BlockingQueue<String> from) throws Exception {
    return Optional.ofNullable(from.poll(A_MINUTE, TimeUnit.SECONDS)).orElseThrow();
  }

  @Test
  void theNextStreamIsOpenedWithTheFilesThatAreThereThen() throws Exception {
    take(strangers);
    start();
    onLoop(stream -> stream.open(HELLO));
    assertThat(next(ends)).contains("UNAVAILABLE");
    take(house);
    onLoop(stream -> stream.open(HELLO));
    assertThat(next(heard)).isEqualTo("h1");
    assertThat(notRenewed).isEmpty();
  }

  @Test
  void aKeyInAnOlderFormIsUsed() throws Exception {
    take(house);
    Path key = own.resolve("h1.key");
    Process older =
        new ProcessBuilder("openssl", "ec", "-in", key.toString(), "-out", key.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(older.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(older.waitFor()).as(said).isZero();
    assertThat(Files.readString(key)).startsWith("-----BEGIN EC PRIVATE KEY-----");
    start();
    onLoop(stream -> stream.open(HELLO));
    assertThat(next(heard)).isEqualTo("h1");
  }

  @Test
  void filesThatCannotBeUsedAreToldOfAndThoseBeforeGoOn() throws Exception {
    take(house);
    start();
    Files.writeString(own.resolve("h1.pem"), "none");
    onLoop(stream -> stream.open(HELLO));
    assertThat(next(notRenewed)).isNotEmpty();
    assertThat(next(heard)).isEqualTo("h1");
    Files.delete(own.resolve("h1.pem"));
    onLoop(stream -> stream.open(HELLO));
    assertThat(next(notRenewed)).contains("h1.pem");
    assertThat(next(heard)).isEqualTo("h1");
  }

  @Test
  void anEnrolledHostHasItsCertificateRenewedWhenAThirdOfItsTimeIsLeft() throws Exception {
    TlsFiles files = HostCertificateFiles.in(own);
    HostCertificateFiles.write(
        files,
        Files.readString(house.resolve("ca.pem")),
        Files.readString(house.resolve("h1.pem")),
        Files.readString(house.resolve("h1.key")));
    String before = Files.readString(files.key());
    start(files);
    onLoop(stream -> stream.open(HELLO));
    assertThat(next(heard)).isEqualTo("h1");
    Instant now = Instant.now();
    onLoop(stream -> stream.renewCertificate(now));
    onLoop(stream -> stream.renewCertificate(now.plus(Duration.ofDays(240))));
    assertThat(asked).isEmpty();
    onLoop(stream -> stream.renewCertificate(now.plus(Duration.ofDays(246))));
    for (int tries = 0; Files.readString(files.key()).equals(before); tries++) {
      assertThat(tries).as("tenths of a second").isLessThan(10 * A_MINUTE);
      Thread.sleep(100);
    }
    assertThat(Files.readString(files.certificate()))
        .startsWith(Files.readString(house.resolve("h1.pem")))
        .doesNotContain(Files.readString(house.resolve("h1.key")));
    assertThat(asked).hasSize(1);
    assertThat(notRenewed).isEmpty();
  }

  @Test
  void filesThatAnOperatorLooksAfterAreLeftAlone() throws Exception {
    take(house);
    start();
    onLoop(stream -> stream.open(HELLO));
    assertThat(next(heard)).isEqualTo("h1");
    onLoop(stream -> stream.renewCertificate(Instant.now().plus(Duration.ofDays(364))));
    assertThat(asked).isEmpty();
  }

  /** Signs nothing: what it answers is the certificate that was there. */
  private final class Signer extends EnrolmentGrpc.EnrolmentImplBase {
    @Override
    public void renew(RenewRequest request, StreamObserver<HostCertificate> out) {
      asked.add(request);
      try {
        out.onNext(
            HostCertificate.newBuilder()
                .setHostId("h1")
                .setCertificate(Files.readString(house.resolve("h1.pem")))
                .setAuthority(Files.readString(house.resolve("ca.pem")))
                .build());
        out.onCompleted();
      } catch (IOException e) {
        out.onError(e);
      }
    }
  }

  private final class Ends implements ControllerStream.Listener {
    @Override
    public void received(ControllerMessage message, long arrivedNanos) {}

    @Override
    public void ended(String reason) {
      ends.add(reason);
    }

    @Override
    public void notRenewed(String reason) {
      notRenewed.add(reason);
    }
  }

  private final class Reader extends AgentGatewayGrpc.AgentGatewayImplBase {
    @Override
    public StreamObserver<AgentMessage> attach(StreamObserver<ControllerMessage> out) {
      return new StreamObserver<>() {
        @Override
        public void onNext(AgentMessage message) {
          heard.add(message.getHello().getHostId());
        }

        @Override
        public void onError(Throwable broken) {}

        @Override
        public void onCompleted() {
          out.onCompleted();
        }
      };
    }
  }
}
