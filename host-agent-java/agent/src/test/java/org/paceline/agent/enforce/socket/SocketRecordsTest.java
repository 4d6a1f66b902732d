package org.paceline.agent.enforce.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.sockets.TcpSocket;

class SocketRecordsTest {
  private Path file;

  @BeforeEach
  void place(@TempDir Path directory) {
    file = directory.resolve("agent.sockets");
  }

  @Test
  void whatIsReadIsWhatWasWrittenLastAboutEachSocket() throws Exception {
    SocketRecord first = record(-2, 5_000, TcpSocket.ANY_RATE, "10.0.0.2");
    SocketRecord second = record(7, TcpSocket.ANY_RATE, 0, "fd00::2");
    try (SocketRecords records = SocketRecords.begin(file, List.of(first))) {
      records.add(List.of(second, record(-2, 6_000, TcpSocket.ANY_RATE, "10.0.0.2")));

      assertThat(SocketRecords.read(file).values())
          .containsExactly(record(-2, 6_000, TcpSocket.ANY_RATE, "10.0.0.2"), second);
    }
    assertThat(SocketRecords.read(file)).isEmpty();
    assertThat(file).doesNotExist();
  }

  @Test
  void aFileThatIsMostlyOfThePastIsWrittenAnew() throws Exception {
    try (SocketRecords records = SocketRecords.begin(file, List.of())) {
      for (int i = 1; i <= 10_000; i++) {
        records.add(List.of(record(i, i, 0, "10.0.0.2")));
        if (i > 3) {
          records.forget(i - 3);
        }
      }
      assertThat(Files.readAllLines(file).size()).isLessThan(100);
      assertThat(SocketRecords.read(file)).containsKeys(9_998L, 9_999L, 10_000L);
    }
  }

  @Test
  void linesThatAreNoneSayNothing() throws Exception {
    String whole = record(1, 2, 3, "10.0.0.2").text();
    for (int end = 0; end < whole.lastIndexOf(' ') + 1; end++) {
      assertThat(SocketRecord.parse(whole.substring(0, end))).isEmpty();
    }
    Files.writeString(file, whole + "\n\n" + whole.replace("eth0", "") + "x\n1 2 3\n");
    assertThat(SocketRecords.read(file)).hasSize(1);
  }

  private static SocketRecord record(long cookie, long told, long own, String remote)
      throws Exception {
    InetAddress to = InetAddress.getByName(remote);
    Flow flow = new Flow(Transport.TCP, InetAddress.getByName("10.0.0.1"), 80, to, 4_000);
    return new SocketRecord(cookie, "eth0", 3, 8_000, told, own, flow);
  }
}
