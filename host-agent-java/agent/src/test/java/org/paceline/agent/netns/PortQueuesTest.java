package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.netns.SwitchedPath.Count;
import org.paceline.agent.netns.SwitchedPath.RoundTrips;
import org.paceline.protocol.PortQueue;
import org.paceline.protocol.PortQueues;
import org.paceline.protocol.QueueCount;
import org.paceline.protocol.QueueCounts;
import org.paceline.protocol.Refusal;

/** A switch's agent, its port's two queues, and real traffic through them. */
@Tag("kernel")
class PortQueuesTest {
  private static final String SWITCH = "of:0000000000000001";
  private static final int ELEPHANT = SwitchedPath.ELEPHANTS_PORT;
  private static final int OTHER = 7002;
  private static final long MEGABIT = 1_000_000;
  private static final long PORT = 50 * MEGABIT;

  /** What the port sends in 50 ms. */
  private static final long BUFFER_BYTES = PORT / 8 / 20;

  private static final int LANES = 16;
  private static final Pattern LIMIT =
      Pattern.compile(
          "\"bfifo\"[^}]*\"parent\":\"ace1:([0-9a-f]+)\",\"options\":\\{\"limit\":(\\d+)");

  private static final String ELEPHANTS = "2";
  private static final String OTHERS = "3";
  private static final String CONTROL = "4";

  /**
   * @param match in nft's words
   * @param hex what comes after the addresses
   */
  private record Kind(String match, String hex) {}

  /** ARP, LLDP, what ONOS finds links by behind other switches, LACP, and IPv6's neighbours. */
  private static final List<Kind> KINDS =
      List.of(
          new Kind("ether type 0x0806", "0806"),
          new Kind("ether type 0x88cc", "88cc"),
          new Kind("ether type 0x8942", "8942"),
          new Kind("ether type 0x8809", "8809"),
          neighbours("nd-router-advert", "86"),
          neighbours("nd-neighbor-solicit", "87"),
          neighbours("nd-neighbor-advert", "88"));

  private static Kind neighbours(String name, String type) {
    String from = "fe80" + "0".repeat(27) + "a";
    String to = "ff02" + "0".repeat(27) + "1";
    return new Kind("icmpv6 type " + name, "86dd6000000000183aff" + from + to + type);
  }

  private static final int ROUNDS = 40;

  /** So many rounds of one frame of each kind, as a switch sends what ONOS tells it to. */
  private static final String SEND_FRAMES =
      """
      import socket, sys, time
      port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
      port.bind((sys.argv[1], 0))
      for _ in range(int(sys.argv[2])):
          for kind in sys.argv[3:]:
              frame = bytes.fromhex("0180c200000e02000000000a" + kind)
              try:
                  port.send(frame.ljust(78, bytes(1)))
              except OSError:
                  pass  # Its queue had no room.
          time.sleep(0.1)
      """;

  /** Coarse, for a busy machine. Shares that are another's, or none, are off by half at least. */
  private static final double WITHIN = 0.3;

  /** Of datagrams: those that share elephants' queue lose four times as many. */
  private static final double MOST_LOST = 0.1;

  /** Two processors that each forward some may overtake each other where both are busy. */
  private static final double MOST_LATE = 0.01;

  /** What TCP and the counters see of a full frame on the wire. */
  private static final double OF_THE_WIRE = 1_514.0 / 1_538;

  /** Milliseconds that who waits behind elephants waits at least: a third of what is usual. */
  private static final double QUEUED = 5;

  private static final long WINDOW_MILLIS = 2_000;
  @TempDir private Path directory = Path.of("");
  private SwitchedPath path;
  private TestController controller;
  private TrafficProcess.Group traffic;

  @BeforeAll
  static void needsRoot() throws Exception {
    InNamespaces.needsRoot();
  }

  @BeforeEach
  void build() throws Exception {
    path = new SwitchedPath();
    controller = new TestController(SwitchedPath.CONTROLLER);
    traffic = new TrafficProcess.Group();
  }

  @AfterEach
  void tearDown() throws Exception {
    traffic.close();
    controller.close();
    path.close();
  }

