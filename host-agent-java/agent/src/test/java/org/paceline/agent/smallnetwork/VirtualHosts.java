package org.paceline.agent.smallnetwork;

import java.net.InetAddress;
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
import org.paceline.allocator.virtualqueue.WirelessAccess;
import org.paceline.allocator.virtualqueue.WirelessCell;
import org.paceline.allocator.virtualqueue.WirelessLink;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/**
 * The real loops, members and codec of several hosts, in a time that the test lets pass. What is
 * made up is the traffic: everybody sends a part of what it may, as long as the uplink has room, or
 * the air that stations share.
 */
final class VirtualHosts {
  static final DataRate UPLINK = DataRate.ofKilobitsPerSecond(8_000);
  private static final long STEP = Duration.ofMillis(50).toNanos();
  private static final double MOST_QUEUE_SECONDS = 0.3;
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final VirtualQueueSettings settings;
  private final double efficiency;
  private final Map<IntentPath, Double> weights;
  private final PeerSettings.Link shared;
  private final Random random = new Random(5);
  private final List<Host> hosts = new ArrayList<>();
  private final AnnouncementCodec codec = new AnnouncementCodec(AnnouncementCodecTest.key("k"));
  private long now = 1_234 * SECOND;
  private final long begun = now;
  private double lost;
  private double stranger;
  private double queueSeconds;
  private Optional<Integer> apart = Optional.empty();

  /** So many greedy conversations of an intent. */
  record Traffic(String intent, int conversations) {}

  private static final class Conversation {
    final String intent;
    final Group.Part part;
    final Optional<Air.Way> way;
    double wants = Double.POSITIVE_INFINITY;
    double unreadBits;
    double lastBitsPerSecond;

    Conversation(String intent, Group.Part part, Optional<Air.Way> way) {
      this.intent = intent;
      this.part = part;
      this.way = way;
    }

    double offered(double efficiency) {
      return Math.min(wants, part.rate() * efficiency);
    }
  }

  private final class Host {
    final HostLoop loop;
    final Members members;
    final long epoch;
    final Optional<Announcement.Station> station;
    final Optional<Air> air;
    final long phase;
    final List<Conversation> conversations = new ArrayList<>();
    int sequence;
    int seconds;
    boolean alive = true;

    Host(Map<IntentPath, Double> weights, long epoch, Optional<Announcement.Station> station) {
      this.station = station;
      this.air = shared.air().map(how -> new Air(how.access(), SharedLink.id(shared), epoch));
      this.loop =
          new HostLoop(
              new PeerSettings(
                  new InetSocketAddress("239.255.80.76", 9561),
                  AnnouncementCodecTest.key("k"),
                  Optional.empty(),
                  Duration.ofSeconds(2),
                  settings,
                  List.of(shared),
                  new Weights(weights)),
              air);
      this.epoch = epoch;
      this.members = new Members(epoch, new SecureRandom(), now);
      this.phase = (long) (random.nextDouble() * SECOND / STEP) * STEP;
    }

    void second() {
      for (Conversation one : conversations) {
        one.part.sent(one.unreadBits, one.offered(efficiency) < one.wants, now);
        one.unreadBits = 0;
      }
      air.ifPresent(one -> one.see(members.present(now), station));
      List<Announcement> said = members.present(now).stream().map(Members.Present::said).toList();
      loop.links()
          .get(0)
          .seesQueue(
              Probe.queue(Optional.of(Duration.ofNanos((long) (queueSeconds * SECOND))), UPLINK));
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
                  station,
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
    this(
        settings,
        efficiency,
        weights,
        new PeerSettings.Link(
            "uplink", UPLINK, Direction.OUT, Optional.empty(), Optional.empty(), Optional.empty()));
  }

  private VirtualHosts(
      VirtualQueueSettings settings,
      double efficiency,
      Map<IntentPath, Double> weights,
      PeerSettings.Link shared) {
    this.settings = settings;
    this.efficiency = efficiency;
    this.weights = weights;
    this.shared = shared;
  }

  /** Stations of one access point. */
  static VirtualHosts inTheAir(VirtualQueueSettings settings, double efficiency) {
    return new VirtualHosts(
        settings,
        efficiency,
        Map.of(),
        new PeerSettings.Link(
            "wifi",
            WirelessCell.AIR,
            Direction.OUT,
            Optional.empty(),
            Optional.of(new PeerSettings.Air(WirelessAccess.BASIC, false, Optional.empty())),
            Optional.empty()));
  }

  /** Hosts that know of the uplink only that it is between an eighth and twice of what it is. */
  static VirtualHosts estimating() {
    return new VirtualHosts(
        VirtualQueueSettings.STANDARD,
        0.95,
        Map.of(),
        new PeerSettings.Link(
            "uplink",
            UPLINK.times(2),
            Direction.OUT,
            Optional.empty(),
            Optional.empty(),
            Optional.of(
                new PeerSettings.Estimated(
                    DataRate.ofBitsPerSecond(UPLINK.bitsPerSecond() / 8),
                    InetAddress.getLoopbackAddress()))));
  }

