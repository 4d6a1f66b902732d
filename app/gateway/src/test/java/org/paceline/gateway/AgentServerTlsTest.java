package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.protocol.Refusal;

/** With certificates, an agent is who its certificate says, or it is not let in. */
@SuppressWarnings("NullAway.Init")
final class AgentServerTlsTest {
  private Path house;
  private Path strangers;
  private AgentServerRig rig;

  @BeforeEach
  void listen(@TempDir Path directory) throws Exception {
    house = directory.resolve("house");
    strangers = directory.resolve("strangers");
    certificates(house, "h1", "h2", "h5=10.0.0.2,2001:db8::1");
    certificates(strangers, "h1");
    rig = new AgentServerRig(Optional.of(house));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  /** Of a house of its own, for these hosts. */
  static void certificates(Path directory, String... more) throws Exception {
    List<String> words = new ArrayList<>(List.of("../../tools/certificates", directory.toString()));
    words.addAll(List.of(more));
    Process script = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(script.waitFor()).as(said).isZero();
  }

  /** An agent that trusts the house and shows this certificate. */
  private AgentServerRig.Agent agent(Path directory, String host) throws IOException {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", rig.server.port())
            .overrideAuthority("paceline-controller")
            .sslContext(
                GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                    .trustManager(house.resolve("ca.pem").toFile())
                    .keyManager(
                        directory.resolve(host + ".pem").toFile(),
                        directory.resolve(host + ".key").toFile())
                    .build())
            .build();
    return rig.agent(channel);
  }

  private static void assertNotLetIn(AgentServerRig.Agent agent) throws Exception {
    assertThat(agent.ended.poll(AgentServerRig.SECONDS, TimeUnit.SECONDS)).contains("UNAVAILABLE");
  }

  @Test
  void anAgentWithItsOwnCertificateIsLetIn() throws Exception {
    AgentServerRig.Agent agent = agent(house, "h1");
    agent.say(AgentServerRig.hello("h1").build());
    assertThat(agent.hears().hasWelcome()).isTrue();
  }

  @Test
  void theCertificateOfAnotherHostIsRefusedByName() throws Exception {
    AgentServerRig.Agent agent = agent(house, "h2");
    agent.say(AgentServerRig.hello("h1").build());
    Refusal refusal = agent.hears().getRefusal();
    assertThat(refusal.getCode()).isEqualTo(Refusal.Code.NOT_AUTHORISED);
    assertThat(refusal.getMessage()).contains("(h1)").contains("(h2)").contains("Maybe");
  }

  /** The name in its certificate, and the addresses where that names some. */
  @Test
  void anAgentSpeaksForTheAddressesThatItsCertificateNames() throws Exception {
    AgentServerRig.Agent agent = agent(house, "h5");
    agent.say(AgentServerRig.hello("h5").build());
    assertThat(agent.hears().hasWelcome()).isTrue();
    // From 10.0.0.1.
    agent.say(AgentServerRig.opened("c1", "10.0.0.2"));
    Refusal refusal = agent.hears().getRefusal();
    assertThat(refusal.getCode()).isEqualTo(Refusal.Code.INVALID_CONVERSATION);
    assertThat(refusal.getConversationId()).isEqualTo("c1");
    assertThat(refusal.getMessage()).contains("(10.0.0.1)").contains("(h5)").contains("Maybe");
    // The refusal may overtake what the planner is told.
    rig.planner.awaitTold(Duration.ofSeconds(AgentServerRig.SECONDS));
    assertThat(rig.planner.agents())
        .singleElement()
        .satisfies(
            one ->
                assertThat(one.certified()).containsExactlyInAnyOrder("10.0.0.2", "2001:db8::1"));
    // The stream goes on.
    agent.say(
        AgentServerRig.opened("c2", "10.0.0.1").toBuilder().setLocalAddress("10.0.0.2").build());
    agent.say(AgentServerRig.opened("c1", "10.0.0.2").toBuilder().setProcess("x").build());
    assertThat(agent.ended).isEmpty();
  }

  @Test
  void addressesThatAreNoneGetNoCertificate(@TempDir Path directory) throws Exception {
    Process script =
        new ProcessBuilder("../../tools/certificates", directory.toString(), "h1=10.0.0.999")
            .redirectErrorStream(true)
            .start();
    String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(script.waitFor()).as(said).isEqualTo(2);
    assertThat(said).contains("(h1=10.0.0.999)").contains("Maybe");
    assertThat(directory.resolve("h1.pem")).doesNotExist();
  }

  @Test
  void whatAStrangersAuthorityHasSignedIsNotLetIn() throws Exception {
    assertNotLetIn(agent(strangers, "h1"));
  }

  @Test
  void anExpiredCertificateIsNotLetIn() throws Exception {
    certificates(house, "--days", "0", "h3");
    // Its last second is over when the next has begun.
    Thread.sleep(1_100);
    assertNotLetIn(agent(house, "h3"));
  }

  /** Whoever reaches the port may try as often as it likes. */
  @Test
  void aCallerThatIsRefusedAgainAndAgainFillsNoLog() throws Exception {
    for (int i = 0; i < 40; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), rig.server.port())) {
        socket.getOutputStream().write("no TLS at all\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        socket.getInputStream().readAllBytes();
      }
    }
    AgentServerRig.await(() -> rig.written.size() >= 20);
    assertThat(rig.written)
        .hasSize(20)
        .allSatisfy(line -> assertThat(line).contains("127.0.0.1", "is not let in"));
  }

  @Test
  void whoShowsNoneIsNotLetIn() throws Exception {
    assertNotLetIn(rig.agent());
  }

  /** Renewed in the place of the former one, as tools/certificates does it. */
  @Test
  void aRenewedCertificateOfTheControllerIsUsedWithoutARestart() throws Exception {
    AgentServerRig.Agent agent = agent(house, "h1");
    agent.say(AgentServerRig.hello("h1").build());
    assertThat(agent.hears().hasWelcome()).isTrue();
    LocalDate before = rig.server.expiry().orElseThrow().day();
    Files.delete(house.resolve("controller.pem"));
    certificates(house, "--days", "100");
    AgentServerRig.await(() -> rig.server.expiry().orElseThrow().day().isBefore(before));
    assertThat(rig.server.expiry().orElseThrow().day()).isBefore(before);
    AgentServerRig.Agent later = agent(house, "h2");
    later.say(AgentServerRig.hello("h2").build());
    assertThat(later.hears().hasWelcome()).isTrue();
    // Who is attached stays so.
    assertThat(agent.ended).isEmpty();
  }

  @Test
  void filesThatCannotBeUsedChangeNothing() throws Exception {
    LocalDate before = rig.server.expiry().orElseThrow().day();
    String controller = Files.readString(house.resolve("controller.pem"));
    Files.writeString(house.resolve("controller.pem"), "none");
    // Time to look at it several times.
    Thread.sleep(3_500);
    AgentServerRig.Agent agent = agent(house, "h1");
    agent.say(AgentServerRig.hello("h1").build());
    assertThat(agent.hears().hasWelcome()).isTrue();
    assertThat(rig.server.expiry().orElseThrow().day()).isEqualTo(before);
    Files.writeString(house.resolve("controller.pem"), controller);
  }

  /** Such as one that somebody mistyped, and tries again and again. */
  @Test
  void whereCertificatesCannotBeReadNothingStaysOpen() throws IOException {
    int tries = 10;
    long before = eventLoops();
    for (int i = 0; i < tries; i++) {
      assertThatThrownBy(() -> new AgentServerRig(Optional.of(house.resolve("elsewhere"))))
          .hasCauseInstanceOf(IOException.class)
          .hasMessageContaining("ca.pem");
    }
    // Others of this machine's come and go meanwhile.
    assertThat(eventLoops() - before).isLessThan(tries);
  }

  /** Those of this process, by the kernel's word. */
  private static long eventLoops() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(AgentServerTlsTest::isEventLoop).count();
    }
  }

  private static boolean isEventLoop(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().contains("eventpoll");
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  @Test
  void aRevokedAgentIsEndedAndNotLetInUntilItHasAnotherCertificate() throws Exception {
    AgentServerRig.Agent agent = agent(house, "h1");
    AgentServerRig.Agent other = agent(house, "h2");
    agent.say(AgentServerRig.hello("h1").build());
    other.say(AgentServerRig.hello("h2").build());
    assertThat(agent.hears().hasWelcome()).isTrue();
    assertThat(other.hears().hasWelcome()).isTrue();
    certificates(house, "--revoke", "h1");
    assertThatIsRevoked(agent);
    AgentServerRig.await(() -> rig.planner.agents().size() == 1);
    assertThat(rig.planner.agents()).hasSize(1);

    AgentServerRig.Agent again = agent(house, "h1");
    again.say(AgentServerRig.hello("h1").build());
    assertThatIsRevoked(again);

    certificates(house, "h1");
    AgentServerRig.Agent renewed = agent(house, "h1");
    renewed.say(AgentServerRig.hello("h1").build());
    assertThat(renewed.hears().hasWelcome()).isTrue();
    assertThat(other.ended).isEmpty();
  }

  private static void assertThatIsRevoked(AgentServerRig.Agent agent) throws Exception {
    Refusal refusal = agent.hears().getRefusal();
    assertThat(refusal.getCode()).isEqualTo(Refusal.Code.NOT_AUTHORISED);
    assertThat(refusal.getMessage()).contains("(h1)").contains("was revoked on").contains("Maybe");
  }
}
