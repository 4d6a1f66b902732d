package org.paceline.agent.sockets;

import java.io.Closeable;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.netlink.Attributes;
import org.paceline.agent.netlink.Batch;
import org.paceline.agent.netlink.Netlink;

/**
 * Asks the kernel about TCP sockets (sock_diag(7)): single ones, each of which is found by its
 * addresses and ports in microseconds, or all. Owned by one thread.
 */
public final class TcpInfoReader implements Closeable {
  private static final int SOCK_DIAG_BY_FAMILY = 20;
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int INFO = 2;
  private static final int ANY_STATE = -1;
  // From established to a connection that nobody has accepted; not what is bound only.
  private static final int STATES = 0x1ffe;
  private static final int ANY_COOKIE = -1;
  private static final int ADDRESS = 16;
  private static final int NO_ADDRESSES = 48;
  // inet_diag_msg
  private static final int STATE = 1;
  private static final int LOCAL_PORT = 4;
  private static final int REMOTE_PORT = 6;
  private static final int LOCAL = 8;
  private static final int REMOTE = LOCAL + ADDRESS;
  private static final int HEADER = 72;
  private static final int COOKIE = 44;
  private static final int USER = 64;
  private static final int INODE = 68;
  // tcp_info
  private static final int OPTIONS = 5;
  private static final int TIMESTAMPS = 1;
  private static final int SEGMENT = 16;
  private static final int SMOOTHED_RTT = 68;
  private static final int ALL_RETRANSMITTED = 100;
  private static final int GREATEST_RATE = 112;
  private static final int SENT_SEGMENTS = 136;
  private static final int BUSY_MICROS = 168;
  private static final int FAR_END_MICROS = 176;
  private static final int SENT_BYTES = 200;
  // Of a frame without its checksum.
  private static final int ETHERNET_HEADER = 14;
  private static final int IPV4_HEADER = 20;
  private static final int IPV6_HEADER = 40;
  private static final int TCP_HEADER = 20;
  private static final int TIMESTAMPS_OPTION = 12;

  private final Netlink netlink;

  private TcpInfoReader(Netlink netlink) {
    this.netlink = netlink;
  }

  /** Of the network namespace that this process is in. */
  public static TcpInfoReader open() throws IOException {
    return new TcpInfoReader(Netlink.sockets());
  }

  /**
   * Those of these that are there.
   *
   * @param device where their packets leave: a socket that is bound to it is found by it only
   */
  public Map<Flow, TcpInfo> read(Collection<Flow> flows, String device) throws IOException {
    return read(flows, device, TcpInfoReader::info);
  }

  /** The same, by what their rates are held. */
  public Map<Flow, TcpSocket> sockets(Collection<Flow> flows, String device) throws IOException {
    return read(flows, device, TcpInfoReader::socket);
  }

  /**
   * All of one family, as the kernel's text lists them.
   *
   * @throws IOException where the kernel has no such list
   */
  List<SocketRow> all(boolean ipv6) throws IOException {
    List<SocketRow> rows = new ArrayList<>();
    List<Netlink.Failure> failures =
        netlink.dump(
            SOCK_DIAG_BY_FAMILY,
            to ->
                to.u8(ipv6 ? AF_INET6 : AF_INET)
                    .u8(Transport.TCP.number())
                    .u8(0)
                    .u8(0)
                    .u32(STATES)
                    .bytes(new byte[NO_ADDRESSES]),
            answer -> {
              if (answer.limit() >= HEADER) {
                rows.add(
                    SocketRow.of(
                        flow(answer),
                        answer.get(STATE),
                        answer.getInt(USER),
                        Integer.toUnsignedLong(answer.getInt(INODE))));
              }
            });
    if (!failures.isEmpty()) {
      throw new IOException("sockets cannot be listed: " + failures.get(0).text());
    }
    return rows;
  }

  private <T> Map<Flow, T> read(
      Collection<Flow> flows, String device, BiFunction<ByteBuffer, Flow, Optional<T>> what)
      throws IOException {
    int index = Netlink.index(device).orElse(0);
    List<Netlink.Message> questions = new ArrayList<>();
    for (Flow flow : flows) {
      if (flow.transport() == Transport.TCP) {
        questions.add(new Question(flow, index));
      }
    }
    Map<Flow, T> found = new HashMap<>();
    // What fails is gone meanwhile, or unknown to a kernel without inet_diag.
    netlink.send(
        questions,
        answer -> {
          if (isOfConnection(answer)) {
            Flow flow = flow(answer);
            Optional<T> one = what.apply(answer, flow);
            if (one.isPresent()) {
              found.put(flow, one.get());
            }
          }
        });
    return found;
  }

