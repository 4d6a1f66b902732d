package org.paceline.agent.enforce.edt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.paceline.agent.bpf.RecordRing;
import org.paceline.agent.config.RulesReader;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.enforce.EnforcerKind;
import org.paceline.agent.enforce.ManagedInterface;
import org.paceline.agent.flow.FirstPacket;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.pacing.HostCheck;
import org.paceline.agent.pacing.StateFile;
import org.paceline.agent.posix.Command;
import org.paceline.agent.posix.StartedProcess;
import org.paceline.agent.runtime.CannotRun;

/**
 * Tries departures.bpf.c on this machine's kernel, in the network namespace that it is started in:
 * all but what fq does with the times, so that fq is not needed.
 */
public final class DeparturesInScratch {
  private static final String DEVICE = "lo";
  private static final int KNOWN = 7;
  private static final int PORT = 5_004;
  private static final int FRAME = 14 + 20 + 8 + 1_000;
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private DeparturesInScratch() {}

  public static void main(String[] words) throws Exception {
    Command.require("ip", "link", "set", "dev", DEVICE, "up", "gso_max_segs", "1");
    places();
    Path pins = DepartureProgram.pins(DEVICE);
    DepartureProgram.load(pins);
    EdtShaper.write(DepartureRules.rows(rules()), pins);
    Command.require(
        "sh",
        "-c",
        DepartureProgram.attachment(
            "add", DEVICE, pins, new DepartureProgram.State(true, false, false)));
    BlockingQueue<FirstPacket> heard = new LinkedBlockingQueue<>();
    try (DepartureTable table = DepartureTable.open(pins);
        DepartureKeys keys = DepartureKeys.open(pins);
        RecordRing ring =
            RecordRing.listen(
                pins.resolve("first_packets"),
                record -> heard.add(DepartureKeys.sighting(record, DEVICE)))) {
      strangersShareOneRate(table, heard);
      takenTogetherNothingIsLost(table, keys);
      assertThat(heard).isEmpty();
      whatIsTooFarAheadIsDropped(table);
      ratesComeAndGo(table);
      assertThat(ring.isAlive()).isTrue();
    }
    Command.require("rm", "-rf", DepartureProgram.pins().toString());
  }

  private static RuleSet rules() throws IOException {
    Path file = Files.createTempFile("rules", ".yaml");
    try {
      Files.writeString(
          file,
          """
          rules:
            - ignore: true
              match: {localPort: 5005, remoteAddress: "127.0.0.0/8"}
            - intent: voip/call
              match: {protocol: udp, localPort: "1-2, 5003-5005", localAddress: "127.0.0.1"}
          """,
          StandardCharsets.UTF_8);
      return RulesReader.read(file);
    } finally {
      Files.delete(file);
    }
  }

  /** A socket at this port sends as many packets of a kilobyte; how many it was told are lost. */
  private static int send(int port, int packets) throws IOException {
    int lost = 0;
    try (DatagramSocket socket = new DatagramSocket(port, HERE)) {
      for (int i = 0; i < packets; i++) {
        try {
          socket.send(new DatagramPacket(new byte[1_000], 1_000, HERE, 9));
        } catch (IOException e) {
          lost++;
        }
      }
    }
    return lost;
  }

  /** A flow that no key knows: announced once, and where the rules manage it, in one class. */
  private static void strangersShareOneRate(DepartureTable table, BlockingQueue<FirstPacket> heard)
      throws Exception {
    table.apply(
        ClassChanges.between(Map.of(), Map.of(ClassIds.NEWCOMERS, ClassRate.of(80_000_000))));
    send(PORT, 3);
    send(5_005, 2);
    send(5_006, 2);
    for (int port : List.of(PORT, 5_005, 5_006)) {
      assertThat(heard.poll(60, TimeUnit.SECONDS))
          .isEqualTo(new FirstPacket(new Flow(Transport.UDP, HERE, port, HERE, 9), DEVICE, false));
    }
    ClassStatistics newcomers = row(table, ClassIds.NEWCOMERS);
    // Also those that no rule names; only what a rule leaves alone is not among them.
    assertThat(newcomers.sentPackets()).isEqualTo(5);
    assertThat(newcomers.sentBytes()).isEqualTo(5L * FRAME);
  }

  /** Two processors at a time take their places one after the other. */
  private static void takenTogetherNothingIsLost(DepartureTable table, DepartureKeys keys)
      throws Exception {
    ClassKey key = new ClassKey(Transport.UDP, HERE, PORT, HERE, 0);
    ClassKey other = new ClassKey(Transport.UDP, HERE, 0, HERE, 9);
    InetAddress six6 = InetAddress.getByName("fd00::1");
    ClassKey six = new ClassKey(Transport.TCP, six6, 1, six6, 65_535);
    keys.change(Map.of(key, KNOWN, other, KNOWN, six, 9), List.of(), List.of());
    assertThat(keys.all()).isEqualTo(Map.of(key, KNOWN, other, KNOWN, six, 9));
    keys.change(Map.of(), List.of(six), List.of());
    long before = System.nanoTime();
    table.apply(ClassChanges.between(rates(table), with(table, KNOWN, 80_000_000)));
    Thread one = new Thread(() -> quietly(PORT));
    Thread two = new Thread(() -> quietly(5_007));
    one.start();
    two.start();
    one.join();
    two.join();
    ClassStatistics known = row(table, KNOWN);
    long after = System.nanoTime();
    assertThat(known.sentPackets()).isEqualTo(2 * 5_000);
    assertThat(known.sentBytes()).isEqualTo(2L * 5_000 * FRAME);
    // Each takes 104.2 us of it, whoever asks; what passes meanwhile is not saved up.
    double ahead = known.backlogBytes() / 10_000_000.0;
    double all = 2 * 5_000 * FRAME / 10_000_000.0;
    assertThat(ahead).isBetween(all - (after - before) / 1e9 - 0.01, all);
  }

