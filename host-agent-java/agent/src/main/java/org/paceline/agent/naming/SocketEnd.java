package org.paceline.agent.naming;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One end of a socket as people and applications write it. */
public final class SocketEnd {
  private static final Pattern ADDRESS_AND_PORT =
      Pattern.compile("\\[?([0-9A-Fa-f.:]{2,45})\\]?:(\\d{1,5})");

  private static final int MOST_PORT = 65_535;

  private SocketEnd() {}

  /**
   * Reads an address in any form and its port.
   *
   * @throws IllegalArgumentException where it is neither; no name is looked up
   */
  public static InetSocketAddress parse(String text) {
    Matcher matcher = ADDRESS_AND_PORT.matcher(text);
    if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > MOST_PORT) {
      throw new IllegalArgumentException(
          "The end ("
              + text
              + ") is no address and port. Maybe 192.0.2.1:443 or [2001:db8::1]:443.");
    }
    return new InetSocketAddress(
        AddressRange.parse(matcher.group(1)).network(), Integer.parseInt(matcher.group(2)));
  }
}