  private AgentProcess agent() throws Exception {
    AgentProcess agent = AgentProcess.start(path.device, List.of(), directory, config(), "");
    agent.awaitOutput("attached");
    return agent;
  }

  private String config() {
    return "hostId: rack1\ncontroller: "
        + SwitchedPath.CONTROLLER
        + ":"
        + controller.port()
        + "\nswitches: [{device: "
        + SWITCH
        + ", ports: ["
        + SwitchedPath.PORT
        + "]}]\n";
  }

  private static PortQueue shares(long elephants, long others) {
    return PortQueue.newBuilder()
        .setSwitchId(SWITCH)
        .setPort(SwitchedPath.PORT)
        .setElephantsBitsPerSecond(elephants)
        .setOthersBitsPerSecond(others)
        .setElephantDscp(elephants > 0 ? SwitchedPath.DSCP : 0)
        .build();
  }

  private static PortQueue part(double elephants) {
    long its = (long) (PORT * elephants);
    return shares(its, PORT - its);
  }

  private void divide(PortQueue shares) throws Exception {
    assertThat(controller.divide(shares).getPortsList()).containsExactly(shares);
  }

  /** TCP that sends all it can. */
  private void pour(int port, int sockets) throws Exception {
    pour(SwitchedPath.RECEIVER, port, sockets);
  }

  private void pour(String address, int port, int sockets) throws Exception {
    traffic.start(path.receiver, "sink", Integer.toString(port));
    traffic.start(path.sender, "pour", address, Integer.toString(port), Integer.toString(sockets));
  }

  /** Numbered datagrams; what answers how many came, were lost, and came late. */
  private TrafficProcess number(int port, long bitsPerSecond) throws Exception {
    TrafficProcess ear = traffic.start(path.receiver, "hear-numbers", Integer.toString(port));
    traffic.start(
        path.sender,
        "number",
        SwitchedPath.RECEIVER,
        Integer.toString(port),
        Long.toString(bitsPerSecond));
    return ear;
  }

  /**
   * Hardly any late, and few lost, but for what a receiver had no room for that got no processor
   * for a while.
   */
  private void assertArrived(String counted) throws Exception {
    String noRoom =
        SwitchedPath.on(
            path.receiver, "awk", "/^Udp:/ { last = $6 } END { print last }", "/proc/net/snmp");
    String all = counted + ", no room for " + noRoom;
    String[] words = counted.split(" ");
    double received = Double.parseDouble(words[0]);
    assertThat(received).as(all).isPositive();
    assertThat(Double.parseDouble(words[1]) - Double.parseDouble(noRoom))
        .as(all)
        .isLessThanOrEqualTo(MOST_LOST * received);
    assertThat(Double.parseDouble(words[2])).as(all).isLessThanOrEqualTo(MOST_LATE * received);
  }

  /** What two queues send in a while. */
  private record Sent(double elephants, double others) {
    @Override
    public String toString() {
      return String.format("%.2f and %.2f Mbit/s", elephants / MEGABIT, others / MEGABIT);
    }
  }

  private Sent sent() throws Exception {
    Count before = path.count();
    Thread.sleep(WINDOW_MILLIS);
    Count after = path.count();
    return new Sent(after.bitsPerSecond(before, ELEPHANTS), after.bitsPerSecond(before, OTHERS));
  }

  /** As {@link InNamespaces#await}; what was right is printed. */
  private static <T> void await(String what, Callable<T> look, Predicate<T> isSo) throws Exception {
    InNamespaces.await(
        look,
        now -> {
          System.out.println(what + ": " + now);
          return isSo.test(now);
        });
  }

  private void awaitShared(double elephants) throws Exception {
    double ratio = elephants / (1 - elephants);
    await(
        "elephants' share " + elephants,
        this::sent,
        sent -> Math.abs(sent.elephants / sent.others / ratio - 1) < WITHIN);
  }

  /** That they fill their queue. */
  private void awaitDropped(String minor) throws Exception {
    InNamespaces.await(
        () -> path.count().dropped().getOrDefault(minor, 0L), dropped -> dropped > 0);
  }

