package org.paceline.agent.pace;

import java.net.InetAddress;
import java.util.List;

/**
 * An interface that the agent paces on.
 *
 * @param gsoMaxSegs as found, and as it will be left
 */
public record ManagedInterface(
    String name, String mac, List<InterfaceAddress> addresses, int gsoMaxSegs) {
  public ManagedInterface {
    addresses = List.copyOf(addresses);
  }

  public record InterfaceAddress(InetAddress address, int prefixLength) {}

  public boolean owns(InetAddress address) {
    return addresses.stream().anyMatch(own -> own.address().equals(address));
  }
}
