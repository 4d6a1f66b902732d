package org.paceline.agent.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class StatusSocketTest {
  @Test
  @Timeout(60)
  void whoeverConnectsAndSaysNothingKeepsNobodyWaiting(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("status.sock");
    List<SocketChannel> silent = new ArrayList<>();
    try (StatusSocket socket = StatusSocket.open(file, () -> "well", () -> "known")) {
      for (int i = 0; i < 20; i++) {
        silent.add(SocketChannel.open(UnixDomainSocketAddress.of(file)));
        assertThat(StatusSocket.ask(file, StatusSocket.STATUS)).isEqualTo("well");
      }
      assertThat(StatusSocket.ask(file, StatusSocket.KNOWN)).isEqualTo("known");
    } finally {
      for (SocketChannel each : silent) {
        each.close();
      }
    }
    assertThat(Files.exists(file)).isFalse();
  }
}
