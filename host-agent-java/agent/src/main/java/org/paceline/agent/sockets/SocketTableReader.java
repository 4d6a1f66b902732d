package org.paceline.agent.sockets;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringTokenizer;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;

/**
 * Reads the kernel's tables of TCP and UDP sockets of this network namespace. Owned by one thread.
 */
public final class SocketTableReader {
  private static final int FIELDS = 10;
  private static final int MOST_SKIPPED = 9;

  private final Path directory;
  // Empty: by its text.
  private Optional<TcpInfoReader> list = Optional.empty();
  private Optional<TcpActivity> activity = Optional.empty();
  private List<SocketRow> datagrams = List.of();
  private boolean settled;
  private int skipped;

  /**
   * @param directory normally /proc/net, which is the namespace of who reads it
   */
  public SocketTableReader(Path directory) {
    this.directory = directory;
  }

  /** Of this process's namespace, by the list that the kernel makes a hundred times as fast. */
  public static SocketTableReader ofThisNamespace() {
    SocketTableReader reader = new SocketTableReader(Path.of("/proc/net"));
    try {
      reader.list = Optional.of(TcpInfoReader.open());
    } catch (IOException | LinkageError e) {
      reader.list = Optional.empty();
    }
    return reader;
  }

  public List<SocketRow> read() throws IOException {
    List<SocketRow> rows = read(TcpActivity.read(directory), readDatagrams());
    distrust();
    return rows;
  }

  /**
   * The same, or nothing where nothing has come, gone or changed since the last time that this was
   * asked. What the kernel does not count is found by the reading that every few calls do anyway.
   */
  public Optional<List<SocketRow>> readWhereChanged() throws IOException {
    Optional<TcpActivity> now = TcpActivity.read(directory);
    List<SocketRow> datagramsNow = readDatagrams();
    boolean same = settled && now.isPresent() && now.equals(activity);
    if (same && skipped < MOST_SKIPPED && datagramsNow.equals(datagrams)) {
      skipped++;
      return Optional.empty();
    }
    return Optional.of(read(now, datagramsNow));
  }

  /**
   * Whether no connection has come, gone or been accepted since the table was read, by one look at
   * what the kernel counts; never where that cannot be told so. Of datagrams it knows nothing.
   */
  public boolean streamsStandStill() {
    return settled
        && activity.isPresent()
        && activity.map(TcpActivity::connections).equals(TcpActivity.connections(directory));
  }

  /** What is known may have changed uncounted: the next reading is a whole one. */
  public void distrust() {
    settled = false;
  }

  // The counters are older than the table: what happens between the two is seen the next time.
  private List<SocketRow> read(Optional<TcpActivity> counted, List<SocketRow> datagramsNow)
      throws IOException {
    List<SocketRow> rows = new ArrayList<>();
    if (counted.map(TcpActivity::sockets).orElse(1) > 0) {
      rows.addAll(readTcp(false));
    }
    if (counted.map(TcpActivity::sockets6).orElse(1) > 0) {
      rows.addAll(readTcp(true));
    }
    settled = rows.stream().allMatch(SocketRow::settled);
    rows.addAll(datagramsNow);
    datagrams = datagramsNow;
    activity = counted;
    skipped = 0;
    return rows;
  }

  private List<SocketRow> readTcp(boolean ipv6) throws IOException {
    if (list.isPresent()) {
      try {
        return list.get().all(ipv6);
      } catch (IOException e) {
        // A kernel without inet_diag.
        list.get().close();
        list = Optional.empty();
      }
    }
    List<SocketRow> rows = new ArrayList<>();
    read(ipv6 ? "tcp6" : "tcp", Transport.TCP, rows);
    return rows;
  }

  private List<SocketRow> readDatagrams() throws IOException {
    List<SocketRow> rows = new ArrayList<>();
    read("udp", Transport.UDP, rows);
    read("udp6", Transport.UDP, rows);
    return rows;
  }

  private void read(String table, Transport transport, List<SocketRow> rows) throws IOException {
    try (BufferedReader reader =
        Files.newBufferedReader(directory.resolve(table), StandardCharsets.US_ASCII)) {
      reader.readLine();
      for (Optional<String> line = Optional.ofNullable(reader.readLine());
          line.isPresent();
          line = Optional.ofNullable(reader.readLine())) {
        parse(transport, line.get()).ifPresent(rows::add);
      }
    } catch (NoSuchFileException e) {
      // A kernel without IPv6 has no tcp6; without the others nothing is found, and said so later.
      return;
    }
  }

  /** One line of /proc/net/tcp and its like; empty where it is none. */
  static Optional<SocketRow> parse(Transport transport, String line) {
    // Thousands of lines at a time: no regular expression.
    StringTokenizer words = new StringTokenizer(line);
    if (words.countTokens() < FIELDS) {
      return Optional.empty();
    }
    String[] fields = new String[FIELDS];
    for (int i = 0; i < FIELDS; i++) {
      fields[i] = words.nextToken();
    }
    try {
      int localColon = fields[1].indexOf(':');
      int remoteColon = fields[2].indexOf(':');
      InetAddress local = address(fields[1].substring(0, localColon));
      InetAddress remote = address(fields[2].substring(0, remoteColon));
      int localPort = Integer.parseInt(fields[1].substring(localColon + 1), 16);
      int remotePort = Integer.parseInt(fields[2].substring(remoteColon + 1), 16);
      return Optional.of(
          SocketRow.of(
              new Flow(transport, local, localPort, remote, remotePort),
              Integer.parseInt(fields[3], 16),
              (int) Long.parseLong(fields[7]),
              Long.parseLong(fields[9])));
    } catch (IllegalArgumentException | IndexOutOfBoundsException | UnknownHostException e) {
      return Optional.empty();
    }
  }

  /** The kernel prints 32-bit words in the order of this machine. */
  private static InetAddress address(String hex) throws UnknownHostException {
    if (hex.length() != 8 && hex.length() != 32) {
      throw new IllegalArgumentException("The address (" + hex + ") is neither IPv4 nor IPv6.");
    }
    ByteBuffer bytes = ByteBuffer.allocate(hex.length() / 2).order(ByteOrder.nativeOrder());
    for (int i = 0; i < hex.length(); i += 8) {
      bytes.putInt(Integer.parseUnsignedInt(hex, i, i + 8, 16));
    }
    // An IPv4 address inside an IPv6 socket comes out as the IPv4 address that it is on the wire.
    return InetAddress.getByAddress(bytes.array());
  }
}
