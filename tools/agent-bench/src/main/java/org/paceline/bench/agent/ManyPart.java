package org.paceline.bench.agent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** How soon a rate is in the kernel, all at once and one at a time, with many open. */
final class ManyPart {
  private static final int CONVERSATIONS = 5_000;
  private static final int ROUNDS = 30;
  private static final int SINGLES = 300;
  private static final int WARM_UP = 10;

  private final Hosts hosts;
  private final Gateway gateway;
  private final AgentBench.Table table;
  private final Random random = new Random(1);

  ManyPart(Hosts hosts, Gateway gateway, AgentBench.Table table) {
    this.hosts = hosts;
    this.gateway = gateway;
    this.table = table;
  }

  void run() throws IOException, InterruptedException {
    try (Worker pour = Worker.start(hosts.sender, "pour")) {
      long begun = System.nanoTime();
      try (Worker idle = Worker.start(hosts.receiver, "idle", CONVERSATIONS)) {
        gateway.awaitOpen(CONVERSATIONS);
        double opened = (System.nanoTime() - begun) / 1e9;
        List<String> ids = new ArrayList<>(gateway.open().keySet());
        double[] all = new double[ROUNDS];
        for (int i = -WARM_UP; i < ROUNDS; i++) {
          double millis = gateway.grant(rates(ids));
          all[Math.max(i, 0)] = millis;
        }
        double[] single = new double[SINGLES];
        for (int i = 0; i < SINGLES; i++) {
          Thread.sleep(20);
          single[i] = gateway.grant(rates(List.of(ids.get(random.nextInt(ids.size())))));
        }
        table.head("with 5,000 conversations | ms median | p95 | greatest");
        table.row(
            "all rates, from the message to the answer with what the kernel was read to hold | %s",
            Figures.of(all).shown());
        table.row("one rate, the same | %s", Figures.of(single).shown());
        table.say(String.format("all were told and in a class %.1f s after the first", opened));
      }
    }
  }

  private Map<String, Long> rates(List<String> ids) {
    Map<String, Long> rates = new HashMap<>();
    // What tc prints in full, that the answer can be compared to the bit.
    ids.forEach(id -> rates.put(id, (1_000 + random.nextInt(50_000)) * 1_000L));
    return rates;
  }
}
