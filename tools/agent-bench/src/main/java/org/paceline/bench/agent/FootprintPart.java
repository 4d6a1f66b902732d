package org.paceline.bench.agent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** Processor time and memory of the agent and its helpers, idle and busy in one run. */
final class FootprintPart {
  private static final int CONVERSATIONS = 1_000;
  private static final int CHANGES_A_SECOND = 20;
  // An agent runs for months: what its first minutes take to compile its program is not its cost.
  private static final int WARM_SECONDS = 20;
  private static final double MOST_PERCENT = 3;
  // Alone each would need 3 s for a burst, and they come every 2 s; together they send 33 Mbit/s.
  private static final long OWN_BITS = 20_000;
  private static final long CEILING_BITS = 10_000_000;
  private static final long POOL_BITS = 50_000_000;

  private final Hosts hosts;
  private final Gateway gateway;
  private final RealAgent agent;
  private final int seconds;
  private final AgentBench.Table table;
  private final Random random = new Random(1);

  FootprintPart(
      Hosts hosts, Gateway gateway, RealAgent agent, int seconds, AgentBench.Table table) {
    this.hosts = hosts;
    this.gateway = gateway;
    this.agent = agent;
    this.seconds = seconds;
    this.table = table;
  }

  void run() throws IOException, InterruptedException {
    table.head("agent | of one core % | resident MB, agent | with helpers");
    measure("no conversation", false);
    try (Worker pour = Worker.start(hosts.sender, "pour")) {
      try (Worker idle = Worker.start(hosts.receiver, "idle", CONVERSATIONS)) {
        gateway.awaitOpen(CONVERSATIONS);
        measure("1,000 conversations, nothing changes", false);
        measure("1,000 conversations, each gets another rate once a second", true);
      }
      gateway.awaitOpen(0);
      try (Worker changing =
          Worker.start(hosts.receiver, "idle", CONVERSATIONS, CHANGES_A_SECOND)) {
        measure("1,000, as before, and 20 of them end and 20 open each second", true);
      }
    }
  }

  /** With everything that is off unless it is configured. */
  void options() throws IOException, InterruptedException {
    table.head(
        "agent with metrics and applications | of one core % | resident MB, agent | with helpers");
    try (Worker pour = Worker.start(hosts.sender, "pour");
        Worker idle = Worker.start(hosts.receiver, "idle", CONVERSATIONS)) {
      gateway.awaitOpen(CONVERSATIONS);
      measure("1,000 conversations, nothing changes, nobody asks", false);
      try (Worker scrape = Worker.start(hosts.sender, "scrape")) {
        measure("1,000 conversations, nothing changes, Prometheus asks once a second", false);
      }
    }
  }

  /** Conversations that send more than their rates in bursts, and nothing between them. */
  void borrowing() throws IOException, InterruptedException {
    table.head("agent whose conversations borrow | of one core % | sent Mbit/s, granted in all 20");
    try (Worker bursts = Worker.start(hosts.sender, "bursts");
        Worker taking = Worker.start(hosts.receiver, "take-bursts", CONVERSATIONS)) {
      gateway.awaitOpen(CONVERSATIONS);
      gateway.grantWithPool(OWN_BITS, CEILING_BITS, POOL_BITS);
      borrow("1,000 that borrow and return", () -> {});
      borrow("1,000 that borrow and return, another pool each second", this::resize);
    }
  }

  private void resize() throws InterruptedException {
    gateway.resizePool(POOL_BITS + random.nextInt((int) POOL_BITS / 4));
  }

  private void borrow(String what, EachSecond change) throws IOException, InterruptedException {
    pass(WARM_SECONDS, change);
    List<Double> shares = new ArrayList<>();
    double sent = 0;
    for (int i = 0; i < Claim.REPEATS; i++) {
      Usage before = agent.usage();
      long bytes = bytes();
      long begun = System.nanoTime();
      pass(seconds, change);
      long took = System.nanoTime() - begun;
      sent += (bytes() - bytes) * 8e3 / took / Claim.REPEATS;
      shares.add((agent.usage().cpuSeconds() - before.cpuSeconds()) * 1e11 / took);
    }
    if (sent < 1.2 * CONVERSATIONS * OWN_BITS / 1e6) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "They sent %.1f Mbit/s, so hardly anybody borrowed.", sent));
    }
    Claim claim =
        new Claim(
            what + ": the agent's part of a core",
            MOST_PERCENT,
            shares,
            "%",
            "Where it goes: perf record -g -p PID, with -XX:+PreserveFramePointer.");
    table.row("%s | %.1f | %.1f", what, claim.mean(), sent);
    table.claim(claim);
  }

  private long bytes() throws IOException {
    return hosts.received().values().stream()
        .flatMap(ports -> ports.values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  /** What the controller says in each second of a measurement. */
  private interface EachSecond {
    void say() throws InterruptedException;
  }

  private void measure(String what, boolean changing) throws IOException, InterruptedException {
    EachSecond change = changing ? this::regrant : () -> {};
    pass(WARM_SECONDS, change);
    Usage before = agent.usage();
    long begun = System.nanoTime();
    pass(seconds, change);
    Usage after = agent.usage();
    double share = (after.cpuSeconds() - before.cpuSeconds()) * 1e11 / (System.nanoTime() - begun);
    table.row(
        "%s | %.1f | %.0f | %.0f",
        what, share, after.programKilobytes() / 1e3, after.residentKilobytes() / 1e3);
  }

  /** Another rate for every conversation. */
  private void regrant() throws InterruptedException {
    Map<String, Long> rates = new HashMap<>();
    gateway.open().keySet().forEach(id -> rates.put(id, (1_000 + random.nextInt(50_000)) * 1_000L));
    gateway.grant(rates);
  }

  private static void pass(int howLong, EachSecond change) throws InterruptedException {
    for (int i = 0; i < howLong; i++) {
      change.say();
      Thread.sleep(1_000);
    }
  }
}
