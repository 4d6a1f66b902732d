package org.paceline.bench.agent;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.paceline.protocol.ConversationOpened;

/**
 * What arrives at each of the receiver's addresses against what was granted, and how long a ping
 * that is a conversation of its own takes meanwhile.
 */
final class RatesPart {
  private static final long LEAST = 1_000_000;
  private static final long GREATEST = 100_000_000;
  private static final double MOST_ERROR = 2;
  private static final int LARGE = 5;
  private static final long SETTLE_MILLIS = 2_000;
  private static final int PINGS_A_SECOND = 50;

  private final Hosts hosts;
  private final Gateway gateway;
  private final RealAgent agent;
  private final int seconds;
  private final AgentBench.Table table;

  RatesPart(Hosts hosts, Gateway gateway, RealAgent agent, int seconds, AgentBench.Table table) {
    this.hosts = hosts;
    this.gateway = gateway;
    this.agent = agent;
    this.seconds = seconds;
    this.table = table;
  }

  private record Kind(String name, String intent, List<Integer> sockets) {}

  private static final Kind ONE = new Kind("1 TCP", "bench/stream", List.of(1));
  private static final Kind SIX = new Kind("6 TCP", "bench/stream", List.of(6));
  private static final Kind DATAGRAMS = new Kind("UDP", "bench/datagrams", List.of());

  void run() throws IOException, InterruptedException {
    Map<String, long[]> mixes = new LinkedHashMap<>();
    mixes.put("1", even(LEAST));
    mixes.put("10", even(10 * LEAST));
    mixes.putAll(spread());
    measure("", List.of(ONE, SIX, DATAGRAMS), mixes);
  }

  /** At the rates for which processors are short then. */
  void oneByOne() throws IOException, InterruptedException {
    measure(", each packet by itself", List.of(ONE, SIX), spread());
  }

  /** Without a queue, and so without datagrams. */
  void bySockets() throws IOException, InterruptedException {
    Map<String, long[]> mixes = new LinkedHashMap<>();
    mixes.put("1", even(LEAST));
    mixes.put("10", even(10 * LEAST));
    mixes.putAll(spread());
    measure(", each socket told its rate", List.of(ONE, SIX), mixes);
  }

  private static Map<String, long[]> spread() {
    Map<String, long[]> mixes = new LinkedHashMap<>();
    mixes.put("1 to 100, five above 10", fiveLarge());
    mixes.put("1 to 100, evenly", evenly(Hosts.ADDRESSES, GREATEST));
    return mixes;
  }

  private void measure(String how, List<Kind> kinds, Map<String, long[]> mixes)
      throws IOException, InterruptedException {
    table.head(
        Hosts.ADDRESSES
            + " conversations that send all they can"
            + how
            + " | granted each, Mbit/s | error % median"
            + " | p95 | greatest | sum received, Mbit/s | ping ms p50 | p95 | max"
            + " | least and most of a socket, % of its conversation's even share"
            + " | own round trip of a socket with 1 Mbit/s, ms"
            + " | processors idle % | agent, of one core % | more than 2 % off: Mbit/s (error %)");
    try (Worker pour = Worker.start(hosts.sender, "pour");
        Worker echo = Worker.start(hosts.receiver, "echo")) {
      double[] alone = ping(seconds);
      table.row("none | | | | | | %s | | | | |", Figures.of(alone).shown());
      for (Kind kind : kinds) {
        measure(kind, mixes);
      }
    }
  }

  private void measure(Kind kind, Map<String, long[]> mixes)
      throws IOException, InterruptedException {
    try (Worker load =
        kind.sockets().isEmpty()
            ? Worker.start(hosts.sender, "datagrams")
            : Worker.start(hosts.receiver, "drain", kind.sockets().get(0))) {
      Map<String, String> ids = awaitAll(kind.intent());
      for (Map.Entry<String, long[]> mix : mixes.entrySet()) {
        compare(kind, mix.getKey(), ids, mix.getValue());
      }
    }
    awaitNone(kind.intent());
  }

  private static long[] even(long rate) {
    long[] rates = new long[Hosts.ADDRESSES];
    Arrays.fill(rates, rate);
    return rates;
  }

  /** Each a constant factor above the one before. */
  private static long[] evenly(int count, long greatest) {
    long[] rates = new long[count];
    for (int i = 0; i < count; i++) {
      double rate = LEAST * Math.pow((double) greatest / LEAST, i / (count - 1.0));
      rates[i] = Math.round(rate / 1_000) * 1_000;
    }
    return rates;
  }

