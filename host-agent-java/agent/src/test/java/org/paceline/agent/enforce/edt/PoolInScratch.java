package org.paceline.agent.enforce.edt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.paceline.agent.bpf.ProgramRun;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.posix.Command;

/**
 * What departures.bpf.c lets conversations borrow, by the times that it gives to single packets, on
 * this machine's kernel and in the network namespace that it is started in. A machine that stands
 * still meanwhile makes no assertion fail: time that passes only gives more room.
 */
public final class PoolInScratch {
  private static final String DEVICE = "lo";
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final int FRAME = 1_000;
  // A frame takes a millisecond of it.
  private static final long POOL = 8_000_000;
  private static final ClassRate BORROWER = ClassRate.upTo(1_000_000, POOL);
  private static final ClassRate OWNER = ClassRate.of(4_000_000);
  // By which each is known: a port is a conversation.
  private static final int FIRST = 1;
  private static final int SECOND = 2;
  private static final int THIRD = 3;
  private static final int STRANGER = 4;

  private final DepartureTable table;
  private final ProgramRun program;
  // Of each conversation, when the last packet leaves that has to wait.
  private final Map<Integer, Long> timed = new HashMap<>();

  private PoolInScratch(DepartureTable table, ProgramRun program) {
    this.table = table;
    this.program = program;
  }

  public static void main(String[] words) throws Exception {
    Path pins = DepartureProgram.pins(DEVICE);
    DepartureProgram.load(pins);
    EdtShaper.write(DepartureRules.rows(new RuleSet(List.of(), true)), pins);
    try (DepartureTable table = DepartureTable.open(pins);
        DepartureKeys keys = DepartureKeys.open(pins);
        ProgramRun program = ProgramRun.open(pins.resolve("program"));
        ProgramRun another = ProgramRun.open(pins.resolve("program"))) {
      keys.change(
          Map.of(key(FIRST), FIRST, key(SECOND), SECOND, key(THIRD), THIRD), List.of(), List.of());
      PoolInScratch pool = new PoolInScratch(table, program);
      withoutPool(pool);
      aBorrowerAloneHasThePool(pool);
      anOwnerThatReturnsIsNotKeptWaiting(pool);
      togetherTheySendNoMoreThanThePool(pool);
      ofTwoProcessorsEachTakesItsOwn(pool, another);
      aCeilingHolds(pool);
      anIdlePoolSavesNothingUp(pool);
      whereOwnersHaveMoreThanThePoolNobodyBorrows(pool);
      nothingIsOvertakenWhereBorrowingEnds(pool);
      newcomersAreNotOfIt(pool);
    }
    Command.require("rm", "-rf", DepartureProgram.pins().toString());
  }

  private static ClassKey key(int port) {
    return new ClassKey(Transport.UDP, HERE, port, HERE, 0);
  }

  /** Only these are there, once all that was borrowed before has left. */
  private void begin(long pool, Map<Integer, ClassRate> conversations) throws Exception {
    long left = Math.max(nextOf(ClassIds.POOL), timed.values().stream().reduce(0L, Math::max));
    Thread.sleep(Math.max(0, (left - System.nanoTime()) / 1_000_000 + 10));
    change(Map.of(ClassIds.POOL, ClassRate.of(0)));
    Map<Integer, ClassRate> wanted = new HashMap<>(conversations);
    wanted.put(ClassIds.POOL, ClassRate.of(pool));
    change(wanted);
    assertThat(rates()).isEqualTo(wanted);
  }

  private void change(Map<Integer, ClassRate> wanted) {
    table.apply(ClassChanges.between(rates(), wanted));
  }

  private Map<Integer, ClassRate> rates() {
    Map<Integer, ClassRate> rates = new HashMap<>();
    table.all().forEach((minor, c) -> rates.put(minor, c.rate()));
    return rates;
  }

  /** An Ethernet frame with a datagram from this port. */
  private static byte[] frame(int port) {
    byte[] loopback = HERE.getAddress();
    return ByteBuffer.allocate(FRAME)
        .putShort(12, (short) 0x0800)
        .put(14, (byte) 0x45)
        .putShort(16, (short) (FRAME - 14))
        .put(22, (byte) 64)
        .put(23, (byte) Transport.UDP.number())
        .put(26, loopback)
        .put(30, loopback)
        .putShort(34, (short) port)
        .putShort(36, (short) 9)
        .putShort(38, (short) (FRAME - 34))
        .array();
  }