  /** Somebody outside sends this over the uplink, whatever becomes of it. */
  void stranger(double bitsPerSecond) {
    stranger = bitsPerSecond;
  }

  /** What this host takes for the uplink's capacity, of what it is. */
  double believed(int host) {
    return (double) hosts.get(host).loop.links().get(0).share().capacity().bitsPerSecond()
        / UPLINK.bitsPerSecond();
  }

  double queueSeconds() {
    return queueSeconds;
  }

  /** One greedy conversation of this weight, of a host with this association rate. */
  int addStation(double weight, DataRate association) {
    Announcement.Frames frames = new Announcement.Frames(association, 1_500);
    return add(
        Map.of(IntentPath.parse("upload"), weight),
        List.of(new Traffic("upload/x", 1)),
        Optional.of(
            new Announcement.Station(
                SharedLink.id(shared), frames, new Announcement.Frames(association, 0))));
  }

  /** One greedy conversation of this weight; the number of its host. */
  int add(double weight) {
    return add(
        Map.of(IntentPath.parse("upload"), weight),
        List.of(new Traffic("upload/x", 1)),
        Optional.empty());
  }

  int addHost(List<Traffic> traffic) {
    return add(weights, traffic, Optional.empty());
  }

  /** A host behind the access point, with one greedy conversation to each of these stations. */
  int addServer(double weight, List<Integer> stations) {
    int number = add(Map.of(IntentPath.parse("upload"), weight), List.of(), Optional.empty());
    for (int station : stations) {
      begin(
          hosts.get(number),
          "upload/x",
          Optional.of(new Air.Way(Optional.empty(), Optional.of(hosts.get(station).epoch))));
    }
    return number;
  }

  private int add(
      Map<IntentPath, Double> its, List<Traffic> traffic, Optional<Announcement.Station> station) {
    Host host = new Host(its, 100 + hosts.size(), station);
    hosts.add(host);
    host.air.ifPresent(air -> air.see(List.of(), station));
    Optional<Air.Way> way =
        station.map(one -> new Air.Way(Optional.of(host.epoch), Optional.empty()));
    for (Traffic one : traffic) {
      for (int i = 0; i < one.conversations(); i++) {
        begin(host, one.intent(), way);
      }
    }
    return hosts.size() - 1;
  }

  private void begin(Host host, String intent, Optional<Air.Way> way) {
    Group group = host.loop.group(IntentPath.parse(intent), List.of(0), way, now);
    Group.Part part = group.join(0, now);
    host.loop.offerTo(group, List.of(), now);
    part.allow(part.share(), now);
    host.conversations.add(new Conversation(intent, part, way));
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
    double load = load();
    double passes = Math.min(1, 1 / Math.max(1e-9, load));
    double more = (load - 1) * STEP / SECOND;
    queueSeconds = Math.max(0, Math.min(MOST_QUEUE_SECONDS, queueSeconds + more));
    for (Conversation one : alive) {
      one.lastBitsPerSecond = one.offered(efficiency) * passes;
      one.unreadBits += one.lastBitsPerSecond * STEP / SECOND;
    }
  }

  /** What all offer now, of what the uplink or the air carries. */
  private double load() {
    List<Conversation> alive = new ArrayList<>();
    hosts.stream().filter(h -> h.alive).forEach(h -> alive.addAll(h.conversations));
    return shared.air().isPresent()
        ? ofTheAir(alive)
        : (stranger + alive.stream().mapToDouble(one -> one.offered(efficiency)).sum())
            / UPLINK.bitsPerSecond();
  }

  private double ofTheAir(List<Conversation> alive) {
    Map<String, WirelessLink> active = new HashMap<>();
    for (Conversation one : alive) {
      Air.Way way = one.way.orElseThrow();
      way.from().ifPresent(epoch -> active.put("from " + epoch, link("from ", epoch)));
      way.to().ifPresent(epoch -> active.put("to " + epoch, link("to ", epoch)));
    }
    WirelessCell cell = WirelessCell.of(WirelessAccess.BASIC, active.values());
    double load = 0;
    for (Conversation one : alive) {
      Air.Way way = one.way.orElseThrow();
      double seconds =
          way.from().map(epoch -> cell.secondsPerFrame("from " + epoch)).orElse(0.0)
              + way.to().map(epoch -> cell.secondsPerFrame("to " + epoch)).orElse(0.0);
      load += one.offered(efficiency) * seconds / (1_514 * Byte.SIZE);
    }
    return load;
  }

  private WirelessLink link(String way, long epoch) {
    Host host = hosts.stream().filter(one -> one.epoch == epoch).findFirst().orElseThrow();
    return WirelessLink.of(
        way + epoch,
        way.equals("to ") ? "the access point" : "" + epoch,
        1_500,
        host.station.orElseThrow().up().association());
  }

  /** The part of the uplink or the air that is used. */
  double used() {
    return Math.min(1, load());
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
