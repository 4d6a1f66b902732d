package org.paceline.agent.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What an agent is told by its configuration file that divides ports of switches, and paces nothing
 * of its host.
 *
 * @param reportInterval how often the controller is told what is in force
 */
public record SwitchConfig(
    String hostId, ControllerAddress controller, Duration reportInterval, List<Bridge> switches) {
  private static final Pattern DEVICE = Pattern.compile("of:[0-9a-f]{16}");
  private static final Duration SHORTEST_BUFFER = Duration.ofMillis(1);
  private static final Duration LONGEST_BUFFER = Duration.ofSeconds(1);
  private static final Pattern MILLIS = Pattern.compile("(\\d{1,4})ms");
  private static final List<ConfigKey> KEYS =
      List.of(
          ConfigKey.CONTROLLER,
          ConfigKey.HOST_ID,
          ConfigKey.TLS,
          ConfigKey.REPORT_INTERVAL,
          ConfigKey.SWITCHES);

  /**
   * A switch on this machine.
   *
   * @param device as ONOS names it
   * @param ports the names of its interfaces
   * @param buffer how long a port takes to send what fits into its queues
   */
  public record Bridge(String device, List<String> ports, Duration buffer) {}

  /**
   * Reads the file where it makes the agent a switch's; empty where it makes it a host's.
   *
   * @throws FaultyFile with every fault
   */
  public static Optional<SwitchConfig> read(Path file) {
    Faults faults = new Faults(file.toString());
    YamlMap top = YamlMap.read(file, faults);
    if (!top.has(ConfigKey.SWITCHES.key())) {
      return Optional.empty();
    }
    FileRights.check(file, faults);
    Optional<String[]> controller = top.require(ConfigKey.CONTROLLER, AgentConfig::hostAndPort);
    Optional<String> hostId = top.require(ConfigKey.HOST_ID, AgentConfig::hostId);
    Optional<TlsFiles> tls =
        top.takeMap(ConfigKey.TLS).flatMap(map -> TlsFiles.read(file, map, faults));
    Duration report = top.takeOrDefault(ConfigKey.REPORT_INTERVAL, AgentConfig::duration);
    List<Bridge> switches = switches(top, faults);
    top.nothingElse(
        KEYS.stream().map(ConfigKey::key).collect(Collectors.joining(", "))
            + " beside (switches): such an agent paces nothing of its host");
    faults.throwIfAny();
    return Optional.of(
        new SwitchConfig(
            hostId.orElseThrow(),
            AgentConfig.address(controller.orElseThrow(), tls),
            report,
            switches));
  }

  private static List<Bridge> switches(YamlMap top, Faults faults) {
    List<Bridge> switches = new ArrayList<>();
    Set<String> devices = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (YamlMap item : top.takeMaps(ConfigKey.SWITCHES)) {
      Optional<String> device = item.require(ConfigKey.BRIDGE, SwitchConfig::device);
      if (!item.has(ConfigKey.PORTS.key())) {
        faults.add(item.place(), "The key (ports) is missing: which of them to divide.");
      }
      List<String> ports = item.takeAll(ConfigKey.PORTS.key(), AgentConfig::interfaceName);
      Duration buffer = item.takeOrDefault(ConfigKey.BUFFER, SwitchConfig::buffer);
      item.nothingElse(ConfigKey.names(ConfigKey.Part.BRIDGE));
      for (String port : ports) {
        if (!names.add(port)) {
          faults.add(
              item.place(), "The port (" + port + ") is named twice. Maybe it is another one.");
        }
      }
      if (device.isPresent() && !devices.add(device.get())) {
        faults.add(
            item.place(),
            "The switch (" + device.get() + ") is named twice. Maybe name all its ports once.");
      }
      device.ifPresent(id -> switches.add(new Bridge(id, ports, buffer)));
    }
    return switches;
  }

  /** Every port, with its buffer. */
  public Map<String, Duration> buffers() {
    Map<String, Duration> buffers = new LinkedHashMap<>();
    switches.forEach(one -> one.ports().forEach(port -> buffers.put(port, one.buffer())));
    return buffers;
  }

  private static String device(String text) {
    if (!DEVICE.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "The device ("
              + text
              + ") is no switch of ONOS. Maybe \"devices\" in its shell shows it, such as"
              + " of:0000000000000001.");
    }
    return text;
  }

  private static Duration buffer(String text) {
    Duration buffer =
        MILLIS.matcher(text).matches()
            ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
            : AgentConfig.duration(text);
    if (buffer.compareTo(SHORTEST_BUFFER) < 0 || buffer.compareTo(LONGEST_BUFFER) > 0) {
      throw new IllegalArgumentException(
          "The buffer (" + text + ") must be from 1ms to 1s. Maybe 50ms.");
    }
    return buffer;
  }
}
