package org.paceline.intents.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * An address of IP as text, in the one form in which texts of the same address are equal: RFC
 * 5952's for IPv6, which is what ONOS gives its hosts, too.
 */
public final class CanonicalAddress {
  private static final String BYTE = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
  private static final String FOUR = BYTE + "(\\." + BYTE + "){3}";
  private static final Pattern IPV4 = Pattern.compile(FOUR);

  /** What can be one, and is no name in any case: a name would be looked up. */
  private static final Pattern IPV6 =
      Pattern.compile("(?=.*:)[0-9a-fA-F]{0,4}(:[0-9a-fA-F]{0,4})*(:" + FOUR + ")?");

  private static final int GROUPS = 8;

  private CanonicalAddress() {}

  /**
   * The same text for every way to write the address. An IPv4 address within IPv6 (::ffff:10.0.0.1)
   * is that IPv4 address.
   *
   * @throws IllegalArgumentException if it is none, such as a name or one with a zone
   */
  public static String of(String text) {
    if (IPV4.matcher(text).matches()) {
      return text;
    }
    if (IPV6.matcher(text).matches()) {
      try {
        byte[] bytes = InetAddress.getByName(text).getAddress();
        return bytes.length == 2 * GROUPS
            ? shortest(bytes)
            : InetAddress.getByAddress(bytes).getHostAddress();
      } catch (UnknownHostException none) {
        // Refused below, with all others.
      }
    }
    throw new IllegalArgumentException(
        "The address (" + text + ") must be one of IP. Maybe 10.0.0.1 or 2001:db8::1.");
  }

  /** Without the zeros that lead a group, and with :: for the longest run of groups of zero. */
  private static String shortest(byte[] bytes) {
    int[] groups = new int[GROUPS];
    for (int g = 0; g < GROUPS; g++) {
      groups[g] = (bytes[2 * g] & 0xff) << 8 | bytes[2 * g + 1] & 0xff;
    }
    int from = 0;
    // A single group of zero is written as it is.
    int longest = 1;
    for (int g = 0; g < GROUPS; g++) {
      int run = 0;
      while (g + run < GROUPS && groups[g + run] == 0) {
        run++;
      }
      if (run > longest) {
        from = g;
        longest = run;
      }
    }
    return longest == 1
        ? hex(groups, 0, GROUPS)
        : hex(groups, 0, from) + "::" + hex(groups, from + longest, GROUPS);
  }

  private static String hex(int[] groups, int from, int until) {
    StringJoiner text = new StringJoiner(":");
    for (int g = from; g < until; g++) {
      text.add(Integer.toHexString(groups[g]));
    }
    return text.toString();
  }
}
