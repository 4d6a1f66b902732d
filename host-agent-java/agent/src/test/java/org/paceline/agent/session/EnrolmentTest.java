package org.paceline.agent.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.config.TlsFiles;
import org.paceline.agent.runtime.CannotRun;
import org.paceline.protocol.EnrolRequest;
import org.paceline.protocol.EnrolmentGrpc;
import org.paceline.protocol.EnrolmentTokenText;
import org.paceline.protocol.HostCertificate;

/** Real TLS on loopback: a host believes the controller of its token, and tells nobody else. */
@SuppressWarnings("NullAway.Init")
class EnrolmentTest {
  private static final byte[] SECRET = new byte[16];

  private final BlockingQueue<EnrolRequest> asked = new LinkedBlockingQueue<>();
  private Path house;
  private Path own;
  private Optional<Server> server = Optional.empty();
  private volatile Optional<Status> declines = Optional.empty();

  @BeforeEach
  void make(@TempDir Path directory) throws Exception {
    house = directory.resolve("house");
    own = directory.resolve("own");
    Process script =
        new ProcessBuilder("../../tools/certificates", house.toString(), "h1")
            .redirectErrorStream(true)
            .start();
    String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(script.waitFor()).as(said).isZero();
  }

  @AfterEach
  void end() {
    server.ifPresent(Server::shutdownNow);
  }

  private InputStream file(String name) throws IOException {
    return new ByteArrayInputStream(Files.readAllBytes(house.resolve(name)));
  }

  /** Shows this certificate of the house, and the authority's. */
  private int listen(String name) throws Exception {
    String chain =
        Files.readString(house.resolve(name + ".pem")) + Files.readString(house.resolve("ca.pem"));
    Server started =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .sslContext(
                GrpcSslContexts.configure(
                        SslContextBuilder.forServer(
                            new ByteArrayInputStream(chain.getBytes(StandardCharsets.US_ASCII)),
                            file(name + ".key")),
                        SslProvider.JDK)
                    .build())
            .addService(new Signer())
            .build()
            .start();
    server = Optional.of(started);
    return started.getPort();
  }

  private EnrolmentTokenText token() throws Exception {
    try (InputStream pem = file("ca.pem")) {
      return EnrolmentTokenText.of(
          SECRET,
          MessageDigest.getInstance("SHA-256")
              .digest(
                  CertificateFactory.getInstance("X.509").generateCertificate(pem).getEncoded()));
    }
  }

  @Test
  void aHostKeepsItsKeyAndWhatWasSignedForIt() throws Exception {
    int port = listen("controller");
    assertThat(Enrolment.enrol("127.0.0.1", port, token(), own)).isEqualTo("h1");
    EnrolRequest request = asked.take();
    assertThat(request.getSecret().toByteArray()).isEqualTo(SECRET);
    JcaPKCS10CertificationRequest asking =
        new JcaPKCS10CertificationRequest(request.getSigningRequest().toByteArray());
    assertThat(
            asking.isSignatureValid(
                new JcaContentVerifierProviderBuilder().build(asking.getPublicKey())))
        .isTrue();
    TlsFiles files = HostCertificateFiles.in(own);
    assertThat(HostCertificateFiles.are(files)).isTrue();
    assertThat(Files.readString(files.certificate()))
        .startsWith(Files.readString(house.resolve("h1.pem")))
        .contains("PRIVATE KEY");
    assertThat(Files.readString(files.authority()))
        .isEqualTo(Files.readString(house.resolve("ca.pem")));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.key())))
        .isEqualTo("rw-------");
    try (var all = Files.list(own)) {
      assertThat(all).hasSize(2);
    }
    // As the agent reads them.
    assertThat(new RenewedTls(files).context()).isNotNull();
  }

  @Test
  void whoIsNotTheControllerOfTheTokenIsToldNothing() throws Exception {
    int port = listen("controller");
    EnrolmentTokenText ofOthers = EnrolmentTokenText.of(SECRET, new byte[32]);
    assertThatThrownBy(() -> Enrolment.enrol("127.0.0.1", port, ofOthers, own))
        .isInstanceOf(CannotRun.class)
        .hasMessageContaining("its authority is another");
    assertThat(asked).isEmpty();
  }

  /** Each host has a certificate of the same authority. */
  @Test
  void anotherHostIsNotTakenForTheController() throws Exception {
    int port = listen("h1");
    EnrolmentTokenText token = token();
    assertThatThrownBy(() -> Enrolment.enrol("127.0.0.1", port, token, own))
        .isInstanceOf(CannotRun.class)
        .hasMessageContaining("No controller that made the token answers");
    assertThat(asked).isEmpty();
  }

  @Test
  void whatTheControllerDeclinesIsSaidAndLeavesNothing() throws Exception {
    int port = listen("controller");
    declines = Optional.of(Status.PERMISSION_DENIED.withDescription("It was used."));
    EnrolmentTokenText token = token();
    assertThatThrownBy(() -> Enrolment.enrol("127.0.0.1", port, token, own))
        .isInstanceOf(CannotRun.class)
        .hasMessageContaining("PERMISSION_DENIED: It was used.");
    try (var all = Files.list(own)) {
      assertThat(all).isEmpty();
    }
  }

  private final class Signer extends EnrolmentGrpc.EnrolmentImplBase {
    @Override
    public void enrol(EnrolRequest request, StreamObserver<HostCertificate> out) {
      asked.add(request);
      if (declines.isPresent()) {
        out.onError(declines.get().asRuntimeException());
        return;
      }
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
}
