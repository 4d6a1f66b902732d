package org.paceline.agent.smallnetwork;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.paceline.agent.config.PeerSettings;
import org.paceline.agent.config.Weights;
import org.paceline.agent.flow.Direction;
import org.paceline.allocator.virtualqueue.VirtualQueueSettings;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/**
 * The real loops, members and codec of several hosts, in a time that the test lets pass. What is
 * made up is the traffic: everybody sends a part of what it may, as long as the uplink has room.
 */
final class VirtualHosts {
  static final DataRate UPLINK = DataRate.ofKilobitsPerSecond(8_000);
  private static final long STEP = Duration.ofMillis(50).toNanos();
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final VirtualQueueSettings settings;
  private final double efficiency;
  private final Map<IntentPath, Double> weights;
  private final Random random = new Random(5);
  private final List<Host> hosts = new ArrayList<>();
  private final AnnouncementCodec codec = new AnnouncementCodec(AnnouncementCodecTest.key("k"));
  private long now = 1_234 * SECOND;
  private final long begun = now;
  private double lost;
  private Optional<Integer> apart = Optional.empty();

  /** So many greedy conversations of an intent. */
  record Traffic(String intent, int conversations) {}

  private static final class Conversation {
    final String intent;
    final Group.Part part;
    double wants = Double.POSITIVE_INFINITY;
    double unreadBits;
    double lastBitsPerSecond;

    Conversation(String intent, Group.Part part) {
      this.intent = intent;
      this.part = part;
    }

    double offered(double efficiency) {
      return Math.min(wants, part.rate() * efficiency);
    }
  }

  private final class Host {
    final HostLoop loop;
    final Members members;
    final long epoch;
    final long phase;
    final List<Conversation> conversations = new ArrayList<>();
    int sequence;
    int seconds;
    boolean alive = true;

    Host(Map<IntentPath, Double> weights, long epoch) {
      this.loop =
          new HostLoop(
              new PeerSettings(
                  new InetSocketAddress("239.255.80.76", 9561),
                  AnnouncementCodecTest.key("k"),
                  Optional.empty(),
                  Duration.ofSeconds(2),
                  settings,
                  List.of(new PeerSettings.Link("uplink", UPLINK, Direction.OUT, Optional.empty())),
                  new Weights(weights)));
      this.epoch = epoch;
      this.members = new Members(epoch, new SecureRandom(), now);
      this.phase = (long) (random.nextDouble() * SECOND / STEP) * STEP;
    }

    void second() {
      for (Conversation one : conversations) {
        one.part.sent(one.unreadBits, one.offered(efficiency) < one.wants, now);
        one.unreadBits = 0;
      }
      List<Announcement> said = members.present(now).stream().map(Members.Present::said).toList();
      if (++seconds % 2 == 0) {
        loop.step(said);
      }
      loop.offer(said, now);
      conversations.forEach(one -> one.part.allow(one.part.share(), now));
      announce();
    }

    private void announce() {
      byte[] datagram =
          codec.encode(
              new Announcement(
                  epoch,
                  epoch,
                  ++sequence,
                  members.challenge(now),
                  loop.told(),
                  members.toRepeat(7, now)));
      for (Host other : hosts) {
        boolean reaches =
            apart.isEmpty() || (index() == apart.get()) == (other.index() == apart.get());
        if (other != this && other.alive && reaches && random.nextDouble() >= lost) {
          other.members.hear(codec.decode(datagram).announcement().orElseThrow(), "", now);
        }
      }
    }

    int index() {
      return hosts.indexOf(this);
    }
  }

  VirtualHosts(VirtualQueueSettings settings, double efficiency) {
    this(settings, efficiency, Map.of());
  }

  VirtualHosts(VirtualQueueSettings settings, double efficiency, Map<IntentPath, Double> weights) {
    this.settings = settings;
    this.efficiency = efficiency;
    this.weights = weights;
  }

  /** One greedy conversation of this weight; the number of its host. */
  int add(double weight) {
    return add(Map.of(IntentPath.parse("upload"), weight), List.of(new Traffic("upload/x", 1)));
  }

  int addHost(List<Traffic> traffic) {
    return add(weights, traffic);
  }

  private int add(Map<IntentPath, Double> its, List<Traffic> traffic) {
    Host host = new Host(its, 100 + hosts.size());
    hosts.add(host);
    for (Traffic one : traffic) {
      for (int i = 0; i < one.conversations(); i++) {
        Group group = host.loop.group(IntentPath.parse(one.intent()), List.of(0), now);
        Group.Part part = group.join(0, now);
        host.loop.offerTo(group, List.of(), now);
        part.allow(part.share(), now);
        host.conversations.add(new Conversation(one.intent(), part));
      }
    }
    return hosts.size() - 1;
  }

  void kill(int host) {
    hosts.get(host).alive = false;
    hosts.get(host).conversations.forEach(one -> one.lastBitsPerSecond = 0);
  }

  void wants(int host, double bitsPerSecond) {
    hosts.get(host).conversations.forEach(one -> one.wants = bitsPerSecond);
  }

  void lose(double part) {
    lost = part;
  }

  /** This one hears none of the others, and none of them hears it; the uplink is whole. */
  void split(int host) {
    apart = Optional.of(host);
  }

  void heal() {
    apart = Optional.empty();
  }

  double seconds() {
    return (double) (now - begun) / SECOND;
  }

  void pass(int seconds) {
    for (long step = 0; step < seconds * SECOND / STEP; step++) {
      now += STEP;
      send();
      for (Host host : List.copyOf(hosts)) {
        if (host.alive && now % SECOND == host.phase) {
          host.second();
        }
      }
    }
  }

  private void send() {
    List<Conversation> alive = new ArrayList<>();
    hosts.stream().filter(h -> h.alive).forEach(h -> alive.addAll(h.conversations));
    double offered = alive.stream().mapToDouble(one -> one.offered(efficiency)).sum();
    double passes = Math.min(1, UPLINK.bitsPerSecond() / Math.max(1, offered));
    for (Conversation one : alive) {
      one.lastBitsPerSecond = one.offered(efficiency) * passes;
      one.unreadBits += one.lastBitsPerSecond * STEP / SECOND;
    }
  }

  double sent(int host) {
    return hosts.get(host).conversations.stream().mapToDouble(one -> one.lastBitsPerSecond).sum();
  }

  double total() {
    double sum = 0;
    for (int h = 0; h < hosts.size(); h++) {
      sum += sent(h);
    }
    return sum;
  }

  double sentBy(String intent) {
    Map<String, Double> sums = new HashMap<>();
    hosts.forEach(
        h ->
            h.conversations.forEach(
                one -> sums.merge(one.intent.split("/")[0], one.lastBitsPerSecond, Double::sum)));
    return sums.getOrDefault(intent, 0.0);
  }
}
