package org.paceline.agent.config;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.paceline.agent.application.Allowances;
import org.paceline.agent.enforce.EnforcerKind;
import org.paceline.agent.naming.RuleSet;
import org.paceline.intents.unit.DataRate;

/**
 * What the agent is told by its configuration file.
 *
 * @param controller empty: the host shares with its peers alone
 * @param peers empty: without a controller nobody decides
 */
public record AgentConfig(
    String hostId,
    Optional<ControllerAddress> controller,
    InterfaceSettings interfaces,
    RuleSet rules,
    Timing timing,
    RateSettings rates,
    LocalAccess local,
    Optional<PeerSettings> peers) {
  private static final int DEFAULT_PORT = 9559;
  private static final Pattern HOST_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}");
  private static final String ANY_INTERFACE = "auto";
  private static final Pattern INTERFACE = Pattern.compile("[A-Za-z0-9_.:@-]{1,15}");
  private static final Pattern LOOPBACK =
      Pattern.compile("(127(?:\\.\\d{1,3}){3}|\\[::1]|localhost):(\\d{1,5})");
  private static final Pattern DURATION = Pattern.compile("(\\d{1,6})\\s*(ms|s)");
  // More would be a quarter of a millisecond of a wire of 1 Gbit/s.
  private static final int MOST_PACKETS_AT_ONCE = 16;
  // A shared start for a handful at once; each leaves it within some tens of milliseconds.
  private static final int NEWCOMERS_AT_ONCE = 10;

  /**
   * Where the agent answers other programs of its host.
   *
   * @param metrics where Prometheus is answered; empty: nowhere
   * @param applications what these may say themselves; empty: nothing
   */
  public record LocalAccess(
      Optional<InetSocketAddress> metrics, Optional<Allowances> applications) {}

  /**
   * Reads the configuration and the rules file it names.
   *
   * @throws FaultyFile with every fault of both
   */
  public static AgentConfig read(Path file) {
    Faults faults = new Faults(file.toString());
    FileRights.check(file, faults);
    YamlMap top = YamlMap.read(file, faults);
    if (!top.has(ConfigKey.CONTROLLER.key()) && !top.has(ConfigKey.PEERS.key())) {
      faults.add(
          top.place(),
          "The key (controller) is missing. Maybe name one, or how hosts share without (peers).");
    }
    Optional<String[]> controller = top.take(ConfigKey.CONTROLLER, AgentConfig::hostAndPort);
    Optional<PeerSettings> peers =
        top.takeMap(ConfigKey.PEERS).flatMap(map -> PeersReader.read(file, map, faults));
    Optional<String> hostId = top.require(ConfigKey.HOST_ID, AgentConfig::hostId);
    List<String> interfaces = interfaces(top, faults);
    Optional<Path> rules = top.require(ConfigKey.RULES, text -> file.resolveSibling(Path.of(text)));
    Duration scan = top.takeOrDefault(ConfigKey.SCAN_INTERVAL, AgentConfig::duration);
    Duration report = top.takeOrDefault(ConfigKey.REPORT_INTERVAL, AgentConfig::duration);
    Duration linger = top.takeOrDefault(ConfigKey.LINGER, AgentConfig::duration);
    DataRate rate = top.takeOrDefault(ConfigKey.DEFAULT_RATE, AgentConfig::positiveRate);
    DataRate newcomers =
        top.take(ConfigKey.NEWCOMERS_RATE, AgentConfig::positiveRate)
            .orElseGet(() -> rate.times(NEWCOMERS_AT_ONCE));
    OptionalInt atOnce = top.takeOrDefault(ConfigKey.PACKETS_AT_ONCE, AgentConfig::packetsAtOnce);
    DataRate safe = top.takeOrDefault(ConfigKey.SAFE_RATE, AgentConfig::positiveRate);
    boolean adopt = top.takeOrDefault(ConfigKey.ADOPT, RulesReader::yesOrNo);
    Optional<EnforcerKind> enforcer = top.takeOrDefault(ConfigKey.ENFORCER, AgentConfig::enforcer);
    Duration grace = top.takeOrDefault(ConfigKey.RESTART_GRACE, AgentConfig::duration);
    Optional<TlsFiles> tls =
        top.takeMap(ConfigKey.TLS).flatMap(map -> TlsFiles.read(file, map, faults));
    Optional<InetSocketAddress> metrics = top.take(ConfigKey.METRICS, AgentConfig::loopback);
    Optional<Allowances> applications =
        top.takeMap(ConfigKey.APPLICATIONS)
            .flatMap(map -> AllowancesReader.read(file, map, faults));
    top.nothingElse(ConfigKey.names(ConfigKey.Part.AGENT));
    Optional<RuleSet> ruleSet = rules.flatMap(path -> rules(path, faults));
    faults.throwIfAny();
    return new AgentConfig(
        hostId.orElseThrow(),
        controller.map(parts -> address(parts, tls)),
        new InterfaceSettings(interfaces, adopt, enforcer, atOnce),
        withOwnTraffic(ruleSet.orElseThrow(), controller, peers),
        new Timing(scan, report, linger, grace),
        new RateSettings(rate, newcomers, safe),
        new LocalAccess(metrics, applications),
        peers);
  }

  /** What agents say themselves is nobody's conversation. */
  private static RuleSet withOwnTraffic(
      RuleSet rules, Optional<String[]> controller, Optional<PeerSettings> peers) {
    RuleSet all =
        peers.map(p -> rules.withPeers(p.group().getAddress(), p.group().getPort())).orElse(rules);
    return controller.map(parts -> all.withController(Integer.parseInt(parts[1]))).orElse(all);
  }

  /** The same without its controller. */
  public AgentConfig byPeersAlone() {
    return new AgentConfig(
        hostId, Optional.empty(), interfaces, rules, timing, rates, local, peers);
  }

  /** None where those are meant that are there. */
  private static List<String> interfaces(YamlMap top, Faults faults) {
    List<String> names = top.takeWords(ConfigKey.INTERFACES);
    if (names.equals(List.of(ANY_INTERFACE))) {
      return List.of();
    }
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!INTERFACE.matcher(name).matches()) {
        faults.add("The interface (" + name + ") is no name of an interface.");
      } else if (name.equals(ANY_INTERFACE)) {
        faults.add(
            "The interfaces are named, and (auto) beside them. Maybe leave out one of both.");
      } else if (!seen.add(name)) {
        faults.add("The interface (" + name + ") is named twice. Maybe you meant another one.");
      }
    }
    return names;
  }

  static String interfaceName(String text) {
    if (!INTERFACE.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "The interface (" + text + ") is no name of an interface. Maybe \"ip link\" shows it.");
    }
    return text;
  }

  private static Optional<RuleSet> rules(Path path, Faults faults) {
    try {
      return Optional.of(RulesReader.read(path));
    } catch (FaultyFile e) {
      faults.addAll(e);
      return Optional.empty();
    }
  }

  static ControllerAddress address(String[] hostAndPort, Optional<TlsFiles> tls) {
    return new ControllerAddress(hostAndPort[0], Integer.parseInt(hostAndPort[1]), tls);
  }

  static String[] hostAndPort(String text) {
    int colon = text.lastIndexOf(':');
    boolean withPort = colon > 0 && text.indexOf(':') == colon || text.contains("]:");
    String host = withPort ? text.substring(0, colon) : text;
    String port = withPort ? text.substring(colon + 1) : Integer.toString(DEFAULT_PORT);
    int number = port.matches("\\d{1,5}") ? Integer.parseInt(port) : 0;
    if (host.isBlank() || number == 0 || number > 65_535) {
      throw new IllegalArgumentException(
          "The controller ("
              + text
              + ") is no host and port. Maybe you meant something like 192.0.2.1:9559.");
    }
    return new String[] {host.replaceAll("[\\[\\]]", ""), port};
  }

  /** What is told there is for this host only: nobody is asked who they are. */
  private static InetSocketAddress loopback(String text) {
    Matcher matcher = LOOPBACK.matcher(text);
    int port = matcher.matches() ? Integer.parseInt(matcher.group(2)) : 0;
    if (port == 0 || port > 65_535) {
      throw new IllegalArgumentException(
          "The address ("
              + text
              + ") is no loopback address and port. Maybe you meant 127.0.0.1:9560 or"
              + " [::1]:9560.");
    }
    return new InetSocketAddress(matcher.group(1), port);
  }

  static String hostId(String text) {
    if (!HOST_ID.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "The hostId ("
              + text
              + ") must be 1 to 64 letters, digits, '_', '.', ':' or '-'. Maybe the host's name"
              + " will do.");
    }
    return text;
  }

  private static Optional<EnforcerKind> enforcer(String text) {
    if (text.equals("auto")) {
      return Optional.empty();
    }
    for (EnforcerKind kind : EnforcerKind.values()) {
      if (kind.word().equals(text)) {
        return Optional.of(kind);
      }
    }
    throw new IllegalArgumentException(
        "The enforcer (" + text + ") is unknown. Maybe you meant auto, edt, htb, socket or none.");
  }

  static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "The duration (" + text + ") needs a unit. Maybe you meant 500ms or 2s.");
    }
    long number = Long.parseLong(matcher.group(1));
    Duration duration =
        matcher.group(2).equals("ms") ? Duration.ofMillis(number) : Duration.ofSeconds(number);
    if (duration.compareTo(Duration.ofMillis(10)) < 0) {
      throw new IllegalArgumentException(
          "The duration (" + text + ") must be at least 10ms, or the agent would do nothing else.");
    }
    return duration;
  }

  private static OptionalInt packetsAtOnce(String text) {
    if (text.equals("auto")) {
      return OptionalInt.empty();
    }
    int number = text.matches("\\d{1,2}") ? Integer.parseInt(text) : 0;
    if (number < 1 || number > MOST_PACKETS_AT_ONCE) {
      throw new IllegalArgumentException(
          "The packetsAtOnce ("
              + text
              + ") must be auto, or 1 to "
              + MOST_PACKETS_AT_ONCE
              + ". Maybe leave it out: then it goes by what is granted.");
    }
    return OptionalInt.of(number);
  }

  static DataRate positiveRate(String text) {
    DataRate rate = DataRate.parse(text);
    if (rate.bitsPerSecond() < 8_000) {
      throw new IllegalArgumentException(
          "The rate ("
              + text
              + ") is below 8kbit, at which no application starts. Maybe its unit"
              + " is wrong.");
    }
    return rate;
  }
}
