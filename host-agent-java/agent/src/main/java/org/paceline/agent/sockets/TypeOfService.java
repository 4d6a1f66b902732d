package org.paceline.agent.sockets;

import java.io.Closeable;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.netlink.Attributes;
import org.paceline.agent.netlink.Batch;
import org.paceline.agent.netlink.Netlink;

/**
 * Asks the kernel how a socket's packets are marked: the octet that IPv4 calls type of service and
 * IPv6 traffic class (sock_diag(7)). Owned by one thread.
 */
public final class TypeOfService implements Closeable {
  private static final int BY_FAMILY = 20;
  private static final int INET = 2;
  private static final int INET6 = 10;
  private static final int TOS = 5;
  private static final int CLASS = 6;
  private static final int BOTH = 1 << TOS - 1 | 1 << CLASS - 1;
  private static final long ANY = 0xffffffffL;
  private static final int ADDRESS_BYTES = 16;
  private static final int ANSWER_BYTES = 72;

  private final Netlink kernel;

  private TypeOfService(Netlink kernel) {
    this.kernel = kernel;
  }

  public static TypeOfService open() throws IOException {
    return new TypeOfService(Netlink.sockets());
  }

  /** From 0 to 255; empty where there is no such socket, or the kernel does not tell. */
  public Optional<Integer> of(Flow flow) throws IOException {
    boolean ipv4 = flow.local() instanceof Inet4Address;
    List<Integer> found = new ArrayList<>();
    kernel.send(
        List.of(to -> ask(to, flow, ipv4)),
        answer -> {
          if (answer.limit() > ANSWER_BYTES) {
            new Attributes(answer.slice(ANSWER_BYTES, answer.limit() - ANSWER_BYTES))
                .find(ipv4 ? TOS : CLASS)
                .filter(value -> value.hasRemaining())
                .ifPresent(value -> found.add(Byte.toUnsignedInt(value.get(0))));
          }
        });
    return found.stream().findFirst();
  }

  private static void ask(Batch to, Flow flow, boolean ipv4) {
    to.message(BY_FAMILY, 0).u8(ipv4 ? INET : INET6).u8(flow.transport().number()).u8(BOTH).u8(0);
    to.u32(ANY);
    // For UDP the kernel wants them as a packet that arrives has them.
    if (flow.transport() == Transport.TCP) {
      port(to, flow.localPort());
      port(to, flow.remotePort());
      address(to, flow.local());
      address(to, flow.remote());
    } else {
      port(to, flow.remotePort());
      port(to, flow.localPort());
      address(to, flow.remote());
      address(to, flow.local());
    }
    // On any interface, whatever its cookie.
    to.u32(0).u32(ANY).u32(ANY);
  }

  private static void port(Batch to, int port) {
    to.u8(port >> Byte.SIZE).u8(port);
  }

  private static void address(Batch to, InetAddress address) {
    byte[] bytes = address.getAddress();
    to.bytes(bytes).bytes(new byte[ADDRESS_BYTES - bytes.length]);
  }

  @Override
  public void close() {
    kernel.close();
  }
}
