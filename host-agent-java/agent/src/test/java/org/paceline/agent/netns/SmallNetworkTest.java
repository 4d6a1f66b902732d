package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Agents without a controller, real sockets, real queues, one slow uplink. */
@Tag("kernel")
class SmallNetworkTest {
  private static final String KEY = "k";

  /** Coarse, for a busy machine: how near the loop comes, the lab's scenario measures. */
  private static final double WITHIN = 0.15;

  private static final long SETTLES_MILLIS = 10_000;
  private static final long WINDOW_MILLIS = 8_000;
  private static final double MOST_CPU = 0.1;

  /** With the headers of Ethernet, and some of ARP and the like now and then. */
  private static final double MOST_ANNOUNCED_BITS_PER_SECOND = (250 + 14 + 100) * 8;

  /**
   * The paper's table 3 for B = 5 and alpha = 1, of the 0.95 that the virtual queue serves, and
   * less: on a busy machine connections that were just slowed down do not fill their rate.
   */
  private static final double LEAST_UTILISATION = 0.87 * 0.95 * (1 - WITHIN);

  @TempDir private Path directory = Path.of("");
  private SmallOffice office;
  private final List<AutoCloseable> running = new ArrayList<>();

  @BeforeAll
  static void needsRoot() throws Exception {
    InNamespaces.needsRoot();
  }

  @BeforeEach
  void build() throws Exception {
    office = new SmallOffice(directory, 3);
  }

  @AfterEach
  void tearDown() throws Exception {
    for (AutoCloseable one : running) {
      one.close();
    }
    office.close();
  }

  private <T extends AutoCloseable> T keep(T one) {
    running.add(one);
    return one;
  }

  private AgentProcess agent(int host, String key, String weights) throws Exception {
    return keep(office.agent(host, key, weights));
  }

  private static String weight(int host) {
    return "{upload: " + (host + 1) + ", voip: " + (host + 1) + "}";
  }

  private TrafficProcess upload(int host) throws Exception {
    return keep(TrafficProcess.start(office.host(host), "pour", SmallOffice.SERVER, "7000", "2"));
  }

  private void serve(int port) throws Exception {
    keep(TrafficProcess.start(office.server, "sink", Integer.toString(port)));
  }

  private TrafficProcess traffic(String kind, int host) throws Exception {
    return kind.equals("tcp")
        ? upload(host)
        : keep(
            TrafficProcess.start(
                office.host(host),
                "datagrams",
                SmallOffice.address(host),
                "5004",
                SmallOffice.SERVER));
  }

  /** Over the next seconds, in these parts of all, and all as much as the loop promises. */
  private void assertParts(String when, double... parts) throws Exception {
    double[] sent = office.sentBitsPerSecond(WINDOW_MILLIS);
    double total = Arrays.stream(sent).sum();
    System.out.printf("%s: %s kbit/s, in all %.0f%n", when, kbit(sent), total / 1e3);
    for (int h = 0; h < parts.length; h++) {
      assertThat(sent[h] / total)
          .as("%s: host %d of %s kbit/s", when, h, kbit(sent))
          .isBetween(parts[h] * (1 - WITHIN), parts[h] * (1 + WITHIN) + 0.005);
    }
    assertThat(total / SmallOffice.UPLINK).as(when).isBetween(LEAST_UTILISATION, 1.0);
  }

  private static List<Long> kbit(double[] rates) {
    return Arrays.stream(rates).mapToObj(rate -> Math.round(rate / 1e3)).toList();
  }

  @ParameterizedTest
  @CsvSource({"htb, tcp", "htb, udp", "socket, tcp"})
  void weightsOfOneToTwoToThreeAreWhatHostsSendAfterTenSeconds(String enforcer, String kind)
      throws Exception {
    serve(7000);
    List<AgentProcess> agents = new ArrayList<>();
    for (int host = 0; host < 3; host++) {
      agents.add(keep(office.agent(host, KEY, weight(host), enforcer, "uplink, direction: out")));
      agents.get(host).awaitOutput("sharing");
    }
    for (int host = 0; host < 3; host++) {
      traffic(kind, host);
    }
    Thread.sleep(SETTLES_MILLIS);
    double cpuBefore = agents.get(0).cpuSeconds();
    for (int window = 0; window < 3; window++) {
      assertParts(enforcer + " " + kind + " window " + window, 1 / 6.0, 2 / 6.0, 3 / 6.0);
    }
    double cpu = (agents.get(0).cpuSeconds() - cpuBefore) * 1e3 / (3 * WINDOW_MILLIS);
    System.out.printf("%.1f %% of a core%n", cpu * 100);
    assertThat(cpu).as("of a core").isLessThan(MOST_CPU);
  }

