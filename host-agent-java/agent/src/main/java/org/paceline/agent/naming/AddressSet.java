package org.paceline.agent.naming;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Addresses of one or more ranges.
 *
 * @param ranges none holds another: the kernel would refuse them
 */
public record AddressSet(List<AddressRange> ranges) {
  public AddressSet {
    List<AddressRange> outermost = new ArrayList<>();
    for (AddressRange range : ranges) {
      if (outermost.stream().noneMatch(other -> other.contains(range))) {
        outermost.removeIf(range::contains);
        outermost.add(range);
      }
    }
    ranges = List.copyOf(outermost);
  }

  public static AddressSet of(AddressRange range) {
    return new AddressSet(List.of(range));
  }

  public boolean contains(InetAddress address) {
    for (AddressRange range : ranges) {
      if (range.contains(address)) {
        return true;
      }
    }
    return false;
  }

  /** Those of IPv4, or of IPv6. */
  public List<AddressRange> ranges(boolean ipv4) {
    return ranges.stream().filter(r -> r.network() instanceof Inet4Address == ipv4).toList();
  }

  @Override
  public String toString() {
    return ranges.stream().map(AddressRange::toString).collect(Collectors.joining(", "));
  }
}
