package org.paceline.agent.enforce.htb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.posix.Command;

/** Makes, changes and removes classes in the network namespace that it is started in. */
public final class ClassesInScratch {
  private static final String DEVICE = "lo";
  private static final int CLASSES = 1_000;

  private ClassesInScratch() {}

  public static void main(String[] words) throws Exception {
    try (KernelClasses kernel = KernelClasses.open()) {
      assertThat(kernel.all(DEVICE)).isEmpty();
      Command.run("tc", "qdisc", "add", "dev", DEVICE, "root", "handle", ClassIds.HANDLE, "htb");
      Map<Integer, Long> wanted = new TreeMap<>();
      for (int i = 1; i <= CLASSES; i++) {
        // From a byte a second to more than 32 bits can say.
        wanted.put(i * 65, TcRate.atMost(Math.round(8 * Math.pow(10, 10.0 * i / CLASSES))));
      }
      assertThat(kernel.apply(DEVICE, ClassChanges.between(Map.of(), wanted))).isEmpty();
      assertThat(rates(kernel)).isEqualTo(wanted);
      assertThat(shown("class")).contains("class htb ace1:41 ", "rate 80Gbit");
      assertThat(shown("qdisc")).contains("pfifo", "parent ace1:41 limit 1000p");

      wanted.replaceAll((minor, rate) -> TcRate.atMost(rate * 2));
      wanted.keySet().removeIf(minor -> minor % 2 == 0);
      assertThat(kernel.apply(DEVICE, ClassChanges.between(rates(kernel), wanted))).isEmpty();
      assertThat(rates(kernel)).isEqualTo(wanted);
      assertThat(kernel.some(DEVICE, List.of(65, 66)).keySet()).containsExactly(65);
      assertThat(kernel.some(DEVICE, wanted.keySet())).isEqualTo(kernel.all(DEVICE));

      sameAsTc(kernel, 8_000_000);
      sameAsTc(kernel, 3_000_000_000L);
      failures(kernel, wanted);
    }
  }

  private static Map<Integer, Long> rates(KernelClasses kernel) throws Exception {
    Map<Integer, Long> rates = new HashMap<>();
    kernel.all(DEVICE).forEach((minor, c) -> rates.put(minor, c.rateBitsPerSecond()));
    return rates;
  }

  private static String shown(String what) throws Exception {
    return Command.run("tc", what, "show", "dev", DEVICE).output();
  }

  /** A class that this program makes has every parameter of one that tc makes. */
  private static void sameAsTc(KernelClasses kernel, long rate) throws Exception {
    String burst = Long.toString(HtbClass.burst(rate));
    Map<Integer, Long> one = Map.of(0xf001, rate);
    assertThat(kernel.apply(DEVICE, ClassChanges.between(Map.of(), one))).isEmpty();
    String ours = line("ace1:f001");
    kernel.apply(DEVICE, ClassChanges.between(one, Map.of()));
    String same = rate + "bit ceil " + rate + "bit burst " + burst + " cburst " + burst;
    String line = "class add dev lo parent ace1: classid ace1:f001 htb rate " + same;
    Command.run(("tc " + line + " quantum 1514").split(" ", -1));
    Command.run("tc qdisc add dev lo parent ace1:f001 pfifo limit 1000".split(" ", -1));
    assertThat(ours).isEqualTo(line("ace1:f001")).contains(" rate ");
    kernel.apply(DEVICE, ClassChanges.between(one, Map.of()));
  }

  private static String line(String handle) throws Exception {
    return Command.run("tc", "-d", "class", "show", "dev", DEVICE)
        .output()
        .lines()
        .filter(line -> line.contains(" " + handle + " "))
        // The number of its queue is the kernel's own.
        .map(line -> line.replaceFirst("leaf \\S+", "leaf"))
        .findFirst()
        .orElse("none");
  }

  /** What cannot be done is said, and the rest is done. */
  private static void failures(KernelClasses kernel, Map<Integer, Long> wanted) throws Exception {
    Map<Integer, Long> more = new HashMap<>(wanted);
    more.put(0xf002, 8_000_000L);
    Map<Integer, Long> believed = new HashMap<>(wanted);
    believed.put(0xf003, 8_000_000L);
    assertThat(kernel.apply(DEVICE, ClassChanges.between(believed, more)))
        .singleElement()
        .asString()
        .contains(DEVICE, "No such file");
    assertThat(rates(kernel)).isEqualTo(more);
    assertThat(kernel.apply("none", ClassChanges.between(Map.of(), more)))
        .containsExactly("There is no interface (none).");
    assertThat(kernel.all("none")).isEmpty();
    assertThat(kernel.some("none", List.of(65))).isEmpty();
  }
}
