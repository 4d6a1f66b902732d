package org.paceline.agent;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Supplier;

/** Tells whoever connects and says what for how things are, and hangs up. Only root reaches it. */
final class StatusSocket implements Closeable {
  /** The status of the agent, for a person. */
  static final char STATUS = 's';

  /** The names of sockets' destinations, for {@link RemoteNamesText}. */
  static final char NAMES = 'n';

  private final Path file;
  private final ServerSocketChannel server;

  private StatusSocket(Path file, ServerSocketChannel server) {
    this.file = file;
    this.server = server;
  }

  static StatusSocket open(Path file, Supplier<String> status, Supplier<String> names)
      throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(file));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Thread thread = new Thread(() -> serve(server, status, names), "status");
    thread.setDaemon(true);
    thread.start();
    return new StatusSocket(file, server);
  }

  private static void serve(
      ServerSocketChannel server, Supplier<String> status, Supplier<String> names) {
    while (server.isOpen()) {
      try (SocketChannel asking = server.accept()) {
        ByteBuffer what = ByteBuffer.allocate(1);
        if (asking.read(what) < 0) {
          continue;
        }
        String answer = what.get(0) == NAMES ? names.get() : status.get();
        ByteBuffer text = ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8));
        while (text.hasRemaining()) {
          asking.write(text);
        }
      } catch (IOException | RuntimeException e) {
        // Who asked has gone, or this agent is going: the loop's condition knows which.
        continue;
      }
    }
  }

  /** What the agent of this network namespace says. */
  static String ask(Path file, char what) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      channel.write(ByteBuffer.wrap(new byte[] {(byte) what}));
      return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    Files.deleteIfExists(file);
  }
}
