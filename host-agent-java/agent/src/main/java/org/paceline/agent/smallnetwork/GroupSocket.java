package org.paceline.agent.smallnetwork;

import java.io.Closeable;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiConsumer;

/** A socket in the group of the peers. What it hears is handed over on a thread of its own. */
final class GroupSocket implements Closeable {
  private final DatagramChannel channel;
  private final InetSocketAddress group;
  private final int device;

  private GroupSocket(DatagramChannel channel, InetSocketAddress group, int device) {
    this.channel = channel;
    this.group = group;
    this.device = device;
  }

  /**
   * @param heard a datagram, and the address of who sent it
   */
  static GroupSocket open(InetSocketAddress group, String device, BiConsumer<byte[], String> heard)
      throws IOException {
    NetworkInterface there =
        Optional.ofNullable(NetworkInterface.getByName(device))
            .orElseThrow(() -> new IOException("there is no interface (" + device + ")"));
    ProtocolFamily family =
        group.getAddress() instanceof Inet6Address
            ? StandardProtocolFamily.INET6
            : StandardProtocolFamily.INET;
    DatagramChannel channel = DatagramChannel.open(family);
    try {
      channel
          .setOption(StandardSocketOptions.SO_REUSEADDR, true)
          .setOption(StandardSocketOptions.IP_MULTICAST_IF, there)
          .setOption(StandardSocketOptions.IP_MULTICAST_LOOP, false)
          // No router passes it on.
          .setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1)
          .bind(new InetSocketAddress(group.getPort()));
      channel.join(group.getAddress(), there);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    GroupSocket socket = new GroupSocket(channel, group, there.getIndex());
    Thread thread = new Thread(() -> socket.hear(heard), "peers");
    thread.setDaemon(true);
    thread.start();
    return socket;
  }

  private void hear(BiConsumer<byte[], String> heard) {
    // One more than any agent sends, for what is longer to show.
    ByteBuffer buffer = ByteBuffer.allocate(AnnouncementCodec.MOST_BYTES + 1);
    while (channel.isOpen()) {
      buffer.clear();
      try {
        InetSocketAddress from = (InetSocketAddress) channel.receive(buffer);
        heard.accept(
            Arrays.copyOf(buffer.array(), buffer.position()), from.getAddress().getHostAddress());
      } catch (IOException e) {
        // Closed, or nothing that this socket will recover from: the next one is opened soon.
        close();
      }
    }
  }

  /** Whether it still is in the group on that interface, which may have been made anew since. */
  boolean isGood(String name) throws IOException {
    NetworkInterface there = NetworkInterface.getByName(name);
    return channel.isOpen() && there != null && there.getIndex() == device;
  }

  void send(byte[] datagram) throws IOException {
    channel.send(ByteBuffer.wrap(datagram), group);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is closed all the same.
      return;
    }
  }
}
