package org.paceline.agent.smallnetwork;

import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;
import org.paceline.agent.enforce.ManagedInterface;
import org.paceline.agent.naming.AddressRange;

/** The networks that this host is part of: what is in none of them is outside. */
final class LocalNetworks {
  private final List<String> devices;
  private List<AddressRange> ranges = List.of();

  LocalNetworks(List<String> devices) {
    this.devices = List.copyOf(devices);
    read();
  }

  /**
   * Addresses come and go with leases; an interface that is away keeps none.
   *
   * @return whether anything is otherwise than before
   */
  boolean read() {
    List<AddressRange> now =
        devices.stream()
            .flatMap(device -> there(device).stream())
            .flatMap(one -> one.getInterfaceAddresses().stream())
            .map(LocalNetworks::range)
            .toList();
    boolean changed = !now.equals(ranges);
    ranges = now;
    return changed;
  }

  private static Optional<NetworkInterface> there(String device) {
    try {
      return Optional.ofNullable(NetworkInterface.getByName(device));
    } catch (SocketException e) {
      return Optional.empty();
    }
  }

  private static AddressRange range(InterfaceAddress address) {
    InetAddress plain = ManagedInterface.withoutScope(address.getAddress());
    return AddressRange.parse(plain.getHostAddress() + "/" + address.getNetworkPrefixLength());
  }

  boolean isOutside(InetAddress address) {
    return !address.isLoopbackAddress()
        && !address.isLinkLocalAddress()
        && !address.isMulticastAddress()
        && ranges.stream().noneMatch(range -> range.contains(address));
  }
}
