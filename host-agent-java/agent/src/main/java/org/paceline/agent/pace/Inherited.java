package org.paceline.agent.pace;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.paceline.agent.NotYet;
import org.paceline.agent.sense.Direction;
import org.paceline.agent.sense.Transport;

/**
 * What an agent that was killed left in the kernel, for the next one to go on with: the classes
 * with their rates, and by what packets find them. Nothing else remembers it, so it is true.
 *
 * @param classes by interface and minor number
 * @param keys each with the minor number of its class
 */
public record Inherited(
    Map<String, Map<Integer, ClassStatistics>> classes, Map<ClassKey, Integer> keys) {
  private static final Pattern MAP = Pattern.compile("\\s*map (local|remote|exact)([46]) \\{");
  private static final Pattern ELEMENT =
      Pattern.compile(
          "(\\d+) \\. ([0-9a-f.:]+) \\. ([0-9a-f.:]+) \\. ([0-9a-f.:]+)(?: \\. (\\d+))? : "
              + Pacer.HANDLE
              + "([0-9a-f]+)");
  private static final String TCP = "6";

  /** A class that goes on. */
  public record Place(int minor, long rateBitsPerSecond) {}

  /**
   * Takes from the guardian what an agent that was killed has left. What cannot be gone on with is
   * removed, so that a refusal from now on leaves the host clean.
   */
  public static Optional<Inherited> takeOver(
      EnforcerChoice choice, List<ManagedInterface> interfaces, StateFile state)
      throws IOException {
    List<ManagedInterface> left = state.leftBehind();
    boolean taken = state.takeOver();
    if (!taken && state.cleaning().isPresent()) {
      throw new NotYet("An earlier agent's guardian has begun to clean up.");
    }
    if (taken && names(left).equals(names(interfaces))) {
      Optional<Inherited> found = read(choice.kind(), interfaces, state);
      if (found.isPresent()) {
        return Optional.of(choice.limitsIncoming() ? found.get().withIncoming() : found.get());
      }
    }
    List<ManagedInterface> all = new ArrayList<>(left);
    interfaces.stream().filter(i -> !names(left).contains(i.name())).forEach(all::add);
    SocketLimits.restore(state.sockets());
    Command.run("sh", "-c", Guardian.removal(all));
    state.forget();
    return Optional.empty();
  }

  private Inherited withIncoming() throws IOException {
    Optional<Inherited> incoming = IncomingQueues.left();
    Map<String, Map<Integer, ClassStatistics>> allClasses = new HashMap<>(classes);
    Map<ClassKey, Integer> allKeys = new HashMap<>(keys);
    incoming.ifPresent(
        in -> {
          allClasses.putAll(in.classes());
          allKeys.putAll(in.keys());
        });
    return new Inherited(allClasses, allKeys);
  }

  /** Without the keys of the other direction. */
  Inherited only(Direction way) {
    Map<ClassKey, Integer> own = new HashMap<>(keys);
    own.keySet().removeIf(key -> key.direction() != way);
    return new Inherited(classes, own);
  }

  private static Set<String> names(List<ManagedInterface> interfaces) {
    return interfaces.stream().map(ManagedInterface::name).collect(Collectors.toSet());
  }

  /** Empty where an interface has no root of ours any more: there is nothing to go on with. */
  private static Optional<Inherited> read(
      EnforcerKind kind, List<ManagedInterface> interfaces, StateFile state) throws IOException {
    return switch (kind) {
      case EDT -> DepartureTimes.left(interfaces);
      case HTB -> classes(interfaces);
      case SOCKET -> SocketRates.left(interfaces, state);
      case NONE -> Optional.empty();
    };
  }

  private static Optional<Inherited> classes(List<ManagedInterface> interfaces) throws IOException {
    Map<String, Map<Integer, ClassStatistics>> classes = new HashMap<>();
    try (KernelClasses kernel = KernelClasses.open()) {
      for (ManagedInterface managed : interfaces) {
        Map<Integer, ClassStatistics> found = kernel.all(managed.name());
        if (!found.containsKey(Pacer.NEWCOMERS)) {
          return Optional.empty();
        }
        classes.put(managed.name(), found);
      }
    }
    Command.Outcome table =
        Command.run("nft", "--numeric", "list", "table", "inet", Classifier.TABLE);
    return table.ok() && !classes.isEmpty()
        ? Optional.of(new Inherited(classes, parse(table.output(), Direction.OUT)))
        : Optional.empty();
  }

  static Map<ClassKey, Integer> parse(String table, Direction way) throws IOException {
    Map<ClassKey, Integer> keys = new HashMap<>();
    String kind = "";
    for (String line : table.split("\n", -1)) {
      Matcher map = MAP.matcher(line);
      if (map.matches()) {
        kind = map.group(1);
      }
      Matcher element = ELEMENT.matcher(line);
      while (element.find()) {
        keys.put(key(kind, element, way), Integer.parseInt(element.group(6), 16));
      }
    }
    return keys;
  }

  private static ClassKey key(String kind, Matcher element, Direction way) throws IOException {
    Transport transport = element.group(1).equals(TCP) ? Transport.TCP : Transport.UDP;
    InetAddress local = InetAddress.getByName(element.group(2));
    String second = element.group(3);
    String third = element.group(4);
    return switch (kind) {
      case "local" ->
          new ClassKey(transport, local, port(second), InetAddress.getByName(third), 0, way);
      case "remote" ->
          new ClassKey(transport, local, 0, InetAddress.getByName(second), port(third), way);
      default ->
          new ClassKey(
              transport,
              local,
              port(second),
              InetAddress.getByName(third),
              port(Optional.ofNullable(element.group(5)).orElse("0")),
              way);
    };
  }

  private static int port(String text) throws IOException {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IOException("nft printed (" + text + ") where a port belongs", e);
    }
  }

  public Optional<Place> place(String device, ClassKey key) {
    return Optional.ofNullable(keys.get(key))
        .flatMap(minor -> Optional.ofNullable(classes.getOrDefault(device, Map.of()).get(minor)))
        .map(c -> new Place(c.minor(), c.rateBitsPerSecond()));
  }

  /** The numbers of conversations' classes. */
  public Set<Integer> minors() {
    Set<Integer> minors = new TreeSet<>();
    classes.values().forEach(c -> minors.addAll(c.keySet()));
    minors.remove(Pacer.NEWCOMERS);
    return minors;
  }

  /**
   * By what TCP sockets find their classes. A UDP socket that serves many peers shows none of them:
   * its next packet has to announce it again.
   */
  Map<ClassKey, Integer> lasting() {
    Map<ClassKey, Integer> lasting = new HashMap<>(keys);
    lasting.keySet().removeIf(key -> key.transport() == Transport.UDP);
    return lasting;
  }

  /** Those of {@link #lasting} that no conversation uses any more. */
  public Map<ClassKey, Integer> stale(Set<ClassKey> used) {
    Map<ClassKey, Integer> stale = lasting();
    stale.keySet().removeAll(used);
    return stale;
  }
}
