package org.paceline.bench.agent;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Processor time and memory of the agent and its helpers, idle and busy in one run. */
final class FootprintPart {
  private static final int CONVERSATIONS = 1_000;
  private static final int CHANGES_A_SECOND = 20;
  // An agent runs for months: what its first minutes take to compile its program is not its cost.
  private static final int WARM_SECONDS = 20;

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

  private void measure(String what, boolean changing) throws IOException, InterruptedException {
    pass(WARM_SECONDS, changing);
    Usage before = agent.usage();
    long begun = System.nanoTime();
    pass(seconds, changing);
    Usage after = agent.usage();
    double share = (after.cpuSeconds() - before.cpuSeconds()) * 1e11 / (System.nanoTime() - begun);
    table.row(
        "%s | %.1f | %.0f | %.0f",
        what, share, after.programKilobytes() / 1e3, after.residentKilobytes() / 1e3);
  }

  /** Grants every conversation another rate once a second, or lets time pass. */
  private void pass(int howLong, boolean changing) throws InterruptedException {
    for (int i = 0; i < howLong; i++) {
      if (changing) {
        Map<String, Long> rates = new HashMap<>();
        gateway
            .open()
            .keySet()
            .forEach(id -> rates.put(id, (1_000 + random.nextInt(50_000)) * 1_000L));
        gateway.grant(rates);
      }
      Thread.sleep(1_000);
    }
  }
}
