package org.paceline.agent.enforce.edt;

import java.io.Closeable;
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
import java.util.function.Consumer;
import org.paceline.agent.bpf.PinnedMap;
import org.paceline.agent.bpf.RecordRing;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.enforce.InheritedState;
import org.paceline.agent.enforce.ManagedInterface;
import org.paceline.agent.enforce.Shaper;
import org.paceline.agent.flow.FirstPacket;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.netlink.Netlink;
import org.paceline.agent.posix.Command;

/**
 * Departure times: a program gives each packet the time at which its conversation's rate lets it
 * leave, and fq at the root holds it until then. No queue a conversation, no lock between them, and
 * a rate is one number in memory that the kernel shares.
 */
public final class EdtShaper implements Shaper {
  private static final long LEAST_RATE = Byte.SIZE;

  private final Consumer<FirstPacket> firstPackets;
  private final Netlink netlink;
  private final Map<String, Maps> maps = new LinkedHashMap<>();

  public EdtShaper(Consumer<FirstPacket> firstPackets) throws IOException {
    this.firstPackets = firstPackets;
    this.netlink = Netlink.route();
  }

  /** What the program of one interface works with. */
  private record Maps(Path pins, DepartureTable table, DepartureKeys keys, RecordRing ring)
      implements Closeable {
    static Maps open(String device, Consumer<FirstPacket> firstPackets) throws IOException {
      Path pins = DepartureProgram.pins(device);
      DepartureTable table = DepartureTable.open(pins);
      try {
        DepartureKeys keys = DepartureKeys.open(pins);
        try {
          return new Maps(pins, table, keys, listen(pins, device, firstPackets));
        } catch (IOException e) {
          keys.close();
          throw e;
        }
      } catch (IOException e) {
        table.close();
        throw e;
      }
    }

    static RecordRing listen(Path pins, String device, Consumer<FirstPacket> firstPackets)
        throws IOException {
      return RecordRing.listen(
          pins.resolve("first_packets"),
          record -> firstPackets.accept(DepartureKeys.sighting(record, device)));
    }

    /** What hears, anew; all else goes on. */
    Maps listenAgain(String device, Consumer<FirstPacket> firstPackets) throws IOException {
      RecordRing again = listen(pins, device, firstPackets);
      ring.close();
      return new Maps(pins, table, keys, again);
    }

    @Override
    public void close() {
      ring.close();
      keys.close();
      table.close();
    }
  }

  /** Goes on with the very maps where there are some. */
  @Override
  public void begin(Collection<String> devices, RuleSet rules, Optional<InheritedState> inherited)
      throws IOException {
    for (String device : devices) {
      Path pins = DepartureProgram.pins(device);
      if (inherited.isEmpty()) {
        DepartureProgram.load(pins);
      }
      write(DepartureRules.rows(rules), pins);
      Maps opened = Maps.open(device, firstPackets);
      maps.put(device, opened);
      if (inherited.isEmpty()) {
        Command.run("tc", "qdisc", "del", "dev", device, "root", "handle", ClassIds.HANDLE);
        if (Netlink.index(device).isPresent()) {
          root("replace", device);
        }
      } else {
        Set<ClassKey> ending = new HashSet<>(inherited.get().keys().keySet());
        ending.removeAll(inherited.get().lasting().keySet());
        opened.keys().change(Map.of(), ending, List.of());
      }
    }
  }

  public static void write(List<byte[]> rules, Path pins) throws IOException {
    try (PinnedMap map =
        PinnedMap.open(pins.resolve("rules"), Integer.BYTES, DepartureRules.BYTES)) {
      map.put(new byte[Integer.BYTES], DepartureRules.bytes(rules));
    }
  }

  @Override
  public void root(String device) throws IOException {
    root("add", device);
  }

  private void root(String how, String device) throws IOException {
    DepartureProgram.State is = DepartureProgram.state(netlink, device);
    Command.require("sh", "-c", DepartureProgram.attachment(how, device, on(device).pins(), is));
  }

  private Maps on(String device) {
    return Optional.ofNullable(maps.get(device))
        .orElseThrow(() -> new IllegalArgumentException("(" + device + ") is not managed."));
  }

  /** The program counts whole bytes. */
  @Override
  public long expressible(String device, long bitsPerSecond) {
    return Math.max(LEAST_RATE, bitsPerSecond - bitsPerSecond % Byte.SIZE);
  }

  @Override
  public boolean hasPool(String device) {
    return true;
  }

  @Override
  public List<String> apply(String device, ClassChanges changes) throws IOException {
    on(device).table().apply(changes);
    boolean idle = !changes.isEmpty() && !DepartureProgram.state(netlink, device).holds();
    return idle ? List.of(device + ": its queue or program is gone.") : List.of();
  }

  @Override
  public Map<Integer, ClassStatistics> all(String device) throws IOException {
    // Rates in a table that no packet meets would be no truth.
    return DepartureProgram.state(netlink, device).holds() ? on(device).table().all() : Map.of();
  }

  @Override
  public Map<Integer, ClassStatistics> some(String device, Collection<Integer> minors)
      throws IOException {
    return DepartureProgram.state(netlink, device).holds()
        ? on(device).table().some(minors)
        : Map.of();
  }

  @Override
  public void classify(Map<ClassKey, Integer> put, Collection<ClassKey> taken, List<Flow> forgotten)
      throws IOException {
    for (Maps one : maps.values()) {
      one.keys().change(put, taken, forgotten);
    }
  }

  /** Starts what hears them anew where it ended. */
  @Override
  public boolean hearsFirstPackets() throws IOException {
    for (Map.Entry<String, Maps> one : maps.entrySet()) {
      if (!one.getValue().ring().isAlive()) {
        one.setValue(one.getValue().listenAgain(one.getKey(), firstPackets));
        return false;
      }
    }
    return true;
  }

  @Override
  public List<Long> helpers() {
    return List.of();
  }

  /** What an agent that was killed left; empty where a part is missing. */
  public static Optional<InheritedState> left(Collection<ManagedInterface> interfaces)
      throws IOException {
    Map<String, Map<Integer, ClassStatistics>> classes = new HashMap<>();
    Map<ClassKey, Integer> keys = new HashMap<>();
    try (Netlink netlink = Netlink.route()) {
      for (ManagedInterface managed : interfaces) {
        Path pins = DepartureProgram.pins(managed.name());
        if (!Files.exists(pins) || !DepartureProgram.state(netlink, managed.name()).holds()) {
          return Optional.empty();
        }
        try (DepartureTable table = DepartureTable.open(pins);
            DepartureKeys found = DepartureKeys.open(pins)) {
          classes.put(managed.name(), table.all());
          keys.putAll(found.all());
        }
      }
    }
    boolean whole = classes.values().stream().allMatch(c -> c.containsKey(ClassIds.NEWCOMERS));
    return whole && !classes.isEmpty()
        ? Optional.of(new InheritedState(classes, keys))
        : Optional.empty();
  }

  @Override
  public void close() {
    new ArrayList<>(maps.values()).forEach(Maps::close);
    maps.clear();
    netlink.close();
  }
}
