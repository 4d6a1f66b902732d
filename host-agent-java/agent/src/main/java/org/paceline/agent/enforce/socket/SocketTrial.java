package org.paceline.agent.enforce.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.sockets.SocketHolders;
import org.paceline.agent.sockets.TcpInfoReader;
import org.paceline.agent.sockets.TcpSocket;

/**
 * Whether sockets can be told their rates here: a file of another process is reached, and a
 * connection of this process to itself is told a rate and read to hold it. Nobody else feels that.
 */
public final class SocketTrial {
  private static final int CAP_SYS_PTRACE = 19;
  private static final long RATE = 1_000_000;

  private SocketTrial() {}

  /** Why not; empty where they can. */
  public static Optional<String> obstacle() {
    try {
      if (!mayReachOthers()) {
        return Optional.of("sockets of other processes are out of reach (CAP_SYS_PTRACE)");
      }
      reachAnother();
      return tellOwn();
    } catch (IOException | LinkageError e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static boolean mayReachOthers() throws IOException {
    String status = Files.readString(Path.of("/proc/self/status"), StandardCharsets.UTF_8);
    Matcher effective = Pattern.compile("CapEff:\\s*([0-9a-f]+)").matcher(status);
    return effective.find()
        && (Long.parseUnsignedLong(effective.group(1), 16) >> CAP_SYS_PTRACE & 1) == 1;
  }

  /** Security modules and sandboxes refuse it for reasons of their own. */
  private static void reachAnother() throws IOException {
    Process other = new ProcessBuilder("cat").start();
    try (ForeignSockets sockets = new ForeignSockets()) {
      sockets.tryToReach(new SocketHolders.Holder(other.pid(), 0));
    } finally {
      other.destroyForcibly();
    }
  }

  private static Optional<String> tellOwn() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, here);
        Socket socket = new Socket(here, server.getLocalPort());
        TcpInfoReader kernel = TcpInfoReader.open();
        ForeignSockets sockets = new ForeignSockets()) {
      Flow flow =
          new Flow(
              Transport.TCP,
              here,
              socket.getLocalPort(),
              socket.getInetAddress(),
              socket.getPort());
      Optional<TcpSocket> shown = read(kernel, flow);
      if (shown.isEmpty()) {
        return Optional.of("the kernel does not tell of single sockets (inet_diag)");
      }
      long inode = shown.get().inode();
      Optional<SocketHolders.Holder> holder =
          Optional.ofNullable(new SocketHolders(Path.of("/proc")).find(Set.of(inode)).get(inode));
      if (holder.isEmpty()) {
        return Optional.of("the holder of a socket was not found in /proc");
      }
      sockets.limit(holder.get(), shown.get().cookie(), shown.get().greatestRate(), RATE);
      return read(kernel, flow).filter(now -> now.greatestRate() == RATE).isPresent()
          ? Optional.empty()
          : Optional.of("the kernel does not show the rate that a socket was told");
    }
  }

  private static Optional<TcpSocket> read(TcpInfoReader kernel, Flow flow) throws IOException {
    return Optional.ofNullable(kernel.sockets(List.of(flow), "lo").get(flow));
  }
}
