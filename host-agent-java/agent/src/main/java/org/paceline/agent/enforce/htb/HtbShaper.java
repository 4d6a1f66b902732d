package org.paceline.agent.enforce.htb;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.enforce.HelperProcesses;
import org.paceline.agent.enforce.InheritedState;
import org.paceline.agent.enforce.ManagedInterface;
import org.paceline.agent.enforce.Shaper;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.FirstPacket;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.netlink.Netlink;
import org.paceline.agent.posix.Command;

/** HTB: a class a conversation, to which nftables maps sort packets. */
public final class HtbShaper implements Shaper {
  private final KernelClasses kernel;
  private final ClassifierElements elements;
  private final Consumer<FirstPacket> firstPackets;
  private final HelperProcesses helpers;
  private List<String> devices = List.of();
  private RuleSet rules = new RuleSet(List.of(), false);
  private Optional<FirstPacketMonitor> monitor = Optional.empty();
  // Of an agent before pools: its classes are the root's, and no class can be moved.
  private final Set<String> withoutPool = new HashSet<>();

  public HtbShaper(HelperProcesses helpers, Consumer<FirstPacket> firstPackets) throws IOException {
    this.kernel = KernelClasses.open();
    try {
      this.elements = ClassifierElements.open();
    } catch (IOException e) {
      kernel.close();
      throw e;
    }
    this.helpers = helpers;
    this.firstPackets = firstPackets;
  }

  /** Why this program cannot have what it needs of netlink; empty where it can. */
  public static Optional<String> obstacle() {
    try {
      KernelClasses.open().close();
      ClassifierElements.open().close();
      return Optional.empty();
    } catch (IOException | LinkageError e) {
      return Optional.of("netlink cannot be used: " + e.getMessage());
    }
  }

  @Override
  public void begin(Collection<String> devices, RuleSet rules, Optional<InheritedState> inherited)
      throws IOException {
    if (inherited.isEmpty()) {
      for (String device : devices) {
        Command.run("tc", "qdisc", "del", "dev", device, "root", "handle", ClassIds.HANDLE);
        if (Netlink.index(device).isPresent()) {
          root("replace", device);
        }
      }
    }
    inherited.ifPresent(left -> left.classes().forEach(this::found));
    this.devices = List.copyOf(devices);
    this.rules = rules;
    elements.begin(inherited.map(InheritedState::lasting).orElse(Map.of()));
    Classifier.install(devices, rules, elements.wanted());
    listen();
  }

  private void found(String device, Map<Integer, ClassStatistics> classes) {
    if (!classes.containsKey(ClassIds.POOL)) {
      withoutPool.add(device);
    }
  }

  @Override
  public void root(String device) throws IOException {
    root("add", device);
    withoutPool.remove(device);
  }

  @Override
  public boolean hasPool(String device) {
    return !withoutPool.contains(device);
  }

  @Override
  public boolean ranks(String device) {
    return true;
  }

  private static void root(String how, String device) throws IOException {
    Command.require(
        "tc",
        "qdisc",
        how,
        "dev",
        device,
        "root",
        "handle",
        ClassIds.HANDLE,
        "htb",
        "default",
        "0");
  }

  private void listen() throws IOException {
    FirstPacketMonitor heard = FirstPacketMonitor.listen(Classifier.TABLE, firstPackets);
    monitor = Optional.of(heard);
    helpers.alsoEnd(heard.pid());
  }

  @Override
  public long expressible(String device, long bitsPerSecond) {
    return TcRate.atMost(bitsPerSecond);
  }

  @Override
  public List<String> apply(String device, ClassChanges changes) throws IOException {
    if (!elements.haveTable()) {
      // A firewall that loads its rules most often flushes everybody's before.
      Classifier.install(devices, rules, elements.wanted());
    }
    return kernel.apply(device, changes, hasPool(device) ? ClassIds.POOL : 0);
  }

  @Override
  public Map<Integer, ClassStatistics> all(String device) throws IOException {
    return kernel.all(device);
  }

  @Override
  public Map<Integer, ClassStatistics> some(String device, Collection<Integer> minors)
      throws IOException {
    return kernel.some(device, minors);
  }

  @Override
  public boolean restsClasses(String device) {
    return true;
  }

  @Override
  public void classify(Map<ClassKey, Integer> put, Collection<ClassKey> taken, List<Flow> forgotten)
      throws IOException {
    elements.change(put, taken, forgotten);
  }

  /** Starts the monitor anew where it ended. */
  @Override
  public boolean hearsFirstPackets() throws IOException {
    if (monitor.map(FirstPacketMonitor::isAlive).orElse(false)) {
      return true;
    }
    monitor.ifPresent(FirstPacketMonitor::close);
    listen();
    return false;
  }

  @Override
  public List<Long> helpers() {
    return monitor.map(FirstPacketMonitor::pid).stream().toList();
  }

  /** What an agent that was killed left; empty where an interface has no root of ours any more. */
  public static Optional<InheritedState> left(List<ManagedInterface> interfaces)
      throws IOException {
    Map<String, Map<Integer, ClassStatistics>> classes = new HashMap<>();
    try (KernelClasses kernel = KernelClasses.open()) {
      for (ManagedInterface managed : interfaces) {
        Map<Integer, ClassStatistics> found = kernel.all(managed.name());
        if (!found.containsKey(ClassIds.NEWCOMERS)) {
          return Optional.empty();
        }
        classes.put(managed.name(), found);
      }
    }
    Command.Outcome table =
        Command.run("nft", "--numeric", "list", "table", "inet", Classifier.TABLE);
    return table.ok() && !classes.isEmpty()
        ? Optional.of(new InheritedState(classes, NftListing.parse(table.output(), Direction.OUT)))
        : Optional.empty();
  }

  @Override
  public void close() {
    monitor.ifPresent(FirstPacketMonitor::close);
    elements.close();
    kernel.close();
  }
}
