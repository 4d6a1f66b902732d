package org.paceline.agent.enforce.htb;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import org.paceline.agent.flow.FirstPacket;

/**
 * Hears of each new flow by its first packet, which the classifier's rules mark for tracing: no
 * polling, and nothing per packet after that. The kernel tells {@code nft monitor trace}, which
 * prints it.
 */
public final class FirstPacketMonitor implements AutoCloseable {
  private final Process monitor;
  private final Thread reader;

  private FirstPacketMonitor(Process monitor, Thread reader) {
    this.monitor = monitor;
    this.reader = reader;
  }

  public static FirstPacketMonitor listen(String table, Consumer<FirstPacket> listener)
      throws IOException {
    Process monitor =
        new ProcessBuilder("nft", "--numeric", "monitor", "trace")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Thread reader = new Thread(() -> read(monitor, table, listener), "first-packets");
    reader.setDaemon(true);
    reader.start();
    return new FirstPacketMonitor(monitor, reader);
  }

  private static void read(Process monitor, String table, Consumer<FirstPacket> listener) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(monitor.getInputStream(), StandardCharsets.UTF_8))) {
      for (Optional<String> line = Optional.ofNullable(lines.readLine());
          line.isPresent();
          line = Optional.ofNullable(lines.readLine())) {
        TraceLine.parse(line.get(), table).ifPresent(listener);
      }
    } catch (IOException e) {
      // The monitor ended: isAlive says so to whoever depends on it.
      return;
    }
  }

  public boolean isAlive() {
    return monitor.isAlive() && reader.isAlive();
  }

  public long pid() {
    return monitor.pid();
  }

  @Override
  public void close() {
    monitor.destroy();
  }
}
