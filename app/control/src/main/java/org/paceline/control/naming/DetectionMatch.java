package org.paceline.control.naming;

import com.google.auto.value.AutoValue;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.control.model.Transport;
import org.paceline.intents.address.AddressPrefix;

/**
 * What an edge switch is to show the controller of one host: at least all that the rules can name,
 * in few matches. A switch has no ranges of ports and no lists: what takes too many matches is
 * shown as a whole, and named by the packet.
 */
@AutoValue
public abstract class DetectionMatch {
  /** Of addresses or ports that a rule asks for, at most so many become matches of their own. */
  private static final int FEW = 4;

  public abstract boolean isIpv4();

  /** ANY for all that is IP. */
  public abstract Transport transport();

  /** Empty for all. */
  public abstract Optional<AddressPrefix> remote();

  /** 0 for any. */
  public abstract int localPort();

  /** 0 for any. */
  public abstract int remotePort();

  private static DetectionMatch of(
      boolean ipv4,
      Transport transport,
      Optional<AddressPrefix> remote,
      int localPort,
      int remotePort) {
    return new AutoValue_DetectionMatch(ipv4, transport, remote, localPort, remotePort);
  }

  /**
   * Of a host, none of which another one covers.
   *
   * @param mac in lower case with colons
   */
  public static Set<DetectionMatch> of(
      NamingRules rules, String mac, Collection<InetAddress> addresses) {
    Set<DetectionMatch> all = new LinkedHashSet<>();
    for (NamingRule rule : rules.rules()) {
      Conditions asked = rule.conditions();
      boolean isOfHost =
          asked.localMac().map(macs -> macs.contains(mac)).orElse(true)
              && asked
                  .localAddress()
                  .map(set -> addresses.stream().anyMatch(set::contains))
                  .orElse(true);
      if (isOfHost && rule.intent().isPresent()) {
        addresses.stream()
            .map(address -> address instanceof Inet4Address)
            .distinct()
            .forEach(ipv4 -> add(all, asked, ipv4));
      }
    }
    return all.stream()
        .filter(one -> all.stream().noneMatch(other -> other != one && other.covers(one)))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static void add(Set<DetectionMatch> all, Conditions asked, boolean ipv4) {
    boolean byPort = asked.localPort().isPresent() || asked.remotePort().isPresent();
    List<Transport> transports =
        asked
            .protocol()
            .map(List::of)
            .orElse(byPort ? List.of(Transport.TCP, Transport.UDP) : List.of(Transport.ANY));
    for (Transport transport : transports) {
      for (Optional<AddressPrefix> remote : remotes(asked, ipv4)) {
        for (int localPort : ports(asked.localPort())) {
          for (int remotePort : ports(asked.remotePort())) {
            all.add(of(ipv4, transport, remote, localPort, remotePort));
          }
        }
      }
    }
  }

  private static List<Optional<AddressPrefix>> remotes(Conditions asked, boolean ipv4) {
    if (asked.remoteAddress().isEmpty()) {
      return List.of(Optional.empty());
    }
    List<Optional<AddressPrefix>> remotes =
        asked.remoteAddress().get().prefixes().stream()
            .filter(prefix -> prefix.isIpv4() == ipv4)
            .map(Optional::of)
            .collect(Collectors.toCollection(ArrayList::new));
    return remotes.size() > FEW ? List.of(Optional.empty()) : remotes;
  }

  private static List<Integer> ports(Optional<PortRanges> asked) {
    return asked.flatMap(ranges -> ranges.single(FEW)).orElse(List.of(0));
  }

  private boolean covers(DetectionMatch other) {
    return isIpv4() == other.isIpv4()
        && (transport() == Transport.ANY || transport() == other.transport())
        && (remote().isEmpty()
            || other.remote().filter(one -> remote().get().covers(one)).isPresent())
        && (localPort() == 0 || localPort() == other.localPort())
        && (remotePort() == 0 || remotePort() == other.remotePort());
  }
}
