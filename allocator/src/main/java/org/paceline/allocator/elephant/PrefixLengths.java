package org.paceline.allocator.elephant;

import com.google.auto.value.AutoValue;
import org.paceline.intents.address.AddressPrefix;
import org.paceline.intents.address.IpAddress;

/** How many bits of an address identify the ends of alpha flows, for each family of IP. */
@AutoValue
public abstract class PrefixLengths {
  /** /24 and /48: a site's servers are alike. Yan et al. 2013 identify 94 % of alpha bytes so. */
  public static final PrefixLengths SUBNETS = of(24, 48);

  /** /32 and /128: only the very same hosts. Yan et al. 2013 identify 82 % of alpha bytes so. */
  public static final PrefixLengths HOSTS = of(32, 128);

  private static final int IPV4_WIDTH = 32;
  private static final int IPV6_WIDTH = 128;

  public abstract int ipv4();

  public abstract int ipv6();

  /**
   * @throws IllegalArgumentException if a family has no prefix of that length, or if the length is
   *     0
   */
  public static PrefixLengths of(int ipv4, int ipv6) {
    return new AutoValue_PrefixLengths(
        checked("IPv4", ipv4, IPV4_WIDTH), checked("IPv6", ipv6, IPV6_WIDTH));
  }

  private static int checked(String family, int length, int most) {
    if (length < 1 || length > most) {
      throw new IllegalArgumentException(
          "The prefix length for "
              + family
              + " ("
              + length
              + ") must lie from 1 to "
              + most
              + ". Maybe 24 with 48, or 32 with 128.");
    }
    return length;
  }

  AddressPrefix prefixOf(IpAddress address) {
    return AddressPrefix.of(address, address.isIpv4() ? ipv4() : ipv6());
  }

  @Override
  public final String toString() {
    return "/" + ipv4() + " and /" + ipv6();
  }
}
