package org.paceline.agent.tracking;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.paceline.agent.enforce.ManagedInterface;

/**
 * Which managed interface has which addresses: as they were at the start, and as they have become
 * since, for a lease of DHCP ends and IPv6 makes new ones. Owned by one thread.
 */
final class InterfaceAddresses {
  // Sockets over what is not managed ask in vain each time.
  private static final long SHORTEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Map<String, Set<InetAddress>> byDevice = new LinkedHashMap<>();
  private final LongSupplier nanoClock;
  private long lastRead;

  InterfaceAddresses(List<ManagedInterface> interfaces, LongSupplier nanoClock) {
    for (ManagedInterface one : interfaces) {
      byDevice.put(
          one.name(),
          one.addresses().stream()
              .map(ManagedInterface.InterfaceAddress::address)
              .collect(Collectors.toUnmodifiableSet()));
    }
    this.nanoClock = nanoClock;
    this.lastRead = nanoClock.getAsLong();
  }

  boolean manages(String device) {
    return byDevice.containsKey(device);
  }

  /** The interface with that address, read anew where none is known and that is due. */
  Optional<String> device(InetAddress local) {
    Optional<String> known = known(local);
    long now = nanoClock.getAsLong();
    if (known.isPresent() || now - lastRead < SHORTEST_PAUSE_NANOS) {
      return known;
    }
    lastRead = now;
    byDevice.replaceAll(InterfaceAddresses::read);
    return known(local);
  }

  boolean isOwn(InetAddress address) {
    return known(address).isPresent();
  }

  private Optional<String> known(InetAddress local) {
    return byDevice.entrySet().stream()
        .filter(one -> one.getValue().contains(local))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** One that is away keeps what it had: it most often comes back with that. */
  private static Set<InetAddress> read(String device, Set<InetAddress> before) {
    try {
      return Optional.ofNullable(NetworkInterface.getByName(device))
          .map(there -> Collections.list(there.getInetAddresses()))
          .map(all -> all.stream().map(ManagedInterface::withoutScope))
          .map(all -> all.collect(Collectors.toUnmodifiableSet()))
          .orElse(before);
    } catch (SocketException e) {
      return before;
    }
  }
}
