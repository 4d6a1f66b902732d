package org.paceline.agent.smallnetwork;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.config.PeerSettings;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.conversation.Conversations;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.pacing.Pacing;
import org.paceline.agent.runtime.Console;
import org.paceline.agent.runtime.EventLoop;
import org.paceline.agent.runtime.WallClock;
import org.paceline.intents.unit.DataRate;

/**
 * This host among its peers: once a second it reads what its conversations have sent, tells the
 * others, and paces by the shares that the loop has come to. Owned by one thread, but for what it
 * hears.
 */
public final class SmallNetwork implements Closeable {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** What one host may send to the group in a second, headers of IP and UDP included. */
  private static final int MOST_BYTES_A_SECOND = 250;

  private static final int HEADERS_OF_IPV4 = 28;
  private static final int HEADERS_OF_IPV6 = 48;

  /** Beyond any interface: its class only counts. */
  private static final long UNLIMITED = 100_000_000_000L;

  /** A rate that differs by less is left as it is: each change is one in the kernel. */
  private static final double NOTABLE = 0.01;

  private final PeerSettings settings;
  private final Pacing pacing;
  private final Conversations conversations;
  private final EventLoop loop;
  private final Console console;
  private final HostLoop hostLoop;
  private final Optional<Air> air;
  private final Optional<OwnStation> station;
  // By the numbers of the links whose capacity is estimated.
  private final Map<Integer, Probe> probes = new HashMap<>();
  private final Members members;
  private final Hearing hearing;
  private final AnnouncementCodec codec;
  private final LocalNetworks local;
  private final String device;
  private final long host;
  private final long epoch;
  // The conversations that share links, and how much each had sent when it was last read.
  private final Map<Conversation, Placed> placed = new HashMap<>();
  private Optional<Announcement.Station> here = Optional.empty();
  private Optional<GroupSocket> socket = Optional.empty();
  private String trouble = "";
  private int sequence;
  private long seconds;
  private boolean rules;
  private long rulesSinceUnixNanos;
  private boolean easing;

  /** Over which links, by number, and on which way through the air. */
  private record Route(List<Integer> over, Optional<Air.Way> way) {}

  private static final class Placed {
    final Route route;
    final Optional<Group.Part> part;
    long sentBytes;
    long droppedPackets;

    Placed(Route route, Optional<Group.Part> part) {
      this.route = route;
      this.part = part;
    }

    /** The same on another way. */
    void goesOnFrom(Placed before) {
      sentBytes = before.sentBytes;
      droppedPackets = before.droppedPackets;
    }

    /**
     * How many bits more have gone over the links. What comes in has done so before its class drops
     * it: a sender that is not yet slowed down fills the link with more than this host takes.
     */
    double counted(ClassStatistics now, boolean incoming) {
      if (now.sentBytes() < sentBytes) {
        // A class that was made anew.
        sentBytes = 0;
        droppedPackets = 0;
      }
      double bytes = now.sentBytes() - sentBytes;
      if (incoming && now.sentPackets() > 0) {
        double packetBytes = (double) now.sentBytes() / now.sentPackets();
        bytes += Math.max(0, now.droppedPackets() - droppedPackets) * packetBytes;
      }
      sentBytes = now.sentBytes();
      droppedPackets = now.droppedPackets();
      return Byte.SIZE * bytes;
    }
  }

