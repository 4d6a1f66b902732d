package org.paceline.agent.smallnetwork;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.allocator.virtualqueue.WirelessAccess;
import org.paceline.allocator.virtualqueue.WirelessCell;
import org.paceline.allocator.virtualqueue.WirelessLink;
import org.paceline.intents.unit.DataRate;

/**
 * The air of an access point as this host sees it: who is in it, which way a conversation goes, and
 * what a bit on that way takes. Knows no clock and no network. Owned by one thread.
 */
final class Air {
  /** Of a frame where nobody knows better. */
  static final int USUAL_PAYLOAD = 1_500;

  /** What a class counts of a packet beside it. */
  static final int ETHERNET_BYTES = 14;

  private static final String ACCESS_POINT = "the access point";
  private static final Announcement.Frames FAST =
      new Announcement.Frames(DataRate.ofKilobitsPerSecond(54_000), 0);
  private static final Announcement.Station NEAR = new Announcement.Station(0, FAST, FAST);

  private final WirelessAccess access;
  private final int link;
  private final long own;
  private Map<Long, Announcement.Station> stations = Map.of();
  private Map<String, Long> addresses = Map.of();
  private final Map<Way, Double> costs = new HashMap<>();

  /**
   * Through which of its hosts' links.
   *
   * @param from the epoch of the host that sends to the access point; empty: none does
   * @param to of the one that it sends to
   */
  record Way(Optional<Long> from, Optional<Long> to) {}

  /**
   * @param link the number of its name
   * @param own this host's epoch
   */
  Air(WirelessAccess access, int link, long own) {
    this.access = access;
    this.link = link;
    this.own = own;
  }

  /**
   * How things are from now on.
   *
   * @param here how this host is part of it; empty: it is behind the access point
   * @return whether conversations may go other ways than before
   */
  boolean see(List<Members.Present> peers, Optional<Announcement.Station> here) {
    Map<Long, Announcement.Station> now = new HashMap<>();
    Map<String, Long> where = new HashMap<>();
    for (Members.Present peer : peers) {
      if (peer.said().links().stream().anyMatch(one -> one.id() == link)) {
        where.put(peer.from(), peer.said().epoch());
      }
      // Those of another access point are in an air of their own.
      peer.said()
          .station()
          .filter(station -> station.link() == link)
          .ifPresent(station -> now.put(peer.said().epoch(), station));
    }
    here.ifPresent(station -> now.put(own, station));
    boolean otherWays = !where.equals(addresses) || !now.keySet().equals(stations.keySet());
    stations = now;
    addresses = where;
    costs.clear();
    return otherWays;
  }

  /**
   * The way of a conversation; empty where it does not go through the air, or its sender counts it.
   *
   * @param byStation whether it uses the interface by which this host is a station, if it is one
   */
  Optional<Way> way(InetAddress remote, boolean incoming, boolean byStation) {
    Optional<Long> here = Optional.of(own).filter(one -> byStation && stations.containsKey(one));
    Optional<Long> peer = Optional.ofNullable(addresses.get(remote.getHostAddress()));
    Way way =
        incoming
            ? new Way(Optional.empty(), peer.isPresent() ? Optional.empty() : here)
            : new Way(here, peer.filter(stations::containsKey));
    return way.from().isPresent() || way.to().isPresent() ? Optional.of(way) : Optional.empty();
  }

  /** How many units of the air a bit of a frame takes on this way, see {@link WirelessCell#AIR}. */
  double cost(Way way) {
    return costs.computeIfAbsent(way, this::reckoned);
  }

  private double reckoned(Way way) {
    Map<String, WirelessLink> active = new HashMap<>();
    stations.forEach(
        (epoch, station) -> {
          if (station.up().payloadBytes() > 0) {
            active.put(up(epoch), link(up(epoch), up(epoch), station.up()));
          }
          if (station.down().payloadBytes() > 0) {
            active.put(down(epoch), link(down(epoch), ACCESS_POINT, station.down()));
          }
        });
    // Who is to use it counts as somebody who does.
    List<WirelessLink> used = new ArrayList<>();
    way.from().map(e -> link(up(e), up(e), station(e).up())).ifPresent(used::add);
    way.to().map(e -> link(down(e), ACCESS_POINT, station(e).down())).ifPresent(used::add);
    used.forEach(one -> active.put(one.id(), one));
    WirelessCell cell = WirelessCell.of(access, active.values());
    double units = WirelessCell.AIR.bitsPerSecond();
    return used.stream()
        .mapToDouble(
            one ->
                units
                    * cell.secondsPerFrame(one.id())
                    / ((one.payloadBytes() + ETHERNET_BYTES) * (double) Byte.SIZE))
        .sum();
  }

  /** One that has just gone, before its conversations go another way, is taken for a near one. */
  private Announcement.Station station(long epoch) {
    return stations.getOrDefault(epoch, NEAR);
  }

  private static String up(long epoch) {
    return Long.toHexString(epoch);
  }

  private static String down(long epoch) {
    return "to " + up(epoch);
  }

  private static WirelessLink link(String id, String transmitter, Announcement.Frames frames) {
    int payload = frames.payloadBytes() == 0 ? USUAL_PAYLOAD : frames.payloadBytes();
    return WirelessLink.of(id, transmitter, payload, frames.association());
  }
}