  /** When one packet leaves, by the time before it came where that is at once. */
  private long send(int port) throws IOException {
    long before = System.nanoTime();
    long departs = program.departure(frame(port));
    assertThat(departs).as("it is not dropped").isNotNegative();
    if (departs > 0) {
      assertThat(departs).as("none overtakes").isGreaterThanOrEqualTo(timed.getOrDefault(port, 0L));
      timed.put(port, departs);
    }
    return Math.max(before, departs);
  }

  private List<Long> send(int port, int packets) throws IOException {
    List<Long> departures = new ArrayList<>();
    for (int i = 0; i < packets; i++) {
      departures.add(send(port));
    }
    return departures;
  }

  /** When a row's next packet may leave, if not at once. */
  private long nextOf(int minor) {
    while (true) {
      long now = System.nanoTime();
      ClassStatistics row = row(minor);
      // What is read says how far from now it is.
      if (System.nanoTime() - now < 100_000) {
        long bytesPerSecond = Math.max(1, row.rateBitsPerSecond() / Byte.SIZE);
        return now + row.backlogBytes() * 1_000_000_000 / bytesPerSecond;
      }
    }
  }

  private ClassStatistics row(int minor) {
    return table.some(List.of(minor)).values().iterator().next();
  }

  private static double millis(long from, long to) {
    return (to - from) / 1e6;
  }

  private static long last(List<Long> departures) {
    return departures.get(departures.size() - 1);
  }

  /** Ceilings are worth nothing: each packet takes 8 ms, but two and a late millisecond. */
  private static void withoutPool(PoolInScratch in) throws Exception {
    in.begin(0, Map.of(FIRST, BORROWER));
    long began = System.nanoTime();
    List<Long> departures = in.send(FIRST, 20);
    assertThat(millis(began, last(departures))).isGreaterThanOrEqualTo(18 * 8 - 1);
  }

  private static void aBorrowerAloneHasThePool(PoolInScratch in) throws Exception {
    in.begin(POOL, Map.of(FIRST, BORROWER, SECOND, OWNER));
    long began = System.nanoTime();
    List<Long> departures = in.send(FIRST, 100);
    long ended = System.nanoTime();
    assertThat(millis(began, last(departures))).isGreaterThanOrEqualTo(98);
    assertThat(millis(ended, last(departures))).isLessThanOrEqualTo(100);
  }

  /** A tenth of a second of the pool is borrowed; the owner has its first packet and its rate. */
  private static void anOwnerThatReturnsIsNotKeptWaiting(PoolInScratch in) throws Exception {
    in.begin(POOL, Map.of(FIRST, BORROWER, SECOND, OWNER));
    long began = System.nanoTime();
    in.send(FIRST, 100);
    assertThat(in.program.departure(frame(SECOND))).as("at once").isZero();
    List<Long> departures = in.send(SECOND, 40);
    long ended = System.nanoTime();
    assertThat(millis(ended, last(departures))).isLessThanOrEqualTo(40 * 2);
    // What is borrowed next leaves behind all of them.
    assertThat(millis(began, in.nextOf(ClassIds.POOL))).isGreaterThanOrEqualTo(139);
  }

  /** Three for a third of a second, each with two packets waiting, as a socket of TCP has. */
  private static void togetherTheySendNoMoreThanThePool(PoolInScratch in) throws Exception {
    in.begin(
        POOL, Map.of(FIRST, BORROWER, SECOND, OWNER, THIRD, ClassRate.upTo(600_000, 4_000_000)));
    List<Long> all = new ArrayList<>();
    Map<Integer, List<Long>> waiting =
        Map.of(FIRST, new ArrayList<>(), SECOND, new ArrayList<>(), THIRD, new ArrayList<>());
    long began = System.nanoTime();
    for (long now = began; now < began + 333_000_000; now = System.nanoTime()) {
      for (Map.Entry<Integer, List<Long>> one : waiting.entrySet()) {
        long at = now;
        one.getValue().removeIf(departs -> departs <= at);
        if (one.getValue().size() < 2) {
          long departs = in.send(one.getKey());
          one.getValue().add(departs);
          all.add(departs);
        }
      }
      Thread.sleep(0, 200_000);
    }
    long ended = System.nanoTime();
    // A frame a millisecond, and what each may send at once.
    assertThat(all.stream().filter(departs -> departs <= ended).count())
        .isLessThanOrEqualTo(Math.round(millis(began, ended)) + 10);
  }