  @Test
  void greedyTrafficSharesByWeightAlsoWhenTheyChange() throws Exception {
    try (AgentProcess agent = agent()) {
      divide(part(0.7));
      pour(ELEPHANT, 1);
      pour(OTHER, 1);
      awaitShared(0.7);
      divide(part(0.25));
      awaitShared(0.25);
      assertThat(agent.stop()).isZero();
    }
    assertNothingIsLeft();
  }

  /** A lane alone may have all of the elephants' part. */
  @Test
  void theBufferIsDividedAsTheRateAndStaysTheSameInAllWhenSharesChange() throws Exception {
    try (AgentProcess agent = agent()) {
      for (double elephants : List.of(0.7, 0.25)) {
        divide(part(elephants));
        Map<String, Long> limits = limits();
        long others = limits.remove(OTHERS);
        assertThat(limits.remove(CONTROL)).isPositive();
        assertThat(others).isEqualTo(Math.round((1 - elephants) * BUFFER_BYTES));
        assertThat(limits).hasSize(LANES);
        assertThat(limits.values()).containsOnly(BUFFER_BYTES - others);
      }
      assertThat(agent.stop()).isZero();
    }
  }

  /** The bytes that fit into each class's queue. */
  private Map<String, Long> limits() throws Exception {
    String shown = path.onSwitch("tc", "-j", "qdisc", "show", "dev", SwitchedPath.PORT);
    return LIMIT
        .matcher(shown)
        .results()
        .collect(
            Collectors.toMap(found -> found.group(1), found -> Long.parseLong(found.group(2))));
  }

  @Test
  void whoIsAloneHasTheWholePort() throws Exception {
    try (AgentProcess agent = agent()) {
      divide(part(0.3));
      pour(ELEPHANT, 1);
      // Twice its share at least: on a busy machine a sender has not always something ready.
      await(
          "elephants alone, of a share of 0.3",
          this::sent,
          sent -> sent.elephants > 0.6 * PORT && sent.elephants < 1.01 * PORT * OF_THE_WIRE);
      assertThat(agent.stop()).isZero();
    }
  }

  @Test
  void aCallDoesNotWaitBehindElephants() throws Exception {
    try (AgentProcess agent = agent()) {
      divide(part(0.7));
      RoundTrips idle = path.ping(100);
      pour(ELEPHANT, 4);
      awaitDropped(ELEPHANTS);
      await("ping beside four elephants", () -> path.ping(200), trips -> trips.mean() < QUEUED / 2);
      traffic.close();
      // The same without a mark: all wait in one queue.
      pour(OTHER, 4);
      awaitDropped(OTHERS);
      await("ping in one queue with them", () -> path.ping(200), trips -> trips.mean() > QUEUED);
      System.out.printf("ping idle %s%n", idle);
      assertThat(agent.stop()).isZero();
    }
  }

  /** Which port a connection has, and so which lane, is the kernel's choice. */
  @Test
  void lanesOfElephantsHaveAllAsMuch() throws Exception {
    try (AgentProcess agent = agent()) {
      divide(part(0.7));
      pour(ELEPHANT, 6);
      await(
          "bytes of the lanes of six elephants",
          this::sentByLanes,
          lanes -> lanes.size() > 1 && lanes.get(0) > (1 - WITHIN) * lanes.get(lanes.size() - 1));
      assertThat(agent.stop()).isZero();
    }
  }

  /** Of those in which somebody sends, the least first. */
  private List<Long> sentByLanes() throws Exception {
    Map<String, Long> before = path.count().sentBytes();
    Thread.sleep(WINDOW_MILLIS);
    Map<String, Long> after = path.count().sentBytes();
    return after.keySet().stream()
        .filter(minor -> minor.length() == 2)
        .map(minor -> after.getOrDefault(minor, 0L) - before.getOrDefault(minor, 0L))
        .filter(bytes -> bytes > 100_000)
        .sorted()
        .toList();
  }

  @Test
  void othersWithinTheirShareLoseNothingWhateverElephantsDo() throws Exception {
    try (AgentProcess agent = agent()) {
      divide(part(0.7));
      TrafficProcess call = number(OTHER, 4 * MEGABIT);
      pour(ELEPHANT, 6);
      awaitDropped(ELEPHANTS);
      Thread.sleep(WINDOW_MILLIS);
      String heard = call.ask("count");
      System.out.println("beside six elephants: received, lost, late " + heard);
      assertArrived(heard);
      assertThat(agent.stop()).isZero();
    }
  }

