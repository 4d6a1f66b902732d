package org.paceline.agent.enforce.htb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.posix.Command;

/** Sorts packets into classes in the network namespace that it is started in. */
public final class ElementsInScratch {
  private static final int MANY = 5_000;

  private ElementsInScratch() {}

  public static void main(String[] words) throws Exception {
    Map<ClassKey, Integer> some = new HashMap<>();
    for (Transport transport : Transport.values()) {
      for (String prefix : List.of("10.1.2.", "2001:db8::")) {
        for (RuleSet.Coverage coverage : RuleSet.Coverage.values()) {
          Flow flow = flow(transport, prefix + 3, 40_000, prefix + 4, 443);
          some.put(ClassKey.of(flow, coverage), 0xfff0 + some.size());
        }
      }
    }
    assertThat(some).hasSize(12);
    String asNft = installed(some);
    installed(Map.of());
    try (ClassifierElements elements = ClassifierElements.open()) {
      elements.change(Map.of(), List.of(), List.of());
      elements.change(some, List.of(), List.of());
      assertThat(shown()).isEqualTo(asNft);

      replaced(elements, some);
      refused(elements, some);
      announcedAgain(elements);
      many(elements);
      elements.change(Map.of(), some.keySet(), List.of());
      assertThat(shown()).doesNotContain("elements");
      Command.require("nft", "delete", "table", "inet", Classifier.TABLE);
      assertThatThrownBy(() -> elements.change(some, List.of(), List.of()))
          .isInstanceOf(IOException.class)
          .hasMessage("nftables refused to sort packets: No such file or directory");
    }
  }

  /** What is taken and put again in one transaction is there with its new class. */
  private static void replaced(ClassifierElements elements, Map<ClassKey, Integer> some)
      throws Exception {
    some.replaceAll((key, minor) -> minor - 0x100);
    elements.change(some, Set.copyOf(some.keySet()), List.of());
    String changed = shown();
    assertThat(changed).isEqualTo(installed(some));
  }

  /** All or nothing, and what comes after a refusal is carried out. */
  private static void refused(ClassifierElements elements, Map<ClassKey, Integer> some)
      throws Exception {
    ClassKey other = key(1);
    String before = shown();
    assertThatThrownBy(() -> elements.change(Map.of(other, 7), List.of(key(2)), List.of()))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("nftables refused to sort packets: ");
    Map<ClassKey, Integer> second = new HashMap<>();
    some.keySet().forEach(key -> second.put(key, 3));
    assertThatThrownBy(() -> elements.change(second, List.of(), List.of()))
        .isInstanceOf(IOException.class);
    assertThat(shown()).isEqualTo(before);
    elements.change(Map.of(other, 7), List.of(), List.of());
    elements.change(Map.of(), List.of(other), List.of());
    assertThat(shown()).isEqualTo(before);
  }

  /** Whether a flow was seen before or not, it is not known any more. */
  private static void announcedAgain(ClassifierElements elements) throws Exception {
    Flow seen = flow(Transport.TCP, "10.0.0.1", 5, "10.0.0.2", 6);
    Flow unseen = flow(Transport.UDP, "2001:db8::1", 5, "2001:db8::2", 6);
    Command.require("nft", "add element inet paceline seen4 { tcp . 10.0.0.1 . 5 . 10.0.0.2 . 6 }");
    elements.change(Map.of(), List.of(), List.of(seen, unseen));
    assertThat(Command.run("nft", "list", "table", "inet", Classifier.TABLE).output())
        .doesNotContain("10.0.0.1", "2001:db8::1");
  }

  private static void many(ClassifierElements elements) throws Exception {
    Map<ClassKey, Integer> all = new HashMap<>();
    for (int i = 0; i < MANY; i++) {
      all.put(key(i), i);
    }
    elements.change(all, List.of(), List.of());
    assertThat(shown().split(" : ace1:", -1)).hasSizeGreaterThan(MANY);
    elements.change(Map.of(), all.keySet(), List.of());
  }

  private static ClassKey key(int number) throws IOException {
    return ClassKey.of(
        flow(Transport.TCP, "192.0.2.1", 80, "198.51.100.1", 1 + number), RuleSet.Coverage.SOCKET);
  }

  private static Flow flow(
      Transport transport, String local, int localPort, String remote, int remotePort)
      throws IOException {
    return new Flow(
        transport,
        InetAddress.getByName(local),
        localPort,
        InetAddress.getByName(remote),
        remotePort);
  }

  private static String installed(Map<ClassKey, Integer> elements) throws IOException {
    Classifier.install(List.of("lo"), new RuleSet(List.of(), false), elements);
    return shown();
  }

  /** Sorted, for a hash table's order says nothing. */
  private static String shown() throws IOException {
    StringBuilder shown = new StringBuilder();
    for (String map : List.of("remote4", "local4", "exact4", "remote6", "local6", "exact6")) {
      String text = Command.run("nft", "list", "map", "inet", Classifier.TABLE, map).output();
      List<String> lines = List.of(text.split("[\n,]|elements = \\{", -1));
      shown.append(map).append(text.contains("elements") ? " elements" : "").append('\n');
      lines.stream()
          .map(line -> line.replace("}", "").trim())
          .filter(line -> line.contains(" : "))
          .sorted()
          .forEach(line -> shown.append(line).append('\n'));
    }
    return shown.toString();
  }
}
