package org.paceline.intents.address;

import com.google.auto.value.AutoValue;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.regex.Pattern;
import org.paceline.intents.document.Quoted;

/** The addresses that share a prefix, written {@code 10.0.0.0/8} or {@code 2001:db8::/32}. */
@AutoValue
public abstract class AddressPrefix implements Comparable<AddressPrefix> {
  private static final Pattern LENGTH = Pattern.compile("\\d{1,3}");
  private static final Comparator<AddressPrefix> ORDER =
      Comparator.comparing(AddressPrefix::network).thenComparing(AddressPrefix::length);

  /** Its bits behind the prefix are 0. */
  public abstract IpAddress network();

  public abstract int length();

  /**
   * The prefix of that length that the address is in.
   *
   * @throws IllegalArgumentException if its family has no prefix of that length
   */
  public static AddressPrefix of(IpAddress address, int length) {
    if (length < 0 || length > address.width()) {
      throw new IllegalArgumentException(
          "The prefix length ("
              + length
              + ") must lie from 0 to "
              + address.width()
              + " for the address "
              + address
              + ".");
    }
    return new AutoValue_AddressPrefix(address.first(length), length);
  }

  /**
   * @throws IllegalArgumentException if it is none; no name is looked up
   */
  public static AddressPrefix parse(String text) {
    int slash = text.indexOf('/');
    String length = slash < 0 ? "" : text.substring(slash + 1).trim();
    try {
      IpAddress address = IpAddress.parse((slash < 0 ? text : text.substring(0, slash)).trim());
      if (slash < 0) {
        return of(address, address.width());
      }
      if (LENGTH.matcher(length).matches()) {
        return of(address, Integer.parseInt(length));
      }
    } catch (IllegalArgumentException none) {
      // Refused below, with all others.
    }
    throw new IllegalArgumentException(
        "The addresses "
            + Quoted.of(text)
            + " are no address with a prefix length. Maybe you meant something like 10.0.0.0/8 or"
            + " 2001:db8::/32.");
  }

  public final boolean isIpv4() {
    return network().isIpv4();
  }

  public final boolean contains(InetAddress address) {
    return contains(IpAddress.of(address));
  }

  public final boolean contains(IpAddress address) {
    return isIpv4() == address.isIpv4() && address.first(length()).equals(network());
  }

  /** Whether all of the other's addresses are in this one. */
  public final boolean covers(AddressPrefix other) {
    return length() <= other.length() && contains(other.network());
  }

  @Override
  public final int compareTo(AddressPrefix other) {
    return ORDER.compare(this, other);
  }

  @Override
  public final String toString() {
    return network() + "/" + length();
  }
}
