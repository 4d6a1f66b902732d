package org.paceline.agent.enforce.htb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassRate;
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
      Map<Integer, ClassRate> wanted = new TreeMap<>();
      for (int i = 1; i <= CLASSES; i++) {
        // From a byte a second to more than 32 bits can say.
        wanted.put(i * 65, rate(Math.round(8 * Math.pow(10, 10.0 * i / CLASSES)), i));
      }
      assertThat(kernel.apply(DEVICE, ClassChanges.between(Map.of(), wanted))).isEmpty();
      assertThat(rates(kernel)).isEqualTo(wanted);
      assertThat(shown("class")).contains("class htb ace1:41 ", "rate 80Gbit");
      assertThat(shown("qdisc")).contains(queue("parent ace1:41 "));
      String made = "qdisc " + kind() + " ";
      assertThat(shown("qdisc").lines().filter(line -> line.startsWith(made))).hasSize(CLASSES);

      wanted.replaceAll((minor, rate) -> rate(rate.bitsPerSecond() * 2, minor + 1));
      wanted.keySet().removeIf(minor -> minor % 2 == 0);
      assertThat(kernel.apply(DEVICE, ClassChanges.between(rates(kernel), wanted))).isEmpty();
      assertThat(rates(kernel)).isEqualTo(wanted);
      assertThat(kernel.some(DEVICE, List.of(65, 66)).keySet()).containsExactly(65);
      assertThat(kernel.some(DEVICE, wanted.keySet())).isEqualTo(kernel.all(DEVICE));

      sameAsTc(kernel, ClassRate.of(8_000_000));
      sameAsTc(kernel, ClassRate.of(3_000_000_000L));
      sameAsTc(kernel, ClassRate.upTo(8_000_000, 80_000_000_000L));
      sameAsTc(kernel, ClassRate.upTo(8_000_000, 80_000_000, 5));
      failures(kernel, wanted);
      inAPool(kernel, rates(kernel));
    }
  }

  /** Every other one with a ceiling. */
  private static ClassRate rate(long bitsPerSecond, int number) {
    long ceiling = number % 2 == 0 ? bitsPerSecond : bitsPerSecond * 3;
    return ClassRate.upTo(TcRate.atMost(bitsPerSecond), TcRate.atMost(ceiling), number % 8);
  }

  private static Map<Integer, ClassRate> rates(KernelClasses kernel) throws Exception {
    Map<Integer, ClassRate> rates = new HashMap<>();
    kernel.all(DEVICE).forEach((minor, c) -> rates.put(minor, c.rate()));
    return rates;
  }

  private static String shown(String what) throws Exception {
    return Command.run("tc", what, "show", "dev", DEVICE).output();
  }

  /** A class that this program makes has every parameter of one that tc makes. */
  private static void sameAsTc(KernelClasses kernel, ClassRate rate) throws Exception {
    Map<Integer, ClassRate> one = Map.of(0xf001, rate);
    assertThat(kernel.apply(DEVICE, ClassChanges.between(Map.of(), one))).isEmpty();
    String ours = line("ace1:f001");
    kernel.apply(DEVICE, ClassChanges.between(one, Map.of()));
    long ceiling = rate.ceilingBitsPerSecond();
    String same = rate.bitsPerSecond() + "bit burst " + HtbClass.burst(rate.bitsPerSecond());
    String most = " ceil " + ceiling + "bit cburst " + HtbClass.burst(ceiling);
    String line = "class add dev lo parent ace1: classid ace1:f001 htb rate " + same + most;
    String turn = " quantum " + HtbClass.quantum(rate) + " prio " + rate.rank();
    Command.run(("tc " + line + turn).split(" ", -1));
    Command.run(("tc qdisc add dev lo parent ace1:f001 " + kind() + " limit 1000").split(" ", -1));
    assertThat(ours).isEqualTo(line("ace1:f001")).contains(" rate ");
    kernel.apply(DEVICE, ClassChanges.between(one, Map.of()));
  }

  /** What serves sockets in turn, on kernels that have it. */
  private static String kind() throws Exception {
    boolean turns =
        Command.run("unshare", "--net", "tc", "qdisc", "add", "dev", "lo", "root", "fq").ok();
    return turns ? "fq" : "pfifo";
  }

  private static List<String> queue(String where) throws Exception {
    return kind().equals("pfifo")
        ? List.of(where + "limit 1000p")
        : List.of(
            where + "limit 1000p flow_limit 1000p buckets 16 ",
            " nopacing quantum 1514b initial_quantum 1514b ");
  }

  private static String line(String handle) throws Exception {
    return Command.run("tc", "-d", "class", "show", "dev", DEVICE)
        .output()
        .lines()
        .filter(line -> line.startsWith("class htb " + handle + " "))
        // The number of its queue is the kernel's own.
        .map(line -> line.replaceFirst("leaf \\S+", "leaf"))
        .findFirst()
        .orElse("none");
  }

  /** The pool's class is made before its children, and is none of them. */
  private static void inAPool(KernelClasses kernel, Map<Integer, ClassRate> before)
      throws Exception {
    Map<Integer, ClassRate> wanted = new HashMap<>(before);
    wanted.put(ClassIds.POOL, ClassRate.of(0));
    wanted.put(ClassIds.NEWCOMERS, ClassRate.of(8_000_000));
    wanted.put(7, ClassRate.of(8_000_000));
    assertThat(kernel.apply(DEVICE, ClassChanges.between(before, wanted), ClassIds.POOL)).isEmpty();
    assertThat(rates(kernel)).isEqualTo(wanted);
    assertThat(line("ace1:fffd")).contains(" root ", "rate 20Tbit");
    assertThat(line("ace1:7")).contains(" parent ace1:fffd ");
    assertThat(line("ace1:fffe")).contains(" root ");

    wanted.put(ClassIds.POOL, ClassRate.of(80_000_000));
    wanted.put(7, ClassRate.upTo(8_000_000, 80_000_000));
    kernel.apply(DEVICE, ClassChanges.between(rates(kernel), wanted), ClassIds.POOL);
    assertThat(kernel.some(DEVICE, List.of(ClassIds.POOL, 7))).hasSize(2);
    assertThat(rates(kernel)).isEqualTo(wanted);
    assertThat(line("ace1:7")).contains(" parent ace1:fffd ", "rate 8Mbit ceil 80Mbit");
  }

  /** What cannot be done is said, and the rest is done. */
  private static void failures(KernelClasses kernel, Map<Integer, ClassRate> wanted)
      throws Exception {
    Map<Integer, ClassRate> more = new HashMap<>(wanted);
    more.put(0xf002, ClassRate.of(8_000_000));
    Map<Integer, ClassRate> believed = new HashMap<>(wanted);
    believed.put(0xf003, ClassRate.of(8_000_000));
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