  /** A sum that a small machine can send and receive at once. */
  private static long[] fiveLarge() {
    long[] rates = Arrays.copyOf(evenly(Hosts.ADDRESSES - LARGE, 10 * LEAST), Hosts.ADDRESSES);
    for (int i = 1; i <= LARGE; i++) {
      rates[Hosts.ADDRESSES - LARGE + i - 1] = GREATEST / LARGE * i;
    }
    return rates;
  }

  private void compare(Kind kind, String granted, Map<String, String> ids, long[] rates)
      throws IOException, InterruptedException {
    Map<String, Long> grants = new HashMap<>();
    for (int i = 0; i < rates.length; i++) {
      grants.put(ids.get(Hosts.address(i)), rates[i]);
    }
    gateway.grant(grants);
    Thread.sleep(SETTLE_MILLIS);
    double agentBefore = agent.usage().cpuSeconds();
    double idleBefore = Hosts.idleSeconds();
    long begun = System.nanoTime();
    Map<String, Map<String, Long>> before = hosts.received();
    double[] pings = ping(seconds);
    long ended = System.nanoTime();
    Map<String, Map<String, Long>> after = hosts.received();
    double idle = Hosts.idleSeconds() - idleBefore;
    String own = rates[0] == LEAST ? hosts.roundTrip(Hosts.address(0)) : "";
    double used = agent.usage().cpuSeconds() - agentBefore;
    double[] errors = new double[rates.length];
    StringJoiner missed = new StringJoiner(", ");
    double sum = 0;
    double least = 1;
    double most = 1;
    for (int i = 0; i < rates.length; i++) {
      String address = Hosts.address(i);
      List<Long> sockets =
          difference(before.getOrDefault(address, Map.of()), after.getOrDefault(address, Map.of()));
      double bytes = sockets.stream().mapToLong(one -> one).sum();
      least = Math.min(least, Collections.min(sockets) * sockets.size() / bytes);
      most = Math.max(most, Collections.max(sockets) * sockets.size() / bytes);
      double rate = bytes * 8e9 / (ended - begun);
      double error = (rate / rates[i] - 1) * 100;
      errors[i] = Math.abs(error);
      if (errors[i] > MOST_ERROR) {
        missed.add(String.format(Locale.ROOT, "%.1f (%+.1f)", rates[i] / 1e6, error));
      }
      sum += rate;
    }
    table.row(
        "%s | %s | %s | %.0f | %s | %.0f to %.0f | %s | %.0f | %.1f | %s",
        kind.name(),
        granted,
        Figures.of(errors).shown(),
        sum / 1e6,
        Figures.of(pings).shown(),
        least * 100,
        most * 100,
        own,
        idle * 1e11 / (ended - begun),
        used * 1e11 / (ended - begun),
        missed);
  }

  /** Of those ports at which anything has arrived meanwhile. */
  private static List<Long> difference(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> bytes = new HashMap<>(after);
    before.forEach((port, already) -> bytes.merge(port, -already, Long::sum));
    bytes.values().removeIf(none -> none == 0);
    return bytes.isEmpty() ? List.of(0L) : List.copyOf(bytes.values());
  }

  private double[] ping(int forSeconds) throws IOException, InterruptedException {
    try (Worker ping = Worker.start(hosts.sender, "ping", forSeconds * PINGS_A_SECOND)) {
      return ping.rest().stream()
          .mapToDouble(line -> line.equals("lost") ? 1_000 : Double.parseDouble(line))
          .toArray();
    }
  }

  private Map<String, String> awaitAll(String intent) throws InterruptedException {
    Map<String, String> ids = ids(intent);
    while (ids.size() < Hosts.ADDRESSES) {
      Thread.sleep(100);
      ids = ids(intent);
    }
    return ids;
  }

  private void awaitNone(String intent) throws InterruptedException {
    while (!ids(intent).isEmpty()) {
      Thread.sleep(100);
    }
  }

  private Map<String, String> ids(String intent) {
    Map<String, String> ids = new HashMap<>();
    for (ConversationOpened one : gateway.open().values()) {
      if (one.getIntent().equals(intent)) {
        ids.put(one.getRemoteAddress(), one.getId());
      }
    }
    return ids;
  }
}
