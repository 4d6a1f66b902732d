package org.paceline.agent.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.naming.AddressRange;
import org.paceline.agent.naming.AddressSet;
import org.paceline.allocator.virtualqueue.VirtualQueueSettings;
import org.paceline.allocator.virtualqueue.WirelessAccess;
import org.paceline.allocator.virtualqueue.WirelessLink;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** Reads how hosts share links without a controller. */
final class PeersReader {
  /** More would not fit in what one host may announce in a second. */
  private static final int MOST_LINKS = 4;

  private static final String WIRED = "wired";
  private static final String ASKED = "auto";
  private static final List<ConfigKey> OF_A_LINK =
      List.of(
          ConfigKey.CAPACITY,
          ConfigKey.CEILING,
          ConfigKey.FLOOR,
          ConfigKey.PROBE,
          ConfigKey.LINK_DIRECTION,
          ConfigKey.LINK_ADDRESSES);

  private static final List<ConfigKey> OF_AN_ESTIMATE =
      List.of(ConfigKey.CEILING, ConfigKey.FLOOR, ConfigKey.PROBE);
  private static final String ESTIMATED = "estimated";
  private static final double USUAL_FLOOR = 0.1;

  private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(1);
  private static final Duration LONGEST_PERIOD = Duration.ofSeconds(10);
  private static final Pattern GROUP =
      Pattern.compile("\\[?([0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*?)]?:(\\d{1,5})");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,31}");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");

  private final Path config;
  private final YamlMap map;
  private final Faults faults;

  private PeersReader(Path config, YamlMap map, Faults faults) {
    this.config = config;
    this.map = map;
    this.faults = faults;
  }

  static Optional<PeerSettings> read(Path config, YamlMap map, Faults faults) {
    return new PeersReader(config, map, faults).read();
  }

  private Optional<PeerSettings> read() {
    int before = faults.messages().size();
    InetSocketAddress group = map.takeOrDefault(ConfigKey.GROUP_ADDRESS, PeersReader::group);
    Optional<SharedKey> key = map.require(ConfigKey.KEY_FILE, this::key);
    Optional<String> device = map.take(ConfigKey.PEERS_INTERFACE, AgentConfig::interfaceName);
    Duration period = map.takeOrDefault(ConfigKey.PERIOD, PeersReader::period);
    Optional<VirtualQueueSettings> loop = loop();
    if (!map.has(ConfigKey.LINKS.key())) {
      faults.add(map.place(), "The key (links) is missing: what the hosts share.");
    }
    List<PeerSettings.Link> links = links();
    Optional<Weights> weights = weights(loop);
    map.nothingElse(ConfigKey.names(ConfigKey.Part.PEERS));
    return faults.messages().size() == before
        ? Optional.of(
            new PeerSettings(
                group,
                key.orElseThrow(),
                device,
                period,
                loop.orElseThrow(),
                links,
                weights.orElseThrow()))
        : Optional.empty();
  }

  private SharedKey key(String text) {
    return SharedKey.read(TlsFiles.secret(config, text, "make it with \"openssl rand -hex 32\""));
  }

  private Optional<VirtualQueueSettings> loop() {
    int sharpness = map.takeOrDefault(ConfigKey.SHARPNESS, PeersReader::whole);
    double alpha = map.takeOrDefault(ConfigKey.ALPHA, PeersReader::number);
    Optional<Double> gain = map.take(ConfigKey.KAPPA, PeersReader::number);
    double virtual = map.takeOrDefault(ConfigKey.BETA, PeersReader::number);
    Optional<Double> adaptive = map.take(ConfigKey.ADAPTIVE, PeersReader::number);
    return faults.attempt(
        map.place(),
        "",
        any -> {
          VirtualQueueSettings fixed =
              VirtualQueueSettings.of(
                  sharpness,
                  alpha,
                  gain.orElseGet(() -> VirtualQueueSettings.standardGain(sharpness)),
                  virtual);
          return adaptive.map(fixed::adaptingTo).orElse(fixed);
        });
  }

  private List<PeerSettings.Link> links() {
    List<PeerSettings.Link> links = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (YamlMap item : map.takeMaps(ConfigKey.LINKS)) {
      Optional<String> name = item.require(ConfigKey.LINK_NAME, PeersReader::name);
      Optional<PeerSettings.Link> link =
          item.has(ConfigKey.AIR.key())
              ? air(item).map(air -> PeerSettings.Link.air(name.orElse(""), air))
              : link(item, name.orElse(""));
      item.nothingElse(ConfigKey.names(ConfigKey.Part.LINK));
      if (name.isPresent() && !names.add(name.get())) {
        faults.add(
            item.place(), "The link (" + name.get() + ") is named twice. Maybe it is another one.");
      }
      if (name.isPresent()) {
        link.ifPresent(links::add);
      }
    }
    if (links.stream().filter(link -> link.air().isPresent()).count() > 1) {
      faults.add(
          map.place(),
          "More than one link is the air, and a host is in one at a time. Maybe remove the others.");
    }
    if (links.size() > MOST_LINKS) {
      faults.add(
          map.place(),
          "There are "
              + links.size()
              + " links, and hosts announce "
              + MOST_LINKS
              + " at most. Maybe leave out those that are never full.");
    }
    return links;
  }

  private Optional<PeerSettings.Link> link(YamlMap item, String name) {
    if (item.has(ConfigKey.ASSOCIATION.key())) {
      faults.add(
          item.place(ConfigKey.ASSOCIATION.key()),
          "Only the air has an (association). Maybe (air: basic) is missing.");
      item.leave(ConfigKey.ASSOCIATION);
    }
    Direction direction = item.takeOrDefault(ConfigKey.LINK_DIRECTION, RulesReader::direction);
    Optional<AddressSet> addresses = addresses(item);
    // Empty where it is to be estimated.
    Optional<Optional<DataRate>> said =
        item.require(
            ConfigKey.CAPACITY,
            text ->
                text.equals(ESTIMATED)
                    ? Optional.empty()
                    : Optional.of(AgentConfig.positiveRate(text)));
    if (said.isPresent() && said.get().isEmpty()) {
      Optional<DataRate> ceiling = item.require(ConfigKey.CEILING, AgentConfig::positiveRate);
      return estimated(item, ceiling)
          .map(how -> link(name, ceiling.orElseThrow(), direction, addresses, Optional.of(how)));
    }
    for (ConfigKey other : OF_AN_ESTIMATE) {
      if (item.has(other.key())) {
        faults.add(
            item.place(other.key()),
            "Only a capacity that is estimated has a ("
                + other.key()
                + "). Maybe you meant (capacity: estimated).");
        item.leave(other);
      }
    }
    return said.flatMap(one -> one)
        .map(rate -> link(name, rate, direction, addresses, Optional.empty()));
  }

  private static PeerSettings.Link link(
      String name,
      DataRate capacity,
      Direction direction,
      Optional<AddressSet> addresses,
      Optional<PeerSettings.Estimated> estimated) {
    return new PeerSettings.Link(name, capacity, direction, addresses, Optional.empty(), estimated);
  }

  private Optional<PeerSettings.Estimated> estimated(YamlMap item, Optional<DataRate> ceiling) {
    Optional<InetAddress> probe = item.require(ConfigKey.PROBE, PeersReader::host);
    Mark place = item.place(ConfigKey.FLOOR.key());
    Optional<DataRate> said = item.take(ConfigKey.FLOOR, AgentConfig::positiveRate);
    Optional<DataRate> floor =
        said.or(
            () ->
                ceiling.map(
                    most -> DataRate.ofBitsPerSecond((long) (USUAL_FLOOR * most.bitsPerSecond()))));
    if (floor.isPresent() && ceiling.isPresent() && floor.get().compareTo(ceiling.get()) > 0) {
      faults.add(
          place,
          "The floor ("
              + floor.get()
              + ") is above the ceiling ("
              + ceiling.get()
              + "). Maybe leave it out: then it is a tenth of that.");
      return Optional.empty();
    }
    return ceiling.isPresent()
        ? probe.flatMap(address -> floor.map(least -> new PeerSettings.Estimated(least, address)))
        : Optional.empty();
  }

  /** One address, which is not looked up. */
  private static InetAddress host(String text) {
    AddressRange range = AddressRange.parse(text);
    if (range.prefixLength() != Byte.SIZE * range.network().getAddress().length) {
      throw new IllegalArgumentException(
          "The value (" + text + ") is a range. Maybe one address of it answers pings.");
    }
    return range.network();
  }

  private Optional<PeerSettings.Air> air(YamlMap item) {
    for (ConfigKey other : OF_A_LINK) {
      if (item.has(other.key())) {
        faults.add(
            item.place(other.key()),
            "The air has no ("
                + other.key()
                + "): it goes both ways to all hosts, and carries what their associations"
                + " let it. Maybe leave it out, or name a link of its own.");
        item.leave(other);
      }
    }
    Optional<WirelessAccess> access = item.take(ConfigKey.AIR, PeersReader::access);
    return item.takeOrDefault(
        ConfigKey.ASSOCIATION,
        text ->
            access.map(how -> new PeerSettings.Air(how, text.equals(WIRED), association(text))));
  }

  private static WirelessAccess access(String text) {
    switch (text) {
      case "basic":
        return WirelessAccess.BASIC;
      case "rts-cts":
        return WirelessAccess.RTS_CTS;
      default:
        throw new IllegalArgumentException(
            "The value (" + text + ") is no way to send frames. Maybe you meant basic or rts-cts.");
    }
  }

  /** Empty where there is none, or the interface is to be asked. */
  private static Optional<DataRate> association(String text) {
    if (text.equals(WIRED) || text.equals(ASKED)) {
      return Optional.empty();
    }
    DataRate rate = AgentConfig.positiveRate(text);
    if (rate.compareTo(WirelessLink.LEAST_RATE) < 0) {
      throw new IllegalArgumentException(
          "The association ("
              + text
              + ") is below "
              + WirelessLink.LEAST_RATE
              + ", the least of 802.11g. Maybe you meant 54mbit, or auto.");
    }
    return Optional.of(rate);
  }

  private static Optional<AddressSet> addresses(YamlMap item) {
    if (!item.has(ConfigKey.LINK_ADDRESSES.key())) {
      return Optional.empty();
    }
    return Optional.of(
        new AddressSet(item.takeAll(ConfigKey.LINK_ADDRESSES.key(), AddressRange::parse)));
  }

  private Optional<Weights> weights(Optional<VirtualQueueSettings> loop) {
    Map<IntentPath, Double> weights = new TreeMap<>();
    Optional<YamlMap> named = map.takeMap(ConfigKey.WEIGHTS);
    named.ifPresent(
        all -> {
          for (String intent : all.keys()) {
            Optional<IntentPath> path =
                faults.attempt(all.place(intent), intent, RulesReader::intent);
            Optional<Double> weight = all.take(intent, text -> weight(text, loop));
            path.ifPresent(p -> weight.ifPresent(w -> weights.put(p, w)));
          }
        });
    return faults.attempt(
        named.map(YamlMap::place).orElse(map.place()), "", any -> new Weights(weights));
  }

  /**
   * A number, or a rate that the intent is to have about when all links are full: then M times
   * that, with M = p / (1 - p) where the loop settles (section 6 of the paper).
   */
  private static double weight(String text, Optional<VirtualQueueSettings> loop) {
    Optional<DataRate> target = DataRate.tryParse(text);
    if (target.isEmpty()) {
      return number(text);
    }
    VirtualQueueSettings settings = loop.orElse(VirtualQueueSettings.STANDARD);
    return settings.alpha() / settings.utilisation() * target.get().bitsPerSecond() / 1e6;
  }

  private static double number(String text) {
    if (!NUMBER.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "The value (" + text + ") is no number from 0 up. Maybe you meant something like 0.95.");
    }
    return Double.parseDouble(text);
  }

  private static int whole(String text) {
    if (!text.matches("\\d{1,3}")) {
      throw new IllegalArgumentException(
          "The value (" + text + ") is no whole number. Maybe you meant 5.");
    }
    return Integer.parseInt(text);
  }

  private static String name(String text) {
    if (!NAME.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "The link's name ("
              + text
              + ") must be 1 to 32 letters, digits, '_', '.' or '-'. Maybe uplink.");
    }
    return text;
  }

  private static Duration period(String text) {
    Duration period = AgentConfig.duration(text);
    if (period.compareTo(SHORTEST_PERIOD) < 0
        || period.compareTo(LONGEST_PERIOD) > 0
        || period.toMillisPart() != 0) {
      throw new IllegalArgumentException(
          "The period ("
              + text
              + ") must be 1 to 10 whole seconds: hosts announce once a second. Maybe 2s.");
    }
    return period;
  }

  private static InetSocketAddress group(String text) {
    Matcher matcher = GROUP.matcher(text);
    int port = matcher.matches() ? Integer.parseInt(matcher.group(2)) : 0;
    if (port > 0 && port <= 65_535) {
      try {
        // Only a literal, which is not looked up.
        InetAddress address = InetAddress.getByName(matcher.group(1));
        if (address.isMulticastAddress()) {
          return new InetSocketAddress(address, port);
        }
      } catch (UnknownHostException e) {
        throw noGroup(text);
      }
    }
    throw noGroup(text);
  }

  private static IllegalArgumentException noGroup(String text) {
    return new IllegalArgumentException(
        "The group ("
            + text
            + ") is no multicast address and port. Maybe you meant "
            + ConfigKey.GROUP_ADDRESS.byDefault()
            + ".");
  }
}
