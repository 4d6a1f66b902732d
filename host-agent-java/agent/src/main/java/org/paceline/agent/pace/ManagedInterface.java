package org.paceline.agent.pace;

import java.net.InetAddress;
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

  public boolean owns(InetAddress address) {
    return addresses.stream().anyMatch(own -> own.address().equals(address));
  }
}
