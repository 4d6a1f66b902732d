package org.paceline.agent.enforce.edt;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.paceline.agent.naming.AddressRange;
import org.paceline.agent.naming.AddressSet;
import org.paceline.agent.naming.Conditions;
import org.paceline.agent.naming.PortRanges;
import org.paceline.agent.naming.Rule;
import org.paceline.agent.naming.RuleSet;

/**
 * What departures.bpf.c can tell of the rules by a packet alone ({@code struct rule}): whether a
 * flow that no key knows yet will be managed, and so shares the newcomers' rate meanwhile.
 */
public final class DepartureRules {
  private static final int ROW = 80;

  /** The last row says that it is the end. */
  public static final int MOST = 127;

  /** Of all rows together. */
  static final int BYTES = (MOST + 1) * ROW;

  private static final byte MANAGED = 1;
  private static final byte LEFT_ALONE = 2;
  private static final byte IPV4 = 4;
  private static final byte IPV6 = 6;
  private static final int IPV4_BYTES = 4;
  private static final int MAPPED_BITS = 96;
  private static final PortRanges.Range ANY = new PortRanges.Range(0, 65_535);

  private DepartureRules() {}

  /** One row for each combination of a rule's ranges; the first that matches decides. */
  public static List<byte[]> rows(RuleSet rules) {
    List<byte[]> rows = new ArrayList<>();
    rules.aboutNewcomers().forEach(rule -> rows(rule, rows));
    return rows;
  }

  private static void rows(Rule rule, List<byte[]> rows) {
    Conditions c = rule.conditions();
    for (Optional<AddressRange> from : addresses(c.localAddress())) {
      for (Optional<AddressRange> to : addresses(c.remoteAddress())) {
        boolean impossible = from.isPresent() && to.isPresent() && family(from) != family(to);
        if (!impossible) {
          for (PortRanges.Range local : ranges(c.localPort())) {
            for (PortRanges.Range remote : ranges(c.remotePort())) {
              rows.add(row(rule, from, to, local, remote));
            }
          }
        }
      }
    }
  }

  /** Nothing stands for any. */
  private static List<Optional<AddressRange>> addresses(Optional<AddressSet> set) {
    return set.map(s -> s.ranges().stream().map(Optional::of).toList())
        .orElse(List.of(Optional.empty()));
  }

  /** As the program finds them. */
  static byte[] bytes(List<byte[]> rows) {
    ByteBuffer all = ByteBuffer.allocate(BYTES);
    rows.forEach(all::put);
    return all.array();
  }

  private static List<PortRanges.Range> ranges(Optional<PortRanges> ports) {
    return ports.map(PortRanges::ranges).orElse(List.of(ANY));
  }

  private static byte[] row(
      Rule rule,
      Optional<AddressRange> from,
      Optional<AddressRange> to,
      PortRanges.Range local,
      PortRanges.Range remote) {
    ByteBuffer row = ByteBuffer.allocate(ROW).order(ByteOrder.nativeOrder());
    address(row, from);
    address(row, to);
    for (PortRanges.Range range : List.of(local, remote)) {
      row.putShort((short) range.first()).putShort((short) range.last());
    }
    row.put(rule.conditions().protocol().map(p -> (byte) p.number()).orElse((byte) 0));
    row.put(family(from.or(() -> to)));
    row.put(rule.intent().isPresent() ? MANAGED : LEFT_ALONE);
    return row.array();
  }

  private static byte family(Optional<AddressRange> range) {
    return range.map(r -> isIpv4(r.network()) ? IPV4 : IPV6).orElse((byte) 0);
  }

  private static boolean isIpv4(InetAddress address) {
    return address.getAddress().length == IPV4_BYTES;
  }

  /** The network and its mask; zeros match any. */
  private static void address(ByteBuffer row, Optional<AddressRange> range) {
    byte[] network = new byte[16];
    byte[] mask = new byte[16];
    if (range.isPresent()) {
      AddressRange r = range.get();
      network = DepartureKeys.address(r.network());
      int bits = r.prefixLength() + (isIpv4(r.network()) ? MAPPED_BITS : 0);
      for (int bit = 0; bit < bits; bit++) {
        mask[bit / Byte.SIZE] |= (byte) (0x80 >> bit % Byte.SIZE);
      }
    }
    row.put(network).put(mask);
  }
}