  /** Links are found, and stay found, by frames that wait behind nothing of this. */
  @Test
  void aFloodIntoTheOthersQueueDropsNoFrameByWhichSwitchesAndHostsFindEachOther() throws Exception {
    assumeTrue(
        Sh.run("sh", "-c", "command -v python3 || true").length() > 0,
        "Skipped: the program (python3) is not installed.");
    countFrames();
    try (AgentProcess agent = agent()) {
      divide(shares(800_000, 200_000));
      pour(ELEPHANT, 1);
      // Far more than the port: also on a busy machine, and where elephants have nothing ready.
      number(OTHER, 20 * MEGABIT);
      awaitDropped(OTHERS);
      Count before = path.count();
      sendFrames();
      Count after = path.count();
      // The last of them may be under way. In the flood's queue nearly all would be lost.
      InNamespaces.await(
          this::framesThatCame,
          now -> now.size() == KINDS.size() && now.stream().allMatch(n -> n >= 0.8 * ROUNDS));
      List<Long> came = framesThatCame();
      System.out.printf(
          "of %d frames of each kind came %s, %d were dropped; of the flood beside them %d%n",
          ROUNDS, came, after.dropped(before, CONTROL), after.dropped(before, OTHERS));
      assertThat(after.dropped(before, OTHERS)).as("of the flood").isGreaterThan(300);
      assertThat(after.dropped(before, CONTROL)).isZero();
      assertThat(agent.stop()).isZero();
    }
  }

  /** What the receiver's interface takes in of each kind, before anybody there looks at it. */
  private void countFrames() throws Exception {
    String chain = "{ type filter hook ingress device eth0 priority 0; }";
    SwitchedPath.on(
        path.receiver,
        "nft",
        KINDS.stream()
            .map(kind -> "; add rule netdev seen frames " + kind.match + " counter")
            .collect(
                Collectors.joining(
                    "", "add table netdev seen; add chain netdev seen frames " + chain, "")));
  }

  private void sendFrames() throws Exception {
    List<String> words = new ArrayList<>(List.of("python3", "-c", SEND_FRAMES));
    words.addAll(List.of(SwitchedPath.PORT, Integer.toString(ROUNDS)));
    KINDS.forEach(kind -> words.add(kind.hex));
    path.onSwitch(words.toArray(String[]::new));
  }

  private List<Long> framesThatCame() throws Exception {
    return Pattern.compile("counter packets (\\d+)")
        .matcher(SwitchedPath.on(path.receiver, "nft", "list", "table", "netdev", "seen"))
        .results()
        .map(found -> Long.parseLong(found.group(1)))
        .toList();
  }

  @Test
  void sharesChangeAThousandTimesWithoutALossOrAPacketThatComesLate() throws Exception {
    try (AgentProcess agent = agent()) {
      divide(part(0.5));
      TrafficProcess elephant = number(ELEPHANT, 8 * MEGABIT);
      TrafficProcess other = number(OTHER, 8 * MEGABIT);
      long begun = System.nanoTime();
      for (int change = 0; change < 1_000; change++) {
        divide(part(0.3 + 0.4 * (change % 5) / 4));
      }
      System.out.printf(
          "1000 changes in %.1f s; received, lost, late: elephants %s, others %s%n",
          (System.nanoTime() - begun) / 1e9, elephant.ask("count"), other.ask("count"));
      assertArrived(elephant.ask("count"));
      assertArrived(other.ask("count"));
      assertThat(path.count().sentBytes().get(ELEPHANTS)).as("their own queue").isPositive();
      assertThat(agent.stop()).isZero();
    }
  }

