package org.paceline.agent.enforce;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * An interface that the agent paces on.
 *
 * @param gsoMaxSegs as found, and as it will be left
 * @param foundHook whether programs had a place to see packets (clsact) before
 * @param foundQueue the root queue discipline as found, in words for tc; empty: the kernel's
 *     default
 */
public record ManagedInterface(
    String name,
    String mac,
    List<InterfaceAddress> addresses,
    int gsoMaxSegs,
    boolean foundHook,
    Optional<String> foundQueue) {
  public ManagedInterface {
    addresses = List.copyOf(addresses);
  }

  public record InterfaceAddress(InetAddress address, int prefixLength) {}

  /** An address of IPv6 without the interface that Java adds to it, which sockets' do not have. */
  public static InetAddress withoutScope(InetAddress address) {
    try {
      return InetAddress.getByAddress(address.getAddress());
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of a length that no address has", e);
    }
  }
}
