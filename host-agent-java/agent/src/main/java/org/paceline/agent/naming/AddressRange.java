package org.paceline.agent.naming;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;

/** The addresses that share a prefix, written {@code 10.0.0.0/8} or {@code 2001:db8::/32}. */
public record AddressRange(InetAddress network, int prefixLength) {
  // Only literals: a name would be looked up, and answer differently another day.
  private static final Pattern LITERAL = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  public static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    String address = (slash < 0 ? text : text.substring(0, slash)).trim();
    if (!LITERAL.matcher(address).matches()) {
      throw refused(text);
    }
    try {
      InetAddress network = InetAddress.getByName(address);
      int width = network.getAddress().length * Byte.SIZE;
      int prefix = slash < 0 ? width : Integer.parseInt(text.substring(slash + 1).trim());
      if (prefix < 0 || prefix > width) {
        throw refused(text);
      }
      return new AddressRange(
          InetAddress.getByAddress(masked(network.getAddress(), prefix)), prefix);
    } catch (UnknownHostException | NumberFormatException e) {
      throw refused(text);
    }
  }

  private static IllegalArgumentException refused(String text) {
    return new IllegalArgumentException(
        "The address range ("
            + text
            + ") is no address with a prefix length. Maybe you meant something like 10.0.0.0/8 or"
            + " 2001:db8::/32.");
  }

  private static byte[] masked(byte[] address, int prefix) {
    byte[] masked = address.clone();
    for (int i = 0; i < masked.length; i++) {
      int kept = Math.min(Byte.SIZE, Math.max(0, prefix - i * Byte.SIZE));
      masked[i] &= (byte) (0xff << (Byte.SIZE - kept));
    }
    return masked;
  }

  public boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    byte[] mine = network.getAddress();
    return bytes.length == mine.length && Arrays.equals(masked(bytes, prefixLength), mine);
  }

  /** Whether all of the other's addresses are in this one. */
  boolean contains(AddressRange other) {
    return prefixLength <= other.prefixLength && contains(other.network);
  }

  @Override
  public String toString() {
    return network.getHostAddress() + "/" + prefixLength;
  }
}
