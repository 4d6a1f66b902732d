package org.paceline.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.enforce.EnforcerChoice;
import org.paceline.agent.enforce.EnforcerKind;
import org.paceline.agent.pacing.HostSetup;
import org.paceline.agent.pacing.StateFile;
import org.paceline.agent.peer.PeerNameCapture;
import org.paceline.agent.runtime.Console;
import org.paceline.agent.sockets.ProcessTable;
import org.paceline.agent.sockets.SocketTableReader;
import org.paceline.agent.status.StatusText;
import org.paceline.agent.tracking.DscpMarkings;
import org.paceline.agent.tracking.SocketTable;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.Pool;
import org.paceline.protocol.Rate;
import org.paceline.protocol.Rates;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.Welcome;

/** Whatever a controller says, the agent says at most one line about it, and goes on. */
class ControllerMessagesFuzzTest {
  private static final int MESSAGES = 10_000;
  private static final long SEED = 20_261_121;

  @Test
  void noMessageEndsTheAgent(@TempDir Path directory) throws Exception {
    Files.writeString(directory.resolve("rules.yaml"), "rules: [{intent: a/b}]");
    Path file =
        Files.writeString(
            directory.resolve("agent.yaml"),
            "controller: 127.0.0.1:1\nhostId: h1\nrules: rules.yaml\nenforcer: none\n");
    AgentConfig config = AgentConfig.read(file);
    PeerNameCapture peerNames = PeerNameCapture.open(config.rules());
    SocketTable socketTable =
        new SocketTable(
            new SocketTableReader(Path.of("/proc/net")),
            new ProcessTable(Path.of("/proc"), Path.of("/etc/passwd"), System::nanoTime),
            List.of(),
            config.rules(),
            peerNames.names(),
            DscpMarkings.open(config.rules()));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Agent agent =
        new Agent(
            config,
            new HostSetup(
                List.of(),
                new EnforcerChoice(EnforcerKind.NONE, List.of()),
                Optional.empty(),
                new StateFile(directory.resolve("state"), directory.resolve("lock"))),
            socketTable,
            peerNames,
            1,
            new Console(new PrintStream(said, true, StandardCharsets.UTF_8)));
    Random random = new Random(SEED);
    int taken = 0;
    while (taken < MESSAGES) {
      Optional<ControllerMessage> mangled =
          mangled(SAMPLES.get(random.nextInt(SAMPLES.size())), random);
      if (mangled.isPresent()) {
        said.reset();
        agent.controller().received(mangled.get(), System.nanoTime());
        assertThat(lines(said)).as("lines about %s", mangled.get()).isLessThanOrEqualTo(1);
        taken++;
      }
    }

    assertThat(StatusText.of(agent.view())).contains("host h1, pacing nothing");
    agent.close();
  }

  private static int lines(ByteArrayOutputStream said) {
    int lines = 0;
    for (byte b : said.toByteArray()) {
      lines += b == '\n' ? 1 : 0;
    }
    return lines;
  }

  private static final List<ControllerMessage> SAMPLES =
      List.of(
          ControllerMessage.newBuilder()
              .setWelcome(
                  Welcome.newBuilder()
                      .setSession("s")
                      .setController("c")
                      .setLeaseSeconds(30)
                      .setDefaultRateBitsPerSecond(1_000_000)
                      .setHeartbeatSeconds(2))
              .build(),
          ControllerMessage.newBuilder()
              .setRates(
                  Rates.newBuilder()
                      .setPlanVersion(7)
                      .addRates(
                          Rate.newBuilder()
                              .setConversationId("x-1")
                              .setRateBitsPerSecond(1_000_000)
                              .setCeilingBitsPerSecond(2_000_000))
                      .addPools(
                          Pool.newBuilder().setInterface("lo").setRateBitsPerSecond(9_000_000)))
              .build(),
          ControllerMessage.newBuilder()
              .setRefusal(
                  Refusal.newBuilder()
                      .setCode(Refusal.Code.NOT_ADMITTED)
                      .setMessage("Full.")
                      .setConversationId("x-1"))
              .build());

  /** Some bytes of it changed; empty where that is no message any more, as gRPC itself finds. */
  private static Optional<ControllerMessage> mangled(ControllerMessage sample, Random random) {
    byte[] bytes = sample.toByteArray();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    try {
      return Optional.of(ControllerMessage.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