  private static void quietly(int port) {
    try {
      assertThat(send(port, 5_000)).isZero();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ClassStatistics row(DepartureTable table, int minor) {
    return Optional.ofNullable(table.all().get(minor)).orElseThrow();
  }

  private static Map<Integer, ClassRate> rates(DepartureTable table) {
    Map<Integer, ClassRate> rates = new HashMap<>();
    table.all().forEach((minor, c) -> rates.put(minor, c.rate()));
    return rates;
  }

  private static Map<Integer, ClassRate> with(DepartureTable table, int minor, long rate) {
    Map<Integer, ClassRate> rates = rates(table);
    rates.put(minor, ClassRate.of(rate));
    return rates;
  }

  private static void whatIsTooFarAheadIsDropped(DepartureTable table) throws IOException {
    table.apply(ClassChanges.between(rates(table), with(table, KNOWN, 8_000)));
    long sent = row(table, KNOWN).sentPackets();
    send(PORT, 100);
    ClassStatistics known = row(table, KNOWN);
    // Three have a time within two seconds, and one more for each second that this takes.
    assertThat(known.droppedPackets()).isGreaterThanOrEqualTo(80);
    assertThat(known.droppedPackets() + known.sentPackets()).isEqualTo(sent + 100);
  }

  /** A rate that comes after one of some bytes a second does not wait for that one's packets. */
  private static void ratesComeAndGo(DepartureTable table) throws IOException {
    table.apply(ClassChanges.between(rates(table), with(table, KNOWN, 8)));
    table.apply(ClassChanges.between(rates(table), with(table, KNOWN, 8_000_000)));
    assertThat(row(table, KNOWN).backlogBytes()).isLessThanOrEqualTo(2_000_000);
    Map<Integer, ClassRate> less = rates(table);
    less.remove(KNOWN);
    table.apply(ClassChanges.between(rates(table), less));
    assertThat(table.all().keySet())
        .isEqualTo(new TreeSet<>(List.of(ClassIds.NEWCOMERS, ClassIds.POOL)));
    assertThat(send(PORT, 10)).isZero();
  }

  /** What somebody else has at the hook is found, and left. */
  private static void places() throws IOException {
    Path directory = Files.createTempDirectory("state");
    StateFile state = new StateFile(directory.resolve("x.state"), directory.resolve("x.lock"));
    try {
      assertThat(inspect(state).foundHook()).isFalse();
      Command.require("tc", "qdisc", "add", "dev", DEVICE, "ingress");
      assertThatThrownBy(() -> inspect(state))
          .isInstanceOf(CannotRun.class)
          .hasMessageContaining("ingress queue of somebody else's")
          .hasMessageContaining("enforcer: htb");
      Command.require("tc", "qdisc", "del", "dev", DEVICE, "ingress");
      Command.require("tc", "qdisc", "add", "dev", DEVICE, "clsact");
      ManagedInterface found = inspect(state);
      assertThat(found.foundHook()).isTrue();
      state.write(List.of(found), new StartedProcess(1, 1));
      assertThat(state.leftBehind().get(0).foundHook()).isTrue();
      filter("add", 1);
      assertThatThrownBy(() -> inspect(state))
          .isInstanceOf(CannotRun.class)
          .hasMessageContaining("egress filter of somebody else's with preference 1");
      filter("del", 1);
      filter("add", 2);
      // An agent that was killed had found no hook: what others hang there since keeps it.
      Command.run("sh", "-c", DepartureProgram.removal(DEVICE, false));
      assertThat(Command.run("tc", "filter", "show", "dev", DEVICE, "egress").output())
          .contains("pref 2");
      Command.require("tc", "qdisc", "del", "dev", DEVICE, "clsact");
    } finally {
      Command.require("rm", "-r", directory.toString());
    }
  }

  private static void filter(String what, int preference) throws IOException {
    Command.require(
        "sh",
        "-c",
        "tc filter "
            + what
            + " dev lo egress pref "
            + preference
            + " protocol ip u32 match u32 0 0 flowid 1:1");
  }

  private static ManagedInterface inspect(StateFile state) throws IOException {
    return HostCheck.interfaces(
            List.of(DEVICE), Optional.of("127.0.0.1"), EnforcerKind.EDT, false, state)
        .get(0);
  }
}
