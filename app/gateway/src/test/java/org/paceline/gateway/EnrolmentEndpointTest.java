package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Refused;
import org.paceline.control.enrolment.IssuedCertificate;
import org.paceline.control.model.Alarm;
import org.paceline.protocol.EnrolRequest;
import org.paceline.protocol.EnrolmentGrpc;
import org.paceline.protocol.EnrolmentTokenText;
import org.paceline.protocol.HostCertificate;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.RenewRequest;

/** Over real TLS: a host comes to its certificate by a token, keeps it up, and loses it. */
@SuppressWarnings("NullAway.Init")
final class EnrolmentEndpointTest {
  private static final Author ANNA = Author.of("anna", Optional.empty());

  private final List<ManagedChannel> channels = new ArrayList<>();
  private Path house;
  private AgentServerRig rig;

  @BeforeEach
  void listen(@TempDir Path directory) throws Exception {
    house = directory.resolve("house");
    AgentServerTlsTest.certificates(house);
    rig = new AgentServerRig(Optional.of(house));
  }

  @AfterEach
  void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    rig.close();
  }

  private static KeyPair key(int rsaBits) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(rsaBits == 0 ? "EC" : "RSA");
    generator.initialize(rsaBits == 0 ? 256 : rsaBits);
    return generator.generateKeyPair();
  }

  private static ByteString request(KeyPair shown, KeyPair signing) throws Exception {
    // Whatever it calls itself, the token says who it is.
    return ByteString.copyFrom(
        new JcaPKCS10CertificationRequestBuilder(
                new X500Principal("CN=somebody else"), shown.getPublic())
            .build(
                new JcaContentSignerBuilder(
                        signing.getPrivate().getAlgorithm().equals("EC")
                            ? "SHA256withECDSA"
                            : "SHA256withRSA")
                    .build(signing.getPrivate()))
            .getEncoded());
  }

  private EnrolmentTokenText token(String host, String... addresses) {
    return EnrolmentTokenText.parse(
            rig.enrolment.make(ANNA, "", host, Set.of(addresses), Duration.ofHours(1)).text())
        .orElseThrow();
  }

  private static EnrolRequest enrol(EnrolmentTokenText token, ByteString request) {
    return EnrolRequest.newBuilder()
        .setSecret(ByteString.copyFrom(token.secret()))
        .setSigningRequest(request)
        .build();
  }

  /** With a certificate of this key's, where there is one. */
  private ManagedChannel channel(Optional<HostCertificate> own, KeyPair key) throws Exception {
    SslContextBuilder tls =
        GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
            .trustManager(house.resolve("ca.pem").toFile());
    if (own.isPresent()) {
      tls.keyManager(key.getPrivate(), certificate(own.get()));
    }
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", rig.server.port())
            .overrideAuthority("paceline-controller")
            .sslContext(tls.build())
            .build();
    channels.add(channel);
    return channel;
  }

  private EnrolmentGrpc.EnrolmentBlockingStub stranger() throws Exception {
    return stub(channel(Optional.empty(), key(0)));
  }

  private static EnrolmentGrpc.EnrolmentBlockingStub stub(ManagedChannel channel) {
    return EnrolmentGrpc.newBlockingStub(channel)
        .withDeadlineAfter(AgentServerRig.SECONDS, TimeUnit.SECONDS);
  }

  private static X509Certificate certificate(HostCertificate signed) throws Exception {
    return certificate(
        new ByteArrayInputStream(signed.getCertificate().getBytes(StandardCharsets.US_ASCII)));
  }

  private static X509Certificate certificate(InputStream pem) throws Exception {
    return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(pem);
  }

  @Test
  void aTokenNamesTheAuthorityAndBringsACertificateThatAnAgentIsLetInWith() throws Exception {
    EnrolmentTokenText token = token("srv1", "10.0.0.1");
    X509Certificate authority;
    try (InputStream pem = Files.newInputStream(house.resolve("ca.pem"))) {
      authority = certificate(pem);
    }
    assertThat(token.fingerprint())
        .isEqualTo(MessageDigest.getInstance("SHA-256").digest(authority.getEncoded()));
    KeyPair key = key(0);
    HostCertificate signed = stranger().enrol(enrol(token, request(key, key)));
    assertThat(signed.getHostId()).isEqualTo("srv1");
    assertThat(signed.getAuthority()).isEqualTo(Files.readString(house.resolve("ca.pem")));
    X509Certificate made = certificate(signed);
    made.verify(authority.getPublicKey());
    assertThat(made.getPublicKey()).isEqualTo(key.getPublic());
    assertThat(made.getBasicConstraints()).isNegative();
    assertThat(made.getNotAfter().toInstant())
        .isBefore(Instant.now().plus(Duration.ofDays(91)))
        .isAfter(Instant.now().plus(Duration.ofDays(89)));
    assertThat(Files.readString(house.resolve("issued.txt"))).contains("/O=Paceline/CN=srv1\n");

    AgentServerRig.Agent agent = rig.agent(channel(Optional.of(signed), key));
    agent.say(AgentServerRig.hello("srv1").build());
    assertThat(agent.hears().hasWelcome()).isTrue();
    // It is welcomed before the planner has heard of it.
    AgentServerRig.await(() -> !rig.planner.agents().isEmpty());
    assertThat(rig.planner.agents())
        .singleElement()
        .satisfies(one -> assertThat(one.certified()).containsExactly("10.0.0.1"));

    assertThatThrownBy(() -> stranger().enrol(enrol(token, request(key, key))))
        .hasMessageContaining("PERMISSION_DENIED")
        .hasMessageContaining("was used");
  }

  @Test
  void whoHasNoCertificateGetsNoFurtherThanEnrolment() throws Exception {
    AgentServerRig.Agent agent = rig.agent(channel(Optional.empty(), key(0)));
    agent.say(AgentServerRig.hello("srv1").build());
    assertThat(agent.ended.poll(AgentServerRig.SECONDS, TimeUnit.SECONDS))
        .contains("UNAUTHENTICATED");
    KeyPair key = key(0);
    assertThatThrownBy(
            () ->
                stranger()
                    .renew(RenewRequest.newBuilder().setSigningRequest(request(key, key)).build()))
        .hasMessageContaining("UNAUTHENTICATED");
  }

  @Test
  void aRequestThatCannotBeSignedCostsNoToken() throws Exception {
    EnrolmentTokenText token = token("srv1");
    KeyPair key = key(0);
    KeyPair weak = key(1_024);
    for (ByteString bad :
        List.of(
            ByteString.copyFromUtf8("none"),
            request(key, key(0)),
            request(weak, weak),
            ByteString.copyFrom(new byte[10_000]))) {
      assertThatThrownBy(() -> stranger().enrol(enrol(token, bad)))
          .hasMessageContaining("INVALID_ARGUMENT");
    }
    assertThat(stranger().enrol(enrol(token, request(key, key))).getHostId()).isEqualTo("srv1");
  }

  private List<IssuedCertificate> issued(String host) {
    return rig.server.authority().orElseThrow().issued().stream()
        .filter(one -> one.host().equals(host))
        .collect(Collectors.toUnmodifiableList());
  }

  @Test
  void whatIsRevokedHereEndsTheAgentAndNobodyComesBackWithIt() throws Exception {
    KeyPair key = key(0);
    HostCertificate own = stranger().enrol(enrol(token("srv1"), request(key, key)));
    KeyPair other = key(0);
    HostCertificate others = stranger().enrol(enrol(token("srv2"), request(other, other)));
    AgentServerRig.Agent agent = rig.agent(channel(Optional.of(own), key));
    agent.say(AgentServerRig.hello("srv1").build());
    assertThat(agent.hears().hasWelcome()).isTrue();
    AgentServerRig.Agent neighbour = rig.agent(channel(Optional.of(others), other));
    neighbour.say(AgentServerRig.hello("srv2").build());
    assertThat(neighbour.hears().hasWelcome()).isTrue();
    assertThat(issued("srv1"))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.serial()).isEqualTo(certificate(own).getSerialNumber().toString(16));
              assertThat(one.isInForce(Instant.now())).isTrue();
            });

    rig.server.authority().orElseThrow().revoke("srv1");
    Refusal refusal = agent.hears().getRefusal();
    assertThat(refusal.getCode()).isEqualTo(Refusal.Code.NOT_AUTHORISED);
    assertThat(refusal.getMessage()).contains("(srv1)", "was revoked on");
    assertThat(issued("srv1"))
        .singleElement()
        .satisfies(one -> assertThat(one.isInForce(Instant.now())).isFalse());
    AgentServerRig.Agent again = rig.agent(channel(Optional.of(own), key));
    again.say(AgentServerRig.hello("srv1").build());
    assertThat(again.hears().getRefusal().getCode()).isEqualTo(Refusal.Code.NOT_AUTHORISED);
    RenewRequest renewal = RenewRequest.newBuilder().setSigningRequest(request(key, key)).build();
    assertThatThrownBy(() -> stub(channel(Optional.of(own), key)).renew(renewal))
        .hasMessageContaining("was revoked on");
    assertThat(neighbour.ended).isEmpty();

    // The command keeps it revoked, and what the command revokes stays so here.
    AgentServerTlsTest.certificates(house, "srv3");
    AgentServerTlsTest.certificates(house, "--revoke", "srv3");
    rig.server.authority().orElseThrow().revoke("srv2");
    assertThat(neighbour.hears().getRefusal().getCode()).isEqualTo(Refusal.Code.NOT_AUTHORISED);
    X509CRL list = list();
    assertThat(list.getRevokedCertificates()).hasSize(3);
    assertThat(list.getRevokedCertificate(certificate(own).getSerialNumber())).isNotNull();
    assertThat(list.getRevokedCertificate(certificate(others).getSerialNumber())).isNotNull();
  }

  private X509CRL list() throws Exception {
    try (InputStream pem = Files.newInputStream(house.resolve("crl.pem"))) {
      return (X509CRL) CertificateFactory.getInstance("X.509").generateCRL(pem);
    }
  }

  @Test
  void anotherAuthoritysListIsNotReplaced(@TempDir Path directory) throws Exception {
    Path elsewhere = directory.resolve("elsewhere");
    AgentServerTlsTest.certificates(elsewhere, "x");
    AgentServerTlsTest.certificates(elsewhere, "--revoke", "x");
    AgentServerTlsTest.certificates(house, "srv1");
    Files.copy(elsewhere.resolve("crl.pem"), house.resolve("crl.pem"));
    assertThatThrownBy(() -> rig.server.authority().orElseThrow().revoke("srv1"))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("crl.pem");
    assertThat(house.resolve("crl.pem")).hasSameBinaryContentAs(elsewhere.resolve("crl.pem"));
    assertThat(issued("srv1"))
        .singleElement()
        .satisfies(one -> assertThat(one.revoked()).isEmpty());
  }

  /** Until a later one is signed for its host: the agent shows that when it next connects. */
  @Test
  void aCertificateThatEndsSoonIsAnAlarmWhileItsAgentIsAttached() throws Exception {
    KeyPair key = key(0);
    HostCertificate own = stranger().enrol(enrol(token("srv1"), request(key, key)));
    AgentServerRig.Agent agent = rig.agent(channel(Optional.of(own), key));
    agent.say(AgentServerRig.hello("srv1").build());
    assertThat(agent.hears().hasWelcome()).isTrue();
    Instant now = Instant.now();
    assertThat(rig.server.alarms(now)).isEmpty();
    Instant soon = now.plus(Duration.ofDays(71));
    assertThat(rig.server.alarms(soon))
        .singleElement()
        .satisfies(
            alarm -> {
              assertThat(alarm.kind()).isEqualTo(Alarm.Kind.CERTIFICATE);
              assertThat(alarm.about()).isEqualTo("certificate of agent srv1");
              assertThat(alarm.sentence()).contains("(srv1)", "ends on", "Maybe");
            });
    AgentServerTlsTest.certificates(house, "--days", "120", "srv1");
    AgentServerRig.await(() -> rig.server.alarms(soon).isEmpty());
    assertThat(rig.server.alarms(soon)).isEmpty();
  }

  @Test
  void aCertificateIsRenewedForItsHostAndAddressesUntilItIsRevoked() throws Exception {
    KeyPair key = key(0);
    HostCertificate first = stranger().enrol(enrol(token("srv1", "10.0.0.1"), request(key, key)));
    KeyPair next = key(2_048);
    RenewRequest again = RenewRequest.newBuilder().setSigningRequest(request(next, next)).build();
    HostCertificate second = stub(channel(Optional.of(first), key)).renew(again);
    assertThat(certificate(second).getPublicKey()).isEqualTo(next.getPublic());
    assertThat(certificate(second).getSubjectAlternativeNames())
        .containsExactlyElementsOf(certificate(first).getSubjectAlternativeNames());

    AgentServerRig.Agent agent = rig.agent(channel(Optional.of(second), next));
    agent.say(AgentServerRig.hello("srv1").build());
    assertThat(agent.hears().hasWelcome()).isTrue();
    AgentServerTlsTest.certificates(house, "--revoke", "srv1");
    assertThat(agent.hears().getRefusal().getCode()).isEqualTo(Refusal.Code.NOT_AUTHORISED);
    for (ManagedChannel former :
        List.of(channel(Optional.of(first), key), channel(Optional.of(second), next))) {
      assertThatThrownBy(() -> stub(former).renew(again))
          .hasMessageContaining("PERMISSION_DENIED")
          .hasMessageContaining("was revoked on");
    }
  }
}
