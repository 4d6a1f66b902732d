package org.paceline.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.application.ApplicationSocket;
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

/** Whatever applications say, each line gets one answer, and the agent goes on. */
class ApplicationLinesFuzzTest {
  // What waits for its turn must fit into a socket's buffer.
  private static final int LINES = 400;
  private static final long SEED = 20_261_121;

  private static final List<String> SAMPLES =
      List.of(
          "{\"do\":\"claim\",\"intent\":\"a/b\"}",
          "{\"do\":\"claim\",\"intent\":\"a/b\",\"process\":1}",
          "{\"do\":\"claim\",\"intent\":\"a/b\",\"socket\":{\"protocol\":\"tcp\","
              + "\"local\":\"10.0.0.1:80\",\"remote\":\"[fd00::1]:4000\"}}",
          "{\"do\":\"report\",\"kpis\":{\"rtt_ms\":1.5,\"stalls\":2}}",
          "{\"do\":\"grants\"}",
          "[[[[[[[[[[{\"do\":1e999}]]]]]]]]]]",
          "");

  @Test
  void everyLineGetsOneAnswerAndNoneEndsTheAgent(@TempDir Path directory) throws Exception {
    askAndAnswer(directory, 3);
  }

  @Test
  @Tag("long")
  void soDoTenThousand(@TempDir Path directory) throws Exception {
    askAndAnswer(directory, 25);
  }

  private static void askAndAnswer(Path directory, int connectionCount) throws Exception {
    Files.writeString(directory.resolve("rules.yaml"), "rules: [{intent: a/b}]");
    Path file =
        Files.writeString(
            directory.resolve("agent.yaml"),
            "controller: 127.0.0.1:1\nhostId: h1\nrules: rules.yaml\nenforcer: none\n"
                + "applications: {socket: s, allow: [{user: '*', intents: [a]}]}\n");
    AgentConfig config = AgentConfig.read(file);
    ProcessTable processes =
        new ProcessTable(Path.of("/proc"), Path.of("/etc/passwd"), System::nanoTime);
    PeerNameCapture peerNames = PeerNameCapture.open(config.rules());
    Agent agent =
        new Agent(
            config,
            new HostSetup(
                List.of(),
                new EnforcerChoice(EnforcerKind.NONE, List.of()),
                Optional.empty(),
                new StateFile(directory.resolve("state"), directory.resolve("lock"))),
            new SocketTable(
                new SocketTableReader(Path.of("/proc/net")),
                processes,
                List.of(),
                config.rules(),
                peerNames.names(),
                DscpMarkings.open(config.rules())),
            peerNames,
            1,
            new Console(
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8)));
    Path socket = config.local().applications().orElseThrow().socket();
    Random random = new Random(SEED);
    try (ApplicationSocket applications = new ApplicationSocket(socket, processes::userName)) {
      applications.serve(agent.requests(config.local().applications().orElseThrow()));
      List<SocketChannel> connections = new ArrayList<>();
      for (int i = 0; i < connectionCount; i++) {
        SocketChannel connection = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        connections.add(connection);
        for (int j = 0; j < LINES; j++) {
          write(connection, mangled(random));
        }
        write(connection, "{\"do\":\"grants\"}".getBytes(StandardCharsets.UTF_8));
      }
      for (SocketChannel connection : connections) {
        BufferedReader answers =
            new BufferedReader(Channels.newReader(connection, StandardCharsets.UTF_8));
        for (int j = 0; j < LINES; j++) {
          assertThat(answers.readLine()).matches("\\{\"(ok\":true|error\":\".+\").*}");
        }
        assertThat(answers.readLine()).isEqualTo("{\"ok\":true,\"conversations\":[]}");
        connection.close();
      }
      assertThat(StatusText.of(agent.view())).contains("host h1, pacing nothing");
    } finally {
      agent.close();
    }
  }

  private static void write(SocketChannel connection, byte[] line) throws Exception {
    ByteBuffer bytes = ByteBuffer.allocate(line.length + 1).put(line).put((byte) '\n').flip();
    while (bytes.hasRemaining()) {
      connection.write(bytes);
    }
  }

  /** Some bytes of it changed, but never into more lines than one; now and then far too long. */
  private static byte[] mangled(Random random) {
    String sample = SAMPLES.get(random.nextInt(SAMPLES.size()));
    byte[] bytes =
        (random.nextInt(100) == 0 ? sample + "x".repeat(5_000) : sample)
            .getBytes(StandardCharsets.UTF_8);
    for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
      byte other = (byte) random.nextInt(256);
      bytes[random.nextInt(bytes.length)] = other == '\n' ? (byte) ' ' : other;
    }
    return bytes;
  }
}
