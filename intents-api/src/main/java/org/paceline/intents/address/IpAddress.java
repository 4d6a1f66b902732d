package org.paceline.intents.address;

import com.google.auto.value.AutoValue;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Optional;

/**
 * An address of IP as two numbers, for where millions of them are compared. An IPv4 address is held
 * as the IPv6 address that it is mapped to (::ffff:10.0.0.1), so both texts are the same address.
 */
@AutoValue
public abstract class IpAddress implements Comparable<IpAddress> {
  private static final long MAPPED = 0xffff_0000_0000L;
  private static final long LOW_INT = 0xffff_ffffL;
  private static final int WIDTH = 128;
  private static final int IPV4_WIDTH = 32;
  private static final Comparator<IpAddress> ORDER =
      Comparator.comparing(IpAddress::high, Long::compareUnsigned)
          .thenComparing(IpAddress::low, Long::compareUnsigned);

  /** The first 64 of 128 bits. */
  public abstract long high();

  /** The last 64 of 128 bits. */
  public abstract long low();

  /**
   * @param bits all 32, the first byte of the address above
   */
  public static IpAddress ofIpv4(int bits) {
    return new AutoValue_IpAddress(0, MAPPED | bits & LOW_INT);
  }

  public static IpAddress ofIpv6(long high, long low) {
    return new AutoValue_IpAddress(high, low);
  }

  public static IpAddress of(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return bytes.remaining() == Integer.BYTES
        ? ofIpv4(bytes.getInt())
        : ofIpv6(bytes.getLong(), bytes.getLong());
  }

  /**
   * Reads what is written as an address. No name is looked up.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static IpAddress parse(String text) {
    try {
      return of(InetAddress.getByName(CanonicalAddress.of(text)));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Empty where it is none. No name is looked up. */
  public static Optional<IpAddress> tryParse(String text) {
    try {
      return Optional.of(parse(text));
    } catch (IllegalArgumentException none) {
      return Optional.empty();
    }
  }

  public final boolean isIpv4() {
    return high() == 0 && (low() & ~LOW_INT) == MAPPED;
  }

  /** How many bits its family has: 32 or 128. */
  public final int width() {
    return isIpv4() ? IPV4_WIDTH : WIDTH;
  }

  /** Its first bits, the others 0. */
  final IpAddress first(int bits) {
    int kept = bits + WIDTH - width();
    return new AutoValue_IpAddress(high() & mask(kept), low() & mask(kept - Long.SIZE));
  }

  private static long mask(int kept) {
    if (kept <= 0) {
      return 0;
    }
    return kept >= Long.SIZE ? -1 : -1L << (Long.SIZE - kept);
  }

  @Override
  public final int compareTo(IpAddress other) {
    return ORDER.compare(this, other);
  }

  public final InetAddress toInetAddress() {
    try {
      byte[] bytes =
          isIpv4()
              ? ByteBuffer.allocate(Integer.BYTES).putInt((int) low()).array()
              : ByteBuffer.allocate(2 * Long.BYTES).putLong(high()).putLong(low()).array();
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The one form that {@link CanonicalAddress} has for it. */
  @Override
  public final String toString() {
    return CanonicalAddress.of(toInetAddress().getHostAddress());
  }
}