  /** A tenth of a millisecond each, whichever processor asks, and also there none overtakes. */
  private static void ofTwoProcessorsEachTakesItsOwn(PoolInScratch in, ProgramRun another)
      throws Exception {
    ClassRate borrower = ClassRate.upTo(1_000_000, 80_000_000);
    in.begin(80_000_000, Map.of(FIRST, borrower, SECOND, borrower));
    PoolInScratch beside = new PoolInScratch(in.table, another);
    long began = System.nanoTime();
    Thread one = new Thread(() -> in.quietly(FIRST, 2_000));
    Thread two = new Thread(() -> beside.quietly(SECOND, 2_000));
    one.start();
    two.start();
    one.join();
    two.join();
    long ended = System.nanoTime();
    assertThat(in.row(FIRST).sentPackets() + in.row(SECOND).sentPackets()).isEqualTo(4_000);
    in.timed.putAll(beside.timed);
    assertThat(millis(began, in.nextOf(ClassIds.POOL)))
        .isBetween(398.5, 400.5 + millis(began, ended));
  }

  private void quietly(int port, int packets) {
    try {
      send(port, packets);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Four milliseconds a packet of 2 Mbit/s, whatever the pool has. */
  private static void aCeilingHolds(PoolInScratch in) throws Exception {
    in.begin(80_000_000, Map.of(FIRST, ClassRate.upTo(1_000_000, 2_000_000)));
    long began = System.nanoTime();
    List<Long> departures = in.send(FIRST, 50);
    long ended = System.nanoTime();
    assertThat(millis(began, last(departures))).isGreaterThanOrEqualTo(48 * 4 - 1);
    assertThat(millis(ended, last(departures))).isLessThanOrEqualTo(50 * 4);
  }

  private static void anIdlePoolSavesNothingUp(PoolInScratch in) throws Exception {
    in.begin(POOL, Map.of(FIRST, BORROWER));
    Thread.sleep(100);
    long began = System.nanoTime();
    List<Long> departures = in.send(FIRST, 30);
    // One packet and a millisecond.
    assertThat(millis(began, last(departures))).isGreaterThanOrEqualTo(28);
  }

  /** An owner of ten times the pool does not wait for it. Its debt ends after two seconds. */
  private static void whereOwnersHaveMoreThanThePoolNobodyBorrows(PoolInScratch in)
      throws Exception {
    in.begin(POOL, Map.of(FIRST, BORROWER, SECOND, ClassRate.of(80_000_000)));
    long began = System.nanoTime();
    List<Long> owners = in.send(SECOND, 1_000);
    assertThat(millis(System.nanoTime(), last(owners))).isLessThanOrEqualTo(100);
    long then = System.nanoTime();
    List<Long> departures = in.send(FIRST, 20);
    assertThat(millis(then, last(departures)))
        .isGreaterThanOrEqualTo(Math.min(18 * 8 - 1, 998 - millis(began, then)));
    in.send(SECOND, 4_000);
    assertThat(millis(System.nanoTime(), in.nextOf(ClassIds.POOL))).isLessThanOrEqualTo(2_001);
  }

  private static void nothingIsOvertakenWhereBorrowingEnds(PoolInScratch in) throws Exception {
    in.begin(80_000_000, Map.of(FIRST, ClassRate.upTo(1_000_000, 2_000_000)));
    long last = last(in.send(FIRST, 50));
    in.change(Map.of(FIRST, ClassRate.of(1_000_000), ClassIds.POOL, ClassRate.of(0)));
    assertThat(in.send(FIRST)).isGreaterThanOrEqualTo(last);
  }

  /** As it is with HTB: who has no conversation yet lends nothing. */
  private static void newcomersAreNotOfIt(PoolInScratch in) throws Exception {
    in.begin(POOL, Map.of(ClassIds.NEWCOMERS, ClassRate.of(800_000_000), FIRST, BORROWER));
    in.send(STRANGER, 500);
    assertThat(in.row(ClassIds.NEWCOMERS).sentPackets()).isEqualTo(500);
    assertThat(in.row(ClassIds.POOL).backlogBytes()).isZero();
  }
}