  @Test
  void whoIsKilledLeavesItsPartToTheOthersAndHasItAgainWhenItIsBack() throws Exception {
    serve(7000);
    List<AgentProcess> agents = new ArrayList<>();
    for (int host = 0; host < 3; host++) {
      agents.add(agent(host, KEY, weight(host)));
      agents.get(host).awaitOutput("sharing");
    }
    upload(0);
    upload(1);
    TrafficProcess third = upload(2);
    Thread.sleep(SETTLES_MILLIS);
    assertParts("all three", 1 / 6.0, 2 / 6.0, 3 / 6.0);

    third.close();
    agents.get(2).kill();
    Thread.sleep(SETTLES_MILLIS);
    assertParts("one killed", 1 / 3.0, 2 / 3.0, 0);

    AgentProcess back = agent(2, KEY, weight(2));
    back.awaitOutput("sharing");
    upload(2);
    Thread.sleep(SETTLES_MILLIS);
    assertParts("one joined", 1 / 6.0, 2 / 6.0, 3 / 6.0);

    office.plug(0, false);
    Thread.sleep(SETTLES_MILLIS);
    assertParts("one cut off", 0, 2 / 5.0, 3 / 5.0);
    office.plug(0, true);
    Thread.sleep(SETTLES_MILLIS);
    assertParts("whole again", 1 / 6.0, 2 / 6.0, 3 / 6.0);

    assertThat(agents.get(0).stop()).isZero();
    assertThat(agents.get(1).stop()).isZero();
    assertThat(back.stop()).isZero();
    for (int host = 0; host < 3; host++) {
      assertThat(
              SmallOffice.on(office.host(host), "tc", "qdisc", "show", "dev", SmallOffice.DEVICE))
          .doesNotContain("htb");
      assertThat(SmallOffice.on(office.host(host), "nft", "list", "tables"))
          .doesNotContain("paceline");
      assertThat(
              SmallOffice.on(office.host(host), "ip", "maddr", "show", "dev", SmallOffice.DEVICE))
          .doesNotContain("239.255.80.76");
      assertThat(Files.exists(InNamespaces.lockFile(office.host(host)))).isFalse();
    }
  }

  @Test
  void whoHasAnotherKeyIsIgnoredAndCounted() throws Exception {
    serve(7000);
    agent(0, KEY, weight(0)).awaitOutput("sharing");
    agent(1, KEY, weight(1)).awaitOutput("sharing");
    agent(2, "x", weight(2)).awaitOutput("sharing");
    upload(0);
    upload(1);
    Thread.sleep(SETTLES_MILLIS);
    assertParts("two of one key", 1 / 3.0, 2 / 3.0, 0);

    assertThat(office.sentBitsPerSecond(WINDOW_MILLIS)[2])
        .as("what a host says that sends nothing else")
        .isBetween(100.0, MOST_ANNOUNCED_BITS_PER_SECOND);

    String status = office.status(0);
    System.out.println(status);
    assertThat(status)
        .contains("peers: 1 share with this host")
        .containsPattern("ignored: \\d+ made with another key")
        .contains("peer " + SmallOffice.address(1))
        .doesNotContain("peer " + SmallOffice.address(2))
        .containsPattern("link uplink of 10000.0 kbit/s: rho 0\\.\\d+, price 0\\.\\d+, X \\d+");
    assertThat(office.status(2)).contains("peers: 0 share with this host");
  }

