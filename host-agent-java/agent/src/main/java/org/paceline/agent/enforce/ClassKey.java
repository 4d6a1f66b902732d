package org.paceline.agent.enforce;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RuleSet;

/** By what the kernel sorts packets into classes; port 0 stands for any. */
public record ClassKey(
    Transport transport,
    InetAddress local,
    int localPort,
    InetAddress remote,
    int remotePort,
    Direction direction) {
  private static final int PART = 4;
  private static final int MOST_BYTES = 3 * PART + 2 * 16;

  /** Of packets that are sent. */
  public ClassKey(
      Transport transport, InetAddress local, int localPort, InetAddress remote, int remotePort) {
    this(transport, local, localPort, remote, remotePort, Direction.OUT);
  }

  public static ClassKey of(Flow flow, RuleSet.Coverage coverage) {
    return new ClassKey(
        flow.transport(),
        flow.local(),
        coverage == RuleSet.Coverage.REMOTE_PORT ? 0 : flow.localPort(),
        flow.remote(),
        coverage == RuleSet.Coverage.LOCAL_PORT ? 0 : flow.remotePort(),
        flow.direction());
  }

  public boolean ipv4() {
    return local instanceof Inet4Address;
  }

  public String map() {
    String kind = remotePort == 0 ? "local" : localPort == 0 ? "remote" : "exact";
    return kind + (ipv4() ? "4" : "6");
  }

  /** As nft is told of it. */
  public String element() {
    StringBuilder text = new StringBuilder(transport.text()).append(" . ").append(literal(local));
    if (localPort != 0) {
      text.append(" . ").append(localPort);
    }
    text.append(" . ").append(literal(remote));
    if (remotePort != 0) {
      text.append(" . ").append(remotePort);
    }
    return text.toString();
  }

  /** As the kernel holds it: every part begins at a multiple of four bytes. */
  public byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES).put((byte) transport.number());
    bytes.position(PART).put(local.getAddress());
    if (localPort != 0) {
      port(bytes, localPort);
    }
    bytes.put(remote.getAddress());
    if (remotePort != 0) {
      port(bytes, remotePort);
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  private static void port(ByteBuffer bytes, int port) {
    bytes.putShort((short) port).putShort((short) 0);
  }

  /** Without the scope that Java appends to link-local addresses. */
  public static String literal(InetAddress address) {
    String text = address.getHostAddress();
    int scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }
}
