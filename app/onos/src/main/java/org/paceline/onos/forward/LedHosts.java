package org.paceline.onos.forward;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.onlab.packet.MacAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Host;

/**
 * The hosts that rules lead to: so many of each port at most, so that nobody who makes up addresses
 * fills the tables of all switches, nor the controller's memory. Whoever is led to already stays,
 * then whoever was seen there first is taken: addresses that are made up later push nobody out. O(H
 * log H) for H hosts.
 */
final class LedHosts {
  /** Equal input gives equal output: of those seen at one time the first by id. */
  private static final Comparator<Host> FIRST_SEEN =
      Comparator.<Host>comparingLong(host -> host.location().time())
          .thenComparing(host -> host.id().toString());

  /** As an agent may say of its host. */
  static final int MOST_ADDRESSES = 1_000;

  private final List<Host> hosts = new ArrayList<>();
  private final Map<ConnectPoint, Integer> crowded = new HashMap<>();
  private final List<Host> surplus = new ArrayList<>();

  private LedHosts() {}

  /**
   * @param mostOfPort at least 1
   * @param led where hosts are led to now, by their addresses
   */
  static LedHosts of(Iterable<Host> known, int mostOfPort, Map<MacAddress, ConnectPoint> led) {
    // Where several have one address, rules can lead to one: to where it was seen last.
    Map<MacAddress, Host> byMac = new HashMap<>();
    Map<ConnectPoint, List<Host>> byPort = new HashMap<>();
    LedHosts chosen = new LedHosts();
    for (Host host : known) {
      if (host.ipAddresses().size() > MOST_ADDRESSES && !host.configured()) {
        chosen.surplus.add(host);
      } else if (isSomewhere(host)) {
        byMac.merge(host.mac(), host, BinaryOperator.maxBy(FIRST_SEEN));
        byPort.computeIfAbsent(port(host), at -> new ArrayList<>()).add(host);
      }
    }
    byPort.forEach(
        (at, there) -> {
          if (there.size() > mostOfPort) {
            there.sort(
                Comparator.<Host, Boolean>comparing(
                        host -> byMac.get(host.mac()) != host || !at.equals(led.get(host.mac())))
                    .thenComparing(FIRST_SEEN));
            chosen.crowded.put(at, there.size());
            there.stream()
                .skip(mostOfPort)
                .filter(host -> !host.configured())
                .forEach(chosen.surplus::add);
          }
          there.stream()
              .limit(mostOfPort)
              .filter(host -> byMac.get(host.mac()) == host)
              .forEach(chosen.hosts::add);
        });
    return chosen;
  }

  /** A host whose switch has left is known for a while without a place. */
  static boolean isSomewhere(Host host) {
    return host.location() != null;
  }

  static ConnectPoint port(Host host) {
    return new ConnectPoint(host.location().deviceId(), host.location().port());
  }

  /** In no order; each address once. */
  Collection<Host> hosts() {
    return hosts;
  }

  /**
   * Whom the controller need not know: those of crowded ports who are not led to, and who has more
   * addresses than a host has. Not those of whom an operator has told it.
   */
  Collection<Host> surplus() {
    return surplus;
  }

  /** How many are known at the ports where not all are led to. */
  Map<ConnectPoint, Integer> crowded() {
    return crowded;
  }
}
