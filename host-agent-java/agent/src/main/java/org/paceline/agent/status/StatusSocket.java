package org.paceline.agent.status;

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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** Tells whoever connects and says what for how things are, and hangs up. Only root reaches it. */
public final class StatusSocket implements Closeable {
  /** The status of the agent, for a person. */
  public static final char STATUS = 's';

  /** What it knows of sockets, for {@link SocketKnowledgeText}. */
  public static final char KNOWN = 'k';

  /** Of those who ask at a time; the longest waiting goes when there comes another. */
  private static final int MOST = 8;

  private final Path file;
  private final ServerSocketChannel server;

  private StatusSocket(Path file, ServerSocketChannel server) {
    this.file = file;
    this.server = server;
  }

  public static StatusSocket open(Path file, Supplier<String> status, Supplier<String> known)
      throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(file));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Thread thread = new Thread(() -> serve(server, status, known), "status socket");
    thread.setDaemon(true);
    thread.start();
    return new StatusSocket(file, server);
  }

  /** Whoever connects and says nothing, or does not listen, keeps nobody else waiting. */
  private static void serve(
      ServerSocketChannel server, Supplier<String> status, Supplier<String> known) {
    Deque<SocketChannel> asking = new ArrayDeque<>();
    while (server.isOpen()) {
      try {
        asking.removeIf(channel -> !channel.isOpen());
        asking.add(server.accept());
        if (asking.size() > MOST) {
          asking.remove().close();
        }
        SocketChannel newest = asking.getLast();
        Thread thread = new Thread(() -> answer(newest, status, known), "status");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        // This agent is going, or was out of files for a moment: the loop's condition knows which.
        continue;
      }
    }
  }

  private static void answer(
      SocketChannel asking, Supplier<String> status, Supplier<String> known) {
    try (asking) {
      ByteBuffer what = ByteBuffer.allocate(1);
      if (asking.read(what) < 0) {
        return;
      }
      String answer = what.get(0) == KNOWN ? known.get() : status.get();
      ByteBuffer text = ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8));
      while (text.hasRemaining()) {
        asking.write(text);
      }
    } catch (IOException gone) {
      return; // Who asked has gone.
    }
  }

  /** What the agent of this network namespace says. */
  public static String ask(Path file, char what) throws IOException {
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