  @Test
  void elephantsOfIpv6AreToldToo() throws Exception {
    try (AgentProcess agent = agent()) {
      divide(part(0.5));
      pour(SwitchedPath.RECEIVER6, ELEPHANT, 1);
      InNamespaces.await(
          () -> path.count().sentBytes(), sent -> sent.getOrDefault(ELEPHANTS, 0L) > 1_000_000);
      Map<String, Long> sent = path.count().sentBytes();
      assertThat(sent.get(ELEPHANTS)).isGreaterThan(20 * sent.getOrDefault(OTHERS, 0L));
      assertThat(agent.stop()).isZero();
    }
  }

  @Test
  void queuesOutliveAnAgentThatIsKilledAndTheNextGoesOnWithThem() throws Exception {
    PortQueue shares = part(0.7);
    try (AgentProcess agent = agent()) {
      divide(shares);
      agent.kill();
      controller.awaitLeft();
    }
    TrafficProcess other = number(OTHER, 8 * MEGABIT);
    try (AgentProcess next = agent()) {
      assertThat(controller.latestHello().orElseThrow().getPortsList()).containsExactly(shares);
      divide(shares);
      assertArrived(other.ask("count"));
      assertThat(next.stop()).isZero();
    }
    assertNothingIsLeft();
  }

  /** Nobody is left on a switch to take down what the next agent is not told to go on with. */
  @Test
  void aRestartOfItsServiceTakesItsPortsDown() throws Exception {
    PortQueue shares = part(0.7);
    try (SystemdHost host = new SystemdHost(path.device, directory, config(), "rules: []\n")) {
      host.start();
      divide(shares);
      assertThat(queues()).contains("htb ace1:");
      host.run("systemctl restart " + SystemdHost.SERVICE);
      assertNothingIsLeft();
      divide(shares);
      host.run("systemctl stop " + SystemdHost.SERVICE);
      assertNothingIsLeft();
    }
  }

  /** Before control frames had a class of their own. */
  @Test
  void whatAnAgentOfAnEarlierVersionLeftIsMadeCompleteWithoutALoss() throws Exception {
    PortQueue shares = shares(30 * MEGABIT, 20 * MEGABIT);
    path.onSwitch("sh", "-c", "tc -batch - <<'.'\n" + EarlierPort.of(SwitchedPath.PORT) + ".\n");
    TrafficProcess other = number(OTHER, 8 * MEGABIT);
    Thread.sleep(500);
    try (AgentProcess agent = agent()) {
      assertThat(controller.latestHello().orElseThrow().getPortsList()).containsExactly(shares);
      assertThat(path.count().sentBytes()).containsKey(CONTROL);
      assertThat(path.count().sentBytes().get(OTHERS)).as("the same class").isPositive();
      divide(shares);
      assertArrived(other.ask("count"));
      assertThat(agent.stop()).isZero();
    }
    assertNothingIsLeft();
  }

  @Test
  void whatSomebodyElseChangesIsToldAndMadeRightAgain() throws Exception {
    PortQueue shares = part(0.7);
    try (AgentProcess agent = agent()) {
      divide(shares);
      awaitTold(shares);
      for (String harm :
          List.of(
              "tc filter del dev sw2 parent ace1:",
              "tc class change dev sw2 parent ace1:1 classid ace1:2 htb rate 1mbit",
              "tc qdisc change dev sw2 parent ace1:3 bfifo limit 9000",
              "tc class change dev sw2 parent ace1:1 classid ace1:4 htb rate 1mbit",
              "tc qdisc del dev sw2 root")) {
        path.onSwitch("sh", "-c", harm);
        controller.await(
            harm, () -> controller.latestPorts().filter(told -> !shares(told).contains(shares)));
        divide(shares);
        awaitTold(shares);
      }
      // Another mark.
      PortQueue marked = shares.toBuilder().setElephantDscp(8).build();
      divide(marked);
      awaitTold(marked);
      divide(shares(0, 0));
      assertNothingIsLeft();
      assertThat(agent.stop()).isZero();
    }
  }

  private void awaitTold(PortQueue shares) throws Exception {
    controller.await(
        "shares",
        () -> controller.latestPorts().filter(told -> shares(told).equals(List.of(shares))));
  }

  /** Without what was counted. */
  private static List<PortQueue> shares(PortQueues told) {
    return told.getPortsList().stream().map(one -> one.toBuilder().clearCounts().build()).toList();
  }