  @Test
  void moreThanTwoHundredConnectionsOfOneIntentCountAsOneAgainstSixOfAnother() throws Exception {
    serve(7001);
    serve(7002);
    agent(0, KEY, "{p2p: 1, video: 6}").awaitOutput("sharing");
    agent(1, KEY, "{p2p: 1, video: 6}").awaitOutput("sharing");
    keep(TrafficProcess.start(office.host(0), "pour", SmallOffice.SERVER, "7001", "210"));
    keep(TrafficProcess.start(office.host(1), "pour", SmallOffice.SERVER, "7002", "1"));
    Thread.sleep(SETTLES_MILLIS);
    assertParts("210 connections and one", 1 / 7.0, 6 / 7.0, 0);
    assertParts("a little later", 1 / 7.0, 6 / 7.0, 0);
  }

  /** As the paper's table 3 has it for the least and the greatest of its six, and no more. */
  @ParameterizedTest
  @CsvSource({"3, 1, 0.79, 0.819", "10, 2, 0.91, 0.962"})
  void theLoadSettlesWhereEquationFiveSays(int sharpness, int alpha, double measured, double root)
      throws Exception {
    serve(7000);
    for (int host = 0; host < 2; host++) {
      agent(host, KEY, weight(host) + "\n  B: " + sharpness + "\n  alpha: " + alpha)
          .awaitOutput("sharing");
      upload(host);
    }
    Thread.sleep(SETTLES_MILLIS);
    double[] sent = office.sentBitsPerSecond(WINDOW_MILLIS);
    double utilisation = Arrays.stream(sent).sum() / SmallOffice.UPLINK / 0.95;
    System.out.printf("B %d, alpha %d: %.3f, root %.3f%n", sharpness, alpha, utilisation, root);
    assertThat(utilisation).isBetween(measured * (1 - WITHIN), root + 0.05);
    assertThat(sent[1] / sent[0]).isBetween(2 * (1 - WITHIN), 2 * (1 + WITHIN));
  }

  /**
   * Figure 9 of the paper: what goes up must not hold up the acknowledgements of what comes down.
   */
  @Test
  void uploadsDoNotHoldUpADownload() throws Exception {
    office.limitDownlink(2 * SmallOffice.UPLINK);
    serve(7000);
    keep(TrafficProcess.start(office.server, "serve", SmallOffice.SERVER, "8080"));
    for (int host = 0; host < 3; host++) {
      agent(host, KEY, weight(host)).awaitOutput("sharing");
    }
    keep(TrafficProcess.start(office.host(0), "fetch", SmallOffice.SERVER, "8080", "2"));
    Thread.sleep(SETTLES_MILLIS);
    double alone = office.deliveredBitsPerSecond(WINDOW_MILLIS)[0];
    upload(1);
    upload(2);
    Thread.sleep(SETTLES_MILLIS);
    double beside = office.deliveredBitsPerSecond(WINDOW_MILLIS)[0];
    System.out.printf(
        "download %.0f kbit/s alone, %.0f beside uploads%n", alone / 1e3, beside / 1e3);
    assertThat(alone).isGreaterThan(1.5 * SmallOffice.UPLINK);
    assertThat(beside).isGreaterThan(0.8 * alone);
  }

  @Test
  void whatComesFromOutsideIsHeldByWhoReceivesIt() throws Exception {
    office.limitDownlink(SmallOffice.UPLINK);
    keep(TrafficProcess.start(office.server, "serve", SmallOffice.SERVER, "8080"));
    for (int host = 0; host < 2; host++) {
      String weights = "{download: " + (host + 1) + "}";
      keep(office.agent(host, KEY, weights, "htb", "downlink, direction: in"))
          .awaitOutput("sharing");
    }
    for (int host = 0; host < 2; host++) {
      keep(TrafficProcess.start(office.host(host), "fetch", SmallOffice.SERVER, "8080", "2"));
    }
    Thread.sleep(2 * SETTLES_MILLIS);
    double[] delivered = office.deliveredBitsPerSecond(WINDOW_MILLIS);
    System.out.println("delivered " + kbit(delivered) + "\n" + office.status(0));
    // What a receiver drops of it to slow the sender down was delivered too, and a sender that was
    // just slowed down does not fill its rate: 1.79 was seen on a busy machine.
    assertThat(delivered[1] / delivered[0]).isBetween(1.6, 2.4);
    assertThat((delivered[0] + delivered[1]) / SmallOffice.UPLINK).isBetween(0.75, 1.0);
  }
}
