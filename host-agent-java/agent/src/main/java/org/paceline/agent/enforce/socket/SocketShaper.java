package org.paceline.agent.enforce.socket;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.enforce.InheritedState;
import org.paceline.agent.enforce.ManagedInterface;
import org.paceline.agent.enforce.Shaper;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RuleSet;

/**
 * Sockets of other processes, each told by itself how fast it may send (SO_MAX_PACING_RATE): the
 * kernel's TCP then spaces its packets, without any queue or program at the interface. A
 * conversation's rate is divided evenly among its sockets, and anew when one comes or goes, so that
 * together they never have more. TCP only: datagrams nothing in the kernel would space.
 */
public final class SocketShaper implements Shaper {
  private final Path file;
  private final SocketLimits limits;
  private final Map<Integer, SharedRate> classes = new LinkedHashMap<>();
  private final Map<ClassKey, SharedRate> places = new HashMap<>();
  private final Map<String, Long> newcomers = new HashMap<>();
  private Optional<SocketRecords> records = Optional.empty();

  /**
   * @param file where it is written down which sockets were told a rate
   */
  public SocketShaper(Path file) throws IOException {
    this.file = file;
    this.limits = SocketLimits.open();
  }

  /** Goes on with the very sockets where there are some. */
  @Override
  public void begin(Collection<String> devices, RuleSet rules, Optional<InheritedState> inherited)
      throws IOException {
    List<SocketRecord> left = inherited.isEmpty() ? List.of() : limits.holding(file, devices);
    for (SocketRecord one : left) {
      SharedRate shared = shared(one.minor());
      shared.grant(one.device(), one.classRate());
      shared.add(PacedSocket.inherited(one));
      places.put(ClassKey.of(one.flow(), RuleSet.Coverage.SOCKET), shared);
    }
    records = Optional.of(SocketRecords.begin(file, left));
  }

  private SharedRate shared(int minor) {
    return classes.computeIfAbsent(minor, SharedRate::new);
  }

  /** Nobody can take it away: it is in the sockets. */
  @Override
  public void root(String device) {
    newcomers.putIfAbsent(device, 0L);
  }

  /** The kernel counts whole bytes. */
  @Override
  public long expressible(String device, long bitsPerSecond) {
    return Math.max(Byte.SIZE, bitsPerSecond - bitsPerSecond % Byte.SIZE);
  }

  @Override
  public List<String> apply(String device, ClassChanges changes) throws IOException {
    Set<SharedRate> changed = new HashSet<>();
    Map<Integer, ClassRate> rates = new HashMap<>(changes.added());
    rates.putAll(changes.changed());
    changes.removed().forEach(minor -> rates.put(minor, ClassRate.of(0)));
    rates.forEach(
        (minor, rate) -> {
          if (minor == ClassIds.NEWCOMERS) {
            newcomers.put(device, rate.bitsPerSecond());
          } else {
            SharedRate shared = shared(minor);
            shared.grant(device, rate.bitsPerSecond());
            changed.add(shared);
          }
        });
    return settle(changed, List.of());
  }

  /** What the kernel shows decides what each socket has to be told. */
  private List<String> settle(Collection<SharedRate> changed, Collection<PacedSocket> left)
      throws IOException {
    List<String> complaints = limits.settle(changed, left, written());
    if (changed.stream().anyMatch(shared -> shared.rate() > 0 && shared.sendsDatagrams())) {
      complaints.add("It sends datagrams too, which cannot be paced by their sockets.");
    }
    classes.values().removeIf(SharedRate::isEmpty);
    return complaints;
  }

  private SocketRecords written() {
    return records.orElseThrow(() -> new IllegalStateException("nothing was begun"));
  }

  @Override
  public Map<Integer, ClassStatistics> all(String device) throws IOException {
    List<PacedSocket> held = new ArrayList<>();
    for (SharedRate shared : classes.values()) {
      if (shared.isHeldOn(device)) {
        held.addAll(shared.sockets());
      }
    }
    limits.look(held);
    Map<Integer, ClassStatistics> all = some(device, List.copyOf(classes.keySet()));
    Optional.ofNullable(newcomers.get(device))
        .ifPresent(
            rate ->
                all.put(
                    ClassIds.NEWCOMERS,
                    new ClassStatistics(ClassIds.NEWCOMERS, ClassRate.of(rate), 0, 0, 0, 0)));
    return all;
  }