  /** What is told by itself after this. */
  private QueueCounts nextCounts() throws Exception {
    Optional<PortQueues> before = controller.latestPorts();
    return controller
        .await(
            "counters",
            () ->
                controller
                    .latestPorts()
                    .filter(told -> !Optional.of(told).equals(before))
                    .filter(told -> told.getPortsCount() == 1 && told.getPorts(0).hasCounts()))
        .getPorts(0)
        .getCounts();
  }

  @Test
  void whatEachQueueSendsAndDropsIsTold() throws Exception {
    try (AgentProcess agent = agent()) {
      divide(shares(PORT - 4 * MEGABIT, 4 * MEGABIT));
      pour(ELEPHANT, 1);
      number(OTHER, 16 * MEGABIT);
      awaitDropped(OTHERS);
      Count least = path.count();
      // One that is under way may have been read before.
      nextCounts();
      QueueCounts told = nextCounts();
      QueueCounts later = nextCounts();
      Count most = path.count();
      assertThat(later.getSinceUnixNanos()).isEqualTo(told.getSinceUnixNanos());
      assertThat(later.getRunningNanos()).isGreaterThan(told.getRunningNanos());
      for (QueueCounts one : List.of(told, later)) {
        assertBetween(one.getElephants(), ELEPHANTS, least, most);
        assertBetween(one.getOthers(), OTHERS, least, most);
      }
      assertThat(later.getElephants().getBytes()).isGreaterThan(told.getElephants().getBytes());
      assertThat(later.getOthers().getDroppedPackets()).isPositive();

      // Queues that somebody takes away are made anew, and begin anew.
      path.onSwitch("tc", "qdisc", "del", "dev", "sw2", "root");
      divide(shares(PORT - 4 * MEGABIT, 4 * MEGABIT));
      controller.await(
          "counters that begin anew",
          () ->
              controller
                  .latestPorts()
                  .filter(now -> now.getPortsCount() == 1)
                  .map(now -> now.getPorts(0).getCounts().getSinceUnixNanos())
                  .filter(since -> since > told.getSinceUnixNanos()));
      assertThat(agent.stop()).isZero();
    }
  }

  private static void assertBetween(QueueCount told, String minor, Count least, Count most) {
    assertThat(told.getBytes())
        .isBetween(
            least.sentBytes().getOrDefault(minor, 0L), most.sentBytes().getOrDefault(minor, 0L));
  }

  @Test
  void whatCannotBeDividedIsRefusedWithTheReasonAndStaysAsItIs() throws Exception {
    String foreign = "tc qdisc add dev sw2 root handle 7: htb default 1";
    path.onSwitch("sh", "-c", foreign);
    try (AgentProcess agent = agent()) {
      assertThat(error(part(0.5))).contains("somebody else's (htb 7:)", "Maybe take it away");
      assertThat(queues()).contains("htb 7: root");
      assertThat(error(part(0.5).toBuilder().setPort(SwitchedPath.OTHER_PORT).build()))
          .contains("does not divide the port (sw1)");
      assertThat(error(part(0.5).toBuilder().setSwitchId("of:0000000000000002").build()))
          .contains("of the switch (of:0000000000000002)");
      assertThat(error(shares(PORT, 0))).contains("must both be at least");
      assertThat(error(part(0.5).toBuilder().setElephantDscp(64).build())).contains("1 to 63");
      controller.refuse("", Refusal.Code.SWITCH_NOT_ALLOWED);
      agent.awaitOutput("SWITCH_NOT_ALLOWED");
      assertThat(agent.stop()).isZero();
    }
    assertThat(queues()).contains("htb 7: root");
  }

  private String error(PortQueue told) throws Exception {
    PortQueues answer = controller.divide(told);
    assertThat(answer.getPorts(0).getElephantsBitsPerSecond()).isZero();
    return answer.getPorts(0).getError();
  }

  private String queues() throws Exception {
    return path.onSwitch("tc", "qdisc", "show", "dev", SwitchedPath.PORT);
  }

  private void assertNothingIsLeft() throws Exception {
    assertThat(queues()).doesNotContain("htb", "bfifo");
  }
}
