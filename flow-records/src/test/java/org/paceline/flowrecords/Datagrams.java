package org.paceline.flowrecords;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import org.paceline.intents.address.IpAddress;

/** Writes datagrams as exporters do, and as none should. */
final class Datagrams {
  /** 2026-03-02T08:00:00Z. */
  static final long EXPORT_SECONDS = 1_772_438_400L;

  static final int UPTIME = 3_600_000;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  Datagrams number(int length, long value) {
    for (int i = length - 1; i >= 0; i--) {
      bytes.write(i < 8 ? (int) (value >> 8 * i) : 0);
    }
    return this;
  }

  Datagrams shorts(int... values) {
    for (int value : values) {
      number(2, value);
    }
    return this;
  }

  Datagrams ints(long... values) {
    for (long value : values) {
      number(4, value);
    }
    return this;
  }

  Datagrams raw(byte... more) {
    bytes.writeBytes(more);
    return this;
  }

  Datagrams address(String text) {
    IpAddress address = IpAddress.parse(text);
    return address.isIpv4()
        ? number(4, address.low())
        : number(8, address.high()).number(8, address.low());
  }

  /** A set with its header. */
  Datagrams set(int id, Consumer<Datagrams> content) {
    Datagrams inside = new Datagrams();
    content.accept(inside);
    byte[] all = inside.bytes();
    return shorts(id, all.length + 4).raw(all);
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  static Datagrams netFlow5(int count, long sequence, int sampling) {
    return new Datagrams()
        .shorts(5, count)
        .ints(UPTIME, EXPORT_SECONDS, 250_000_000, sequence)
        .shorts(0, sampling);
  }

  Datagrams record5(String source, String destination, long bytes, long first, long last) {
    return address(source).address(destination).ints(0, 0, 10, bytes, first, last).ints(0, 0, 0, 0);
  }

  static byte[] netFlow9(long sequence, long source, Consumer<Datagrams> sets) {
    Datagrams all = new Datagrams().shorts(9, 1).ints(UPTIME, EXPORT_SECONDS, sequence, source);
    sets.accept(all);
    return all.bytes();
  }

  static byte[] ipfix(long sequence, long domain, Consumer<Datagrams> sets) {
    Datagrams inside = new Datagrams();
    sets.accept(inside);
    byte[] all = inside.bytes();
    return new Datagrams()
        .shorts(10, 16 + all.length)
        .ints(EXPORT_SECONDS, sequence, domain)
        .raw(all)
        .bytes();
  }
}
