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

/** Tells whoever connects how things are, and hangs up. Only root reaches it. */
final class StatusSocket implements Closeable {
  private final Path file;
  private final ServerSocketChannel server;

  private StatusSocket(Path file, ServerSocketChannel server) {
    this.file = file;
    this.server = server;
  }

  static StatusSocket open(Path file, Supplier<String> status) throws IOException {
    // Of an agent that was killed: who holds the lock may take its place.
    Files.deleteIfExists(file);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(file));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Thread thread = new Thread(() -> serve(server, status), "status");
    thread.setDaemon(true);
    thread.start();
    return new StatusSocket(file, server);
  }

  private static void serve(ServerSocketChannel server, Supplier<String> status) {
    while (server.isOpen()) {
      try (SocketChannel asking = server.accept()) {
        ByteBuffer text = ByteBuffer.wrap(status.get().getBytes(StandardCharsets.UTF_8));
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
  static String ask(Path file) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    Files.deleteIfExists(file);
  }
}
