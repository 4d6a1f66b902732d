package org.paceline.control.naming;

import com.google.auto.value.AutoValue;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.paceline.control.model.CanonicalAddress;
import org.paceline.intents.document.Quoted;

/** The addresses that share a prefix, written {@code 10.0.0.0/8} or {@code 2001:db8::/32}. */
@AutoValue
public abstract class AddressPrefix {
  private static final Pattern LENGTH = Pattern.compile("\\d{1,3}");

  /** Its bits behind the prefix are 0. */
  public abstract InetAddress network();

  public abstract int length();

  /**
   * @throws IllegalArgumentException if it is none; no name is looked up
   */
  public static AddressPrefix parse(String text) {
    int slash = text.indexOf('/');
    String length = slash < 0 ? "" : text.substring(slash + 1).trim();
    try {
      InetAddress address = address((slash < 0 ? text : text.substring(0, slash)).trim());
      int width = address.getAddress().length * Byte.SIZE;
      if (slash < 0) {
        return new AutoValue_AddressPrefix(address, width);
      }
      if (LENGTH.matcher(length).matches() && Integer.parseInt(length) <= width) {
        int kept = Integer.parseInt(length);
        return new AutoValue_AddressPrefix(
            InetAddress.getByAddress(masked(address.getAddress(), kept)), kept);
      }
    } catch (UnknownHostException | IllegalArgumentException none) {
      // Refused below, with all others.
    }
    throw new IllegalArgumentException(
        "The addresses "
            + Quoted.of(text)
            + " are no address with a prefix length. Maybe you meant something like 10.0.0.0/8 or"
            + " 2001:db8::/32.");
  }

  /**
   * Only what is written as an address: a name would be looked up.
   *
   * @throws IllegalArgumentException if it is none
   */
  static InetAddress address(String text) {
    try {
      return InetAddress.getByName(CanonicalAddress.of(text));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static byte[] masked(byte[] address, int prefix) {
    byte[] masked = address.clone();
    for (int i = 0; i < masked.length; i++) {
      int kept = Math.min(Byte.SIZE, Math.max(0, prefix - i * Byte.SIZE));
      masked[i] &= (byte) (0xff << (Byte.SIZE - kept));
    }
    return masked;
  }

  public boolean isIpv4() {
    return network() instanceof Inet4Address;
  }

  boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    byte[] mine = network().getAddress();
    return bytes.length == mine.length && Arrays.equals(masked(bytes, length()), mine);
  }

  /** Whether all of the other's addresses are in this one. */
  boolean covers(AddressPrefix other) {
    return length() <= other.length() && contains(other.network());
  }

  @Override
  public final String toString() {
    return CanonicalAddress.of(network().getHostAddress()) + "/" + length();
  }
}