  public SmallNetwork(
      AgentConfig config,
      PeerSettings settings,
      Pacing pacing,
      Conversations conversations,
      EventLoop loop,
      Console console) {
    this.settings = settings;
    this.pacing = pacing;
    this.conversations = conversations;
    this.loop = loop;
    this.console = console;
    this.host = SharedLink.number(config.hostId());
    this.epoch = RANDOM.nextLong();
    this.members = new Members(epoch, RANDOM, System.nanoTime());
    this.codec = new AnnouncementCodec(settings.key());
    this.hearing = new Hearing(codec, members);
    this.local = new LocalNetworks(pacing.deviceNames());
    this.device = settings.device().orElseGet(() -> first(pacing.deviceNames()));
    Optional<PeerSettings.Link> shared =
        settings.links().stream().filter(link -> link.air().isPresent()).findFirst();
    this.air =
        shared.map(link -> new Air(link.air().orElseThrow().access(), SharedLink.id(link), epoch));
    this.station =
        shared.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new OwnStation(
                    shared.get().air().orElseThrow(),
                    SharedLink.id(shared.get()),
                    device,
                    Path.of("/proc/net/dev")));
    this.hostLoop = new HostLoop(settings, air);
  }

  private static String first(List<String> devices) {
    return devices.isEmpty() ? "" : devices.get(0);
  }

  /**
   * @param before each second: whether peers decide may have changed
   * @param reader takes what was read: whoever reads counters between would find a part of a second
   */
  public void start(EventLoop.Step before, Reader reader) {
    for (int l = 0; l < settings.links().size(); l++) {
      int link = l;
      settings.links().get(l).estimated().ifPresent(how -> probes.put(link, Probe.of(how.probe())));
    }
    EventLoop.Step step =
        () -> {
          before.run();
          reader.take(second());
        };
    loop.soon(step);
    loop.every(SECOND, step);
  }

  /** Who wants the counters of conversations too, as they are read once a second. */
  public interface Reader {
    void take(Map<Conversation, ClassStatistics> read) throws IOException;
  }

  /** Whether peers decide on rates. Where a controller does, they only listen and tell. */
  public boolean rules() {
    return rules;
  }

  /** Since when they do, by the host's clock; empty where they do not. */
  public Optional<Long> rulesSince() {
    return rules ? Optional.of(rulesSinceUnixNanos) : Optional.empty();
  }

  /** How many peers are heard. */
  public int present() {
    return members.present(System.nanoTime()).size();
  }

  /** From now on peers decide; rates leave what they are by the loop's own steps. */
  public void take(boolean fromController) throws IOException {
    if (rules) {
      return;
    }
    rules = true;
    rulesSinceUnixNanos = WallClock.unixNanos();
    easing = fromController;
    console.say(
        "sharing "
            + hostLoop.links().stream().map(SharedLink::name).toList()
            + " with peers by "
            + device
            + " and "
            + settings.group());
  }

  /** A controller decides again. */
  public void leave() {
    if (rules) {
      rules = false;
      console.say("a controller decides: peers only listen");
    }
  }

  /** It gets its part before its first reading. */
  public void opened(Conversation conversation) {
    long now = System.nanoTime();
    Placed place = place(conversation, route(conversation), now);
    if (!rules) {
      return;
    }
    if (place.part.isEmpty()) {
      pacing.grant(conversation, UNLIMITED, 0, 0);
      return;
    }
    Group.Part part = place.part.get();
    if (part.group().conversations() == 1 && !easing) {
      hostLoop.offerTo(part.group(), said(now), now);
    }
    allow(conversation, part, part.share(), now);
  }

  public void closed(Collection<Conversation> over) {
    for (Conversation one : over) {
      Optional.ofNullable(placed.remove(one)).ifPresent(this::leave);
    }
  }

  private void leave(Placed place) {
    place.part.ifPresent(
        part -> {
          part.leave();
          hostLoop.left(part.group());
        });
  }

  private Route route(Conversation conversation) {
    Optional<Air.Way> way =
        air.flatMap(
            one ->
                one.way(
                    conversation.key().remote(),
                    conversation.incoming(),
                    conversation.device().equals(device)));
    List<Integer> over = new ArrayList<>();
    for (int l = 0; l < settings.links().size(); l++) {
      PeerSettings.Link link = settings.links().get(l);
      if (link.air().isPresent() ? way.isPresent() : goesOver(link, conversation)) {
        over.add(l);
      }
    }
    return new Route(over, way);
  }

  private Placed place(Conversation conversation, Route route, long now) {
    Optional<Group.Part> part =
        route.over().isEmpty()
            ? Optional.empty()
            : Optional.of(
                hostLoop
                    .group(conversation.key().intent(), route.over(), route.way(), now)
                    .join(inForce(conversation), now));
    Placed place = new Placed(route, part);
    Optional.ofNullable(placed.put(conversation, place)).ifPresent(this::leave);
    return place;
  }

  /**
   * Networks or stations are others than before. Who keeps its way keeps what was measured of it.
   */
  private void placeAnew(long now) {
    for (Map.Entry<Conversation, Placed> one : List.copyOf(placed.entrySet())) {
      Route route = route(one.getKey());
      if (!route.equals(one.getValue().route)) {
        place(one.getKey(), route, now).goesOnFrom(one.getValue());
      }
    }
  }

  private boolean goesOver(PeerSettings.Link link, Conversation conversation) {
    boolean sameWay = (link.direction() == Direction.IN) == conversation.incoming();
    return sameWay
        && link.addresses()
            .map(set -> set.contains(conversation.key().remote()))
            .orElseGet(() -> local.isOutside(conversation.key().remote()));
  }

  private double inForce(Conversation conversation) {
    long granted = conversation.grantedBitsPerSecond();
    return granted > 0 ? granted : pacing.installedRate(conversation);
  }

  private Map<Conversation, ClassStatistics> second() throws IOException {
    Map<Conversation, ClassStatistics> read = pacing.read(conversations);
    long now = System.nanoTime();
    boolean otherNetworks = local.read();
    boolean otherWays = seeAir(now);
    if (otherNetworks || otherWays) {
      placeAnew(now);
    }
    measure(read, now);
    List<Announcement> said = said(now);
    boolean step = ++seconds % settings.period().toSeconds() == 0;
    // While rates are on their way, that links are not full is no reason to offer more.
    if (step && rules && !easing) {
      seeQueues();
      hostLoop.step(said);
    }
    if (rules && (step || !easing)) {
      hostLoop.offer(said, now);
      share(now);
    }
    announce(now);
    return read;
  }

  private void seeQueues() {
    probes.forEach(
        (l, probe) -> {
          SharedLink link = hostLoop.links().get(l);
          link.seesQueue(probe.queue(link.share().capacity()));
        });
  }

  /** Whether conversations may go other ways through it than before. */
  private boolean seeAir(long now) {
    here = station.flatMap(one -> one.read(now, console));
    return air.isPresent() && air.get().see(members.present(now), here);
  }

  private List<Announcement> said(long now) {
    return members.present(now).stream().map(Members.Present::said).toList();
  }

  private void measure(Map<Conversation, ClassStatistics> read, long now) {
    for (Conversation one : conversations.all()) {
      Placed place = placed.containsKey(one) ? placed.get(one) : place(one, route(one), now);
      ClassStatistics statistics = read.get(one);
      if (statistics == null) {
        continue;
      }
      double bits = place.counted(statistics, one.incoming());
      place.part.ifPresent(part -> part.sent(bits, statistics.backlogBytes() > 0, now));
      if (!rules) {
        place.part.ifPresent(part -> part.allow(inForce(one), now));
      }
    }
    if (!rules) {
      hostLoop.groups().forEach(group -> group.isGranted(now));
    }
  }

  private void share(long now) throws IOException {
    List<Conversation> changed = new ArrayList<>();
    boolean allThere = true;
    for (Map.Entry<Conversation, Placed> one : placed.entrySet()) {
      Conversation conversation = one.getKey();
      if (one.getValue().part.isEmpty()) {
        if (conversation.grantedBitsPerSecond() != UNLIMITED) {
          pacing.grant(conversation, UNLIMITED, 0, 0);
          changed.add(conversation);
        }
        continue;
      }
      Group.Part part = one.getValue().part.get();
      double wanted = part.share();
      double next = easing ? eased(part.rate(), wanted) : wanted;
      allThere &= next == wanted;
      if (Math.abs(next - conversation.grantedBitsPerSecond())
          > NOTABLE * conversation.grantedBitsPerSecond()) {
        allow(conversation, part, next, now);
        changed.add(conversation);
      }
    }
    easing &= !allThere;
    List<String> complaints = pacing.reconcile(changed);
    if (!complaints.isEmpty()) {
      throw new IOException("not all rates are installed: " + complaints.get(0));
    }
  }

  /** No farther than a share moves in one step of the loop. */
  private double eased(double now, double wanted) {
    double most = settings.loop().gain();
    return now <= 0 ? wanted : Math.max(now * (1 - most), Math.min(now * (1 + most), wanted));
  }

  private void allow(Conversation conversation, Group.Part part, double bitsPerSecond, long now) {
    part.allow(bitsPerSecond, now);
    pacing.grant(conversation, Math.max(1, (long) bitsPerSecond), 0, 0);
  }

  private void announce(long now) {
    try {
      if (socket.isEmpty() || !socket.get().isGood(device)) {
        socket.ifPresent(GroupSocket::close);
        socket = Optional.empty();
        socket = Optional.of(GroupSocket.open(settings.group(), device, this::heard));
      }
      socket.get().send(codec.encode(announcement(now)));
      if (!trouble.isEmpty()) {
        console.say("peers can be heard again");
      }
      trouble = "";
    } catch (IOException | RuntimeException e) {
      if (trouble.isEmpty()) {
        console.say("peers cannot be told anything, trying again: " + e.getMessage());
      }
      trouble = String.valueOf(e.getMessage());
    }
  }

  private void heard(byte[] datagram, String from) {
    hearing.hear(datagram, from, System.nanoTime());
  }

  private Announcement announcement(long now) {
    List<Announcement.Link> links = hostLoop.told();
    boolean ipv4 = settings.group().getAddress().getAddress().length == Integer.BYTES;
    int room = MOST_BYTES_A_SECOND - (ipv4 ? HEADERS_OF_IPV4 : HEADERS_OF_IPV6);
    List<Long> repeated =
        members.toRepeat(AnnouncementCodec.roomForHeard(room, links.size(), here.isPresent()), now);
    return new Announcement(host, epoch, ++sequence, members.challenge(now), links, here, repeated);
  }

  /** Asked on the loop's thread. */
  public PeerView view() {
    long now = System.nanoTime();
    List<Members.Present> present = members.present(now);
    List<Announcement> said = present.stream().map(Members.Present::said).toList();
    return new PeerView(
        rules,
        trouble,
        present.stream().map(this::peer).toList(),
        links(said),
        hostLoop.groups().stream()
            .map(
                g ->
                    new PeerView.Share(
                        g.key().holder().toString(),
                        g.weight(),
                        g.conversations(),
                        g.rate().bitsPerSecond(),
                        g.sent().bitsPerSecond(),
                        g.isHungry()))
            .toList(),
        hearing.taken(),
        hearing.ignored());
  }

  private PeerView.Peer peer(Members.Present one) {
    List<Long> sent = new ArrayList<>();
    for (SharedLink link : hostLoop.links()) {
      sent.add(
          link.of(List.of(one.said())).stream()
              .mapToLong(told -> told.use().sent().bitsPerSecond())
              .sum());
    }
    return new PeerView.Peer(one.from(), Long.toHexString(one.said().epoch()), sent);
  }

  private List<PeerView.Link> links(List<Announcement> said) {
    List<PeerView.Link> links = new ArrayList<>();
    for (int l = 0; l < hostLoop.links().size(); l++) {
      SharedLink link = hostLoop.links().get(l);
      DataRate sent = hostLoop.all(l, said).sent();
      links.add(
          new PeerView.Link(
              link.name(),
              link.share().capacity().bitsPerSecond(),
              link.share().utilisation(sent),
              link.share().price(sent),
              link.share().share().bitsPerSecond(),
              link.of(said).stream().filter(told -> link.isOtherwise(told.capacity())).count(),
              settings.links().get(l).air().isPresent()
                  ? Optional.of(here.map(one -> one.up().association().bitsPerSecond()).orElse(0L))
                  : Optional.empty(),
              estimated(l)));
    }
    return links;
  }

  private Optional<PeerView.Estimated> estimated(int link) {
    return settings
        .links()
        .get(link)
        .estimated()
        .map(
            how ->
                new PeerView.Estimated(
                    settings.links().get(link).capacity().bitsPerSecond(),
                    Optional.ofNullable(probes.get(link)).flatMap(Probe::waiting)));
  }

  @Override
  public void close() {
    probes.values().forEach(Probe::close);
    socket.ifPresent(GroupSocket::close);
    station.ifPresent(OwnStation::close);
  }
}
