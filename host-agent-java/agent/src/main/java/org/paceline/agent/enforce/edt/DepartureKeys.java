package org.paceline.agent.enforce.edt;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.paceline.agent.bpf.PinnedMap;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.flow.FirstPacket;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RuleSet;

/**
 * By what departures.bpf.c finds the conversation of a packet ({@code struct key}), and which flows
 * it has announced.
 */
public final class DepartureKeys implements Closeable {
  private static final int KEY_BYTES = 40;
  private static final int ADDRESS_BYTES = 16;
  private static final int MAPPED_AT = 10;

  private final PinnedMap keys;
  private final PinnedMap seen;

  private DepartureKeys(PinnedMap keys, PinnedMap seen) {
    this.keys = keys;
    this.seen = seen;
  }

  public static DepartureKeys open(Path pins) throws IOException {
    PinnedMap keys = PinnedMap.open(pins.resolve("keys"), KEY_BYTES, Integer.BYTES);
    try {
      return new DepartureKeys(keys, PinnedMap.open(pins.resolve("seen"), KEY_BYTES, Long.BYTES));
    } catch (IOException e) {
      keys.close();
      throw e;
    }
  }

  void change(Map<ClassKey, Integer> put, Collection<ClassKey> taken, List<Flow> forgotten)
      throws IOException {
    for (ClassKey key : taken) {
      if (!put.containsKey(key)) {
        keys.remove(bytes(key));
      }
    }
    for (Map.Entry<ClassKey, Integer> entry : put.entrySet()) {
      keys.put(bytes(entry.getKey()), number(entry.getValue()));
    }
    for (Flow flow : forgotten) {
      seen.remove(bytes(ClassKey.of(flow, RuleSet.Coverage.SOCKET)));
    }
  }

  /** Each with the minor number of its class. */
  Map<ClassKey, Integer> all() throws IOException {
    Map<ClassKey, Integer> all = new HashMap<>();
    keys.each(
        (key, minor) ->
            all.put(
                key(ByteBuffer.wrap(key)),
                ByteBuffer.wrap(minor).order(ByteOrder.nativeOrder()).getInt()));
    return all;
  }

  /** What the program says of a flow's first packet: {@code struct first_packet}. */
  static FirstPacket sighting(byte[] record, String device) {
    ClassKey key = key(ByteBuffer.wrap(record));
    boolean opens = ByteBuffer.wrap(record).order(ByteOrder.nativeOrder()).getLong(KEY_BYTES) != 0;
    return new FirstPacket(
        new Flow(key.transport(), key.local(), key.localPort(), key.remote(), key.remotePort()),
        device,
        opens);
  }

  private static byte[] number(int value) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(value).array();
  }

  private static byte[] bytes(ClassKey key) {
    return ByteBuffer.allocate(KEY_BYTES)
        .put(address(key.local()))
        .put(address(key.remote()))
        .putShort((short) key.localPort())
        .putShort((short) key.remotePort())
        .order(ByteOrder.nativeOrder())
        .putInt(key.transport().number())
        .array();
  }

  /** As on the wire, IPv4 as ::ffff:a.b.c.d. */
  static byte[] address(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length == ADDRESS_BYTES) {
      return bytes;
    }
    return ByteBuffer.allocate(ADDRESS_BYTES)
        .putShort(MAPPED_AT, (short) -1)
        .position(MAPPED_AT + Short.BYTES)
        .put(bytes)
        .array();
  }

  private static ClassKey key(ByteBuffer bytes) {
    InetAddress local = address(bytes);
    InetAddress remote = address(bytes);
    int localPort = Short.toUnsignedInt(bytes.getShort());
    int remotePort = Short.toUnsignedInt(bytes.getShort());
    int protocol = bytes.order(ByteOrder.nativeOrder()).getInt();
    return new ClassKey(
        protocol == Transport.TCP.number() ? Transport.TCP : Transport.UDP,
        local,
        localPort,
        remote,
        remotePort);
  }

  private static InetAddress address(ByteBuffer bytes) {
    byte[] address = new byte[ADDRESS_BYTES];
    bytes.get(address);
    try {
      // Java makes IPv4 of ::ffff:a.b.c.d by itself.
      return InetAddress.getByAddress(address);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of a length that no address has", e);
    }
  }

  @Override
  public void close() {
    keys.close();
    seen.close();
  }
}
