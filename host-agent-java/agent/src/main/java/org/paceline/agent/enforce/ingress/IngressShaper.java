package org.paceline.agent.enforce.ingress;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.enforce.InheritedState;
import org.paceline.agent.enforce.Shaper;
import org.paceline.agent.enforce.htb.Classifier;
import org.paceline.agent.enforce.htb.ClassifierElements;
import org.paceline.agent.enforce.htb.KernelClasses;
import org.paceline.agent.enforce.htb.NftListing;
import org.paceline.agent.enforce.htb.TcRate;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.netlink.Netlink;
import org.paceline.agent.posix.Command;
import org.paceline.agent.posix.ScratchNamespace;

/**
 * Holds what this host receives to its rates, for senders that nobody paces: it waits in a bounded
 * queue, and what finds that full is dropped, by which the sender slows down (Gkantsidis et al.
 * 2009, section 4). One device between the interfaces and the rest of the kernel (ifb) has an HTB
 * class for each conversation; the {@link IngressTable} leads there.
 */
public final class IngressShaper implements Shaper {
  /** One for all interfaces, and the agent's own by its name. */
  public static final String DEVICE = "paceline-in";

  private final KernelClasses kernel;
  private final ClassifierElements elements;
  private final List<String> interfaces;
  private Map<String, Integer> hungOn = Map.of();

  public IngressShaper(Collection<String> interfaces) throws IOException {
    this.interfaces = List.copyOf(interfaces);
    this.kernel = KernelClasses.ofIncoming();
    try {
      this.elements = ClassifierElements.ofIncoming();
    } catch (IOException e) {
      kernel.close();
      throw e;
    }
  }

  /** In a scratch namespace; why it does not work here, or nothing. */
  public static Optional<String> obstacle() throws IOException {
    Command.Outcome tried =
        ScratchNamespace.run(
            MAKING
                + " && tc class add dev "
                + DEVICE
                + " parent "
                + ClassIds.HANDLE
                + " classid "
                + ClassIds.text(1)
                + " htb rate 1mbit burst 1600 cburst 1600 && tc qdisc add dev "
                + DEVICE
                + " parent "
                + ClassIds.text(1)
                + " bfifo limit 70000 && nft -f -",
            IngressTable.hung(List.of("lo"), DEVICE));
    return tried.ok() ? Optional.empty() : Optional.of(tried.output().trim().replace('\n', ' '));
  }

  // What no class takes leaves unqueued, which needs no more room than others' devices have.
  private static final String MAKING =
      "ip link add "
          + DEVICE
          + " txqueuelen 1000 type ifb && ip link set "
          + DEVICE
          + " up && tc qdisc add dev "
          + DEVICE
          + " root handle "
          + ClassIds.HANDLE
          + " htb default 0";

  /** Takes it away, whoever left it; what is not there does not matter. */
  public static String removal() {
    // The table first: packets that it sends to a device that is gone are lost.
    return "nft delete table " + IngressTable.SPACE + "\nip link del " + DEVICE + "\n";
  }

  @Override
  public void begin(Collection<String> devices, RuleSet rules, Optional<InheritedState> inherited)
      throws IOException {
    boolean goesOn = inherited.filter(i -> i.classes().containsKey(DEVICE)).isPresent();
    if (!goesOn) {
      Command.run("sh", "-c", removal());
      Command.require("sh", "-c", MAKING);
    }
    elements.begin(inherited.map(i -> i.only(Direction.IN).lasting()).orElse(Map.of()));
    hang();
  }

  /** Makes the table, as far as there is a device for it to lead to. */
  private void hang() throws IOException {
    Map<String, Integer> there = present();
    if (there.containsKey(DEVICE)) {
      IngressTable.load(IngressTable.anew(hooks(there), DEVICE, elements.wanted()));
      hungOn = there;
    }
  }

  /** What the table refers to, with the numbers that it knows them by. */
  private Map<String, Integer> present() {
    Map<String, Integer> present = new TreeMap<>();
    Stream.concat(interfaces.stream(), Stream.of(DEVICE))
        .forEach(name -> Netlink.index(name).ifPresent(index -> present.put(name, index)));
    return present;
  }

  private static List<String> hooks(Map<String, Integer> present) {
    return present.keySet().stream().filter(name -> !name.equals(DEVICE)).toList();
  }

  /** Also where an interface is another one than before, though of the same name. */
  @Override
  public void root(String device) throws IOException {
    if (!kernel.all(DEVICE).containsKey(ClassIds.NEWCOMERS)) {
      Command.run("ip", "link", "del", DEVICE);
      Command.require("sh", "-c", MAKING);
    }
    hang();
  }

  @Override
  public long expressible(String device, long bitsPerSecond) {
    return TcRate.atMost(bitsPerSecond);
  }

  @Override
  public List<String> apply(String device, ClassChanges changes) throws IOException {
    if (!elements.haveTable()) {
      hang();
    }
    return kernel.apply(DEVICE, changes);
  }

  @Override
  public Map<Integer, ClassStatistics> all(String device) throws IOException {
    // Rates of classes to which nothing leads would be no truth.
    return present().equals(hungOn) ? kernel.all(DEVICE) : Map.of();
  }

  @Override
  public Map<Integer, ClassStatistics> some(String device, Collection<Integer> minors)
      throws IOException {
    return kernel.some(DEVICE, minors);
  }

  @Override
  public void classify(Map<ClassKey, Integer> put, Collection<ClassKey> taken, List<Flow> forgotten)
      throws IOException {
    elements.change(put, taken, List.of());
  }

  @Override
  public boolean hearsFirstPackets() {
    return true;
  }

  @Override
  public List<Long> helpers() {
    return List.of();
  }

  /** What an agent that was killed left; empty where there is nothing to go on with. */
  public static Optional<InheritedState> left() throws IOException {
    try (KernelClasses kernel = KernelClasses.ofIncoming()) {
      Map<Integer, ClassStatistics> classes = kernel.all(DEVICE);
      Command.Outcome table =
          Command.run("nft", "--numeric", "list", "table", "netdev", Classifier.TABLE);
      return table.ok() && classes.containsKey(ClassIds.NEWCOMERS)
          ? Optional.of(
              new InheritedState(
                  new HashMap<>(Map.of(DEVICE, classes)),
                  NftListing.parse(table.output(), Direction.IN)))
          : Optional.empty();
    }
  }

  @Override
  public void close() {
    elements.close();
    kernel.close();
  }
}
