package org.paceline.agent.netns;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A connection to an agent's socket for applications, for what no client would say. */
final class Raw implements AutoCloseable {
  private final SocketChannel channel;
  private final BufferedReader answers;

  Raw(Path socket) throws IOException {
    channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    answers = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
  }

  String ask(String line) throws IOException {
    channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    return String.valueOf(answers.readLine());
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
