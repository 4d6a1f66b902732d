package org.paceline.agent.smallnetwork;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.agent.config.PeerSettings;
import org.paceline.allocator.virtualqueue.ResourceUse;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/**
 * The loop that each host runs by itself: by what it and its peers have sent, the shares of links
 * move, and with them what its groups may send. Knows no clock and no network. Owned by one thread.
 */
final class HostLoop {
  private final PeerSettings settings;
  private final Optional<Air> air;
  private final List<SharedLink> links = new ArrayList<>();
  private final Map<Group.Key, Group> groups = new LinkedHashMap<>();

  /**
   * @param air where one of the links is the air
   */
  HostLoop(PeerSettings settings, Optional<Air> air) {
    this.settings = settings;
    this.air = air;
    settings.links().forEach(link -> links.add(new SharedLink(link, settings.loop())));
  }

  List<SharedLink> links() {
    return links;
  }

  Collection<Group> groups() {
    return groups.values();
  }

  /**
   * The group of what serves this intent.
   *
   * @param over the numbers of the links that it goes over; at least one
   * @param way through the air, where that is one of them
   */
  Group group(IntentPath intent, List<Integer> over, Optional<Air.Way> way, long nanos) {
    IntentPath holder = settings.weights().holder(intent);
    return groups.computeIfAbsent(
        new Group.Key(holder, over, way),
        key -> new Group(key, settings.weights().of(holder), window(), nanos));
  }

  private Duration window() {
    return settings.period();
  }

  /** A group without conversations counts no more. */
  void left(Group group) {
    if (group.conversations() == 0) {
      groups.remove(group.key());
    }
  }

  /** Once a period. */
  void step(List<Announcement> peers) {
    for (int l = 0; l < links.size(); l++) {
      links.get(l).step(links.get(l).of(peers), own(l));
    }
  }

  /** What all of this host's groups take of a link. */
  ResourceUse own(int link) {
    return sum(link, Optional.empty());
  }

  /** What peers and this host take of a link. */
  ResourceUse all(int link, List<Announcement> peers) {
    ResourceUse sum = own(link);
    for (Announcement.Link one : links.get(link).of(peers)) {
      sum = sum.plus(one.use());
    }
    return sum;
  }

  private ResourceUse sum(int link, Optional<Group> but) {
    ResourceUse sum = ResourceUse.NONE;
    for (Group group : groups.values()) {
      if (!Optional.of(group).equals(but) && group.key().links().contains(link)) {
        sum = sum.plus(group.use(link, weight(link, group)).times(cost(link, group)));
      }
    }
    return sum;
  }

  /**
   * What it counts on a link: its holder's weight, which all of the holder's groups there have
   * together that want more. There are several where it sends to several stations.
   */
  private double weight(int link, Group group) {
    long many =
        groups.values().stream()
            .filter(
                one ->
                    one != group
                        && one.key().holder().equals(group.key().holder())
                        && one.key().links().contains(link)
                        && one.isHungryOn(link))
            .count();
    return group.weight() / (many + 1);
  }

  /** How much of a link one bit takes: of the air, its units. */
  private double cost(int link, Group group) {
    return settings.links().get(link).air().isPresent()
        ? air.orElseThrow().cost(group.key().way().orElseThrow())
        : 1;
  }

  /** What each group may send by the shares as they are now: the least of its links' offers. */
  void offer(List<Announcement> peers, long nanos) {
    // All by the same state: else the first would be offered what it has just given up.
    groups.values().stream()
        .map(group -> offer(group, peers, nanos))
        .toList()
        .forEach(Runnable::run);
  }

  /** The same for one group alone. */
  void offerTo(Group group, List<Announcement> peers, long nanos) {
    offer(group, peers, nanos).run();
  }

  private Runnable offer(Group group, List<Announcement> peers, long nanos) {
    DataRate least = DataRate.MAX;
    int binding = group.key().links().get(0);
    for (int l : group.key().links()) {
      ResourceUse others = sum(l, Optional.of(group));
      for (Announcement.Link peer : links.get(l).of(peers)) {
        others = others.plus(peer.use());
      }
      DataRate offered = links.get(l).share().offer(weight(l, group), cost(l, group), others);
      if (offered.compareTo(least) < 0) {
        least = offered;
        binding = l;
      }
    }
    DataRate rate = least;
    int link = binding;
    return () -> group.offer(rate, link, nanos);
  }

  List<Announcement.Link> told() {
    List<Announcement.Link> told = new ArrayList<>();
    for (int l = 0; l < links.size(); l++) {
      told.add(links.get(l).told(own(l)));
    }
    return told;
  }
}