  /** Asked after what was just told, which was read back then. */
  @Override
  public Map<Integer, ClassStatistics> some(String device, Collection<Integer> minors) {
    Map<Integer, ClassStatistics> found = new HashMap<>();
    for (Integer minor : minors) {
      SharedRate shared = classes.get(minor);
      if (shared != null && shared.isHeldOn(device)) {
        found.put(minor, shared.statistics());
      }
    }
    return found;
  }

  /** Each key is one socket's. Also a look for those whose holders were not found before. */
  @Override
  public void classify(Map<ClassKey, Integer> put, Collection<ClassKey> taken, List<Flow> forgotten)
      throws IOException {
    Set<SharedRate> changed = new HashSet<>();
    Map<Flow, PacedSocket> left = new HashMap<>();
    for (ClassKey key : taken) {
      Optional.ofNullable(places.remove(key))
          .ifPresent(shared -> leave(key, shared, left, changed));
    }
    put.forEach(
        (key, minor) -> {
          SharedRate shared = shared(minor);
          Optional<SharedRate> before = Optional.ofNullable(places.put(key, shared));
          if (before.filter(shared::equals).isEmpty()) {
            before.ifPresent(other -> leave(key, other, left, changed));
            join(key, shared, left);
            changed.add(shared);
          }
        });
    for (SharedRate shared : classes.values()) {
      if (!shared.isHeld() || shared.isAwaited()) {
        changed.add(shared);
      }
    }
    if (!changed.isEmpty() || !left.isEmpty()) {
      settle(changed, left.values());
    }
  }

  private static void leave(
      ClassKey key, SharedRate shared, Map<Flow, PacedSocket> left, Set<SharedRate> changed) {
    shared.letDatagramsGo(key);
    shared.remove(flow(key)).ifPresent(socket -> left.put(socket.flow(), socket));
    changed.add(shared);
  }

  private static void join(ClassKey key, SharedRate shared, Map<Flow, PacedSocket> left) {
    if (key.transport() == Transport.UDP) {
      shared.addDatagrams(key);
      return;
    }
    Flow flow = flow(key);
    // What leaves one conversation for another still has the rate of its own.
    PacedSocket socket =
        Optional.ofNullable(left.remove(flow))
            .orElseGet(() -> new PacedSocket(flow, shared.device()));
    shared.add(socket);
  }

  private static Flow flow(ClassKey key) {
    return new Flow(key.transport(), key.local(), key.localPort(), key.remote(), key.remotePort());
  }

  /** New sockets send nothing through this that could tell of them. */
  @Override
  public boolean hearsFirstPackets() {
    return false;
  }

  @Override
  public List<Long> helpers() {
    return List.of();
  }

  /** What an agent that was killed left; empty where it did not pace by sockets. */
  public static Optional<InheritedState> left(Collection<ManagedInterface> interfaces, Path file)
      throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Map<String, Map<Integer, ClassStatistics>> found = new HashMap<>();
    Map<ClassKey, Integer> keys = new HashMap<>();
    List<String> devices = interfaces.stream().map(ManagedInterface::name).toList();
    devices.forEach(device -> found.put(device, new HashMap<>()));
    try (SocketLimits limits = SocketLimits.open()) {
      for (SocketRecord one : limits.holding(file, devices)) {
        found
            .computeIfAbsent(one.device(), device -> new HashMap<>())
            .put(
                one.minor(),
                new ClassStatistics(one.minor(), ClassRate.of(one.classRate()), 0, 0, 0, 0));
        keys.put(ClassKey.of(one.flow(), RuleSet.Coverage.SOCKET), one.minor());
      }
    }
    return Optional.of(new InheritedState(found, keys));
  }

  /** Every socket has its own rate again, as far as it is still open. */
  @Override
  public void close() throws IOException {
    try (limits) {
      if (records.isPresent()) {
        List<PacedSocket> all = new ArrayList<>();
        classes.values().forEach(shared -> all.addAll(shared.sockets()));
        classes.values().forEach(shared -> shared.grant(shared.device(), 0));
        settle(List.copyOf(classes.values()), List.of());
        records.get().close();
      }
    }
  }
}