  private record Question(Flow flow, int index) implements Netlink.Message {
    @Override
    public void write(Batch to) {
      to.message(SOCK_DIAG_BY_FAMILY, 0)
          .u8(flow.local() instanceof Inet4Address ? AF_INET : AF_INET6)
          .u8(flow.transport().number())
          .u8(1 << (INFO - 1))
          .u8(0)
          .u32(ANY_STATE)
          .bytes(inNetworkOrder(flow.localPort()))
          .bytes(inNetworkOrder(flow.remotePort()))
          .bytes(padded(flow.local()))
          .bytes(padded(flow.remote()))
          .u32(index)
          .u32(ANY_COOKIE)
          .u32(ANY_COOKIE);
    }
  }

  private static byte[] inNetworkOrder(int port) {
    return new byte[] {(byte) (port >> Byte.SIZE), (byte) port};
  }

  private static byte[] padded(InetAddress address) {
    return Arrays.copyOf(address.getAddress(), ADDRESS);
  }

  private static Optional<TcpInfo> info(ByteBuffer answer, Flow flow) {
    return tcpInfo(answer, ALL_RETRANSMITTED + Integer.BYTES)
        .map(
            info ->
                new TcpInfo(
                    Integer.toUnsignedLong(info.getInt(ALL_RETRANSMITTED)),
                    Integer.toUnsignedLong(info.getInt(SMOOTHED_RTT)),
                    micros(info, BUSY_MICROS),
                    micros(info, FAR_END_MICROS)));
  }

  /** None on kernels before 4.10, which do not count it. */
  private static long micros(ByteBuffer info, int at) {
    return info.limit() >= at + Long.BYTES ? info.getLong(at) : 0;
  }

  private static Optional<TcpSocket> socket(ByteBuffer answer, Flow flow) {
    return tcpInfo(answer, SENT_BYTES + Long.BYTES)
        .map(
            info ->
                new TcpSocket(
                    answer.getLong(COOKIE),
                    Integer.toUnsignedLong(answer.getInt(INODE)),
                    info.getLong(GREATEST_RATE),
                    Math.max(1, info.getInt(SEGMENT)),
                    overhead(flow, info),
                    info.getLong(SENT_BYTES),
                    Integer.toUnsignedLong(info.getInt(SENT_SEGMENTS))));
  }

  private static int overhead(Flow flow, ByteBuffer info) {
    // Not by its family: an IPv6 socket may talk IPv4, as those of Java's servers do.
    boolean four = flow.local() instanceof Inet4Address;
    int network = four ? IPV4_HEADER : IPV6_HEADER;
    int options = (info.get(OPTIONS) & TIMESTAMPS) == 0 ? 0 : TIMESTAMPS_OPTION;
    return ETHERNET_HEADER + network + TCP_HEADER + options;
  }

  /** Not of one that is over, nor of a listener that stands for one that is not. */
  private static boolean isOfConnection(ByteBuffer answer) {
    return answer.limit() >= HEADER && answer.getShort(REMOTE_PORT) != 0;
  }

  private static Optional<ByteBuffer> tcpInfo(ByteBuffer answer, int bytes) {
    return new Attributes(answer.slice(HEADER, answer.limit() - HEADER))
        .find(INFO)
        .filter(info -> info.limit() >= bytes);
  }

  private static Flow flow(ByteBuffer answer) {
    ByteBuffer ports = answer.duplicate().order(ByteOrder.BIG_ENDIAN);
    boolean four = answer.get(0) == AF_INET;
    return new Flow(
        Transport.TCP,
        address(answer, LOCAL, four),
        Short.toUnsignedInt(ports.getShort(LOCAL_PORT)),
        address(answer, REMOTE, four),
        Short.toUnsignedInt(ports.getShort(REMOTE_PORT)));
  }

  /** An IPv4 address inside an IPv6 socket comes out as the IPv4 address that it is on the wire. */
  private static InetAddress address(ByteBuffer answer, int at, boolean four) {
    byte[] bytes = new byte[four ? Integer.BYTES : ADDRESS];
    answer.get(at, bytes);
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("An address of " + bytes.length + " bytes is none.", e);
    }
  }

  @Override
  public void close() {
    netlink.close();
  }
}
