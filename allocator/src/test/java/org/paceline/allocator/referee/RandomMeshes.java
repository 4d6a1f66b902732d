package org.paceline.allocator.referee;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Problems too large to try everything: chains, rings and meshes of two to nine nodes, with links
 * that are missing in one direction, nodes without links, delays that grow with load, tables of one
 * cell. The same seed gives the same problem.
 */
final class RandomMeshes {
  private final Random random;
  private final int nodes;

  private RandomMeshes(long seed) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L + 7);
    this.nodes = 2 + random.nextInt(8);
  }

  static Problem of(long seed) {
    return new RandomMeshes(seed).problem();
  }

  private Problem problem() {
    List<UtilityFunction> functions = new ArrayList<>();
    for (int f = 0; f <= random.nextInt(5); f++) {
      functions.add(function("f" + f));
    }
    List<Application> applications = new ArrayList<>();
    for (int a = 0; a <= random.nextInt(12); a++) {
      int from = random.nextInt(nodes);
      int to = (from + 1 + random.nextInt(nodes - 1)) % nodes;
      UtilityFunction function = functions.get(random.nextInt(functions.size()));
      int count = random.nextInt(4) == 0 ? 1 + random.nextInt(20) : 1;
      applications.add(Application.of("a" + a, "n" + from, "n" + to, function, count, 0));
    }
    List<String> names = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      names.add("n" + n);
    }
    return Problem.of(
        "mesh",
        Network.of(names, links()),
        applications,
        random.nextInt(3) * 300_000_000L,
        random.nextInt(4) == 0 ? Sharing.SAME_UTILITY_PER_TYPE : Sharing.FREE);
  }

  private List<Link> links() {
    boolean isChain = random.nextInt(3) == 0;
    int chords = isChain ? 0 : random.nextInt(nodes);
    TreeSet<LinkId> ids = new TreeSet<>();
    for (int n = 0; n < nodes; n++) {
      if (n + 1 < nodes || !isChain) {
        connect(ids, n, (n + 1) % nodes);
      }
    }
    for (int c = 0; c < chords; c++) {
      connect(ids, random.nextInt(nodes), random.nextInt(nodes));
    }
    int load = random.nextInt(3);
    return ids.stream().map(id -> link(id, load)).collect(Collectors.toList());
  }

  private void connect(TreeSet<LinkId> ids, int one, int other) {
    if (one != other && random.nextInt(12) > 0) {
      ids.add(LinkId.of("n" + one, "n" + other));
    }
    if (one != other && random.nextInt(12) > 0) {
      ids.add(LinkId.of("n" + other, "n" + one));
    }
  }

  /**
   * @param load how many of three delays grow with the load
   */
  private Link link(LinkId id, int load) {
    DataRate capacity =
        DataRate.ofKilobitsPerSecond(5 + random.nextInt(random.nextBoolean() ? 60 : 600));
    Latency idle = Latency.ofMillis(random.nextInt(8));
    if (random.nextInt(3) >= load) {
      return Link.of(id.from(), id.to(), capacity, LinkDelay.constant(idle));
    }
    List<DataRate> loads = new ArrayList<>(List.of(DataRate.ZERO));
    List<Latency> delays = new ArrayList<>(List.of(idle));
    for (int p = 0; p <= random.nextInt(3); p++) {
      loads.add(loads.get(p).plus(DataRate.ofKilobitsPerSecond(1 + random.nextInt(100))));
      delays.add(delays.get(p).plus(Latency.ofMillis(random.nextInt(30))));
    }
    return Link.of(id.from(), id.to(), capacity, LinkDelay.piecewise(loads, delays));
  }

  private UtilityFunction function(String name) {
    List<DataRate> rates = new ArrayList<>();
    int rate = random.nextInt(3);
    for (int t = 0; t <= random.nextInt(7); t++) {
      rate += 1 + random.nextInt(15);
      rates.add(DataRate.ofKilobitsPerSecond(rate));
    }
    List<Latency> delays = new ArrayList<>();
    int delay = 10;
    for (int d = 0; d <= random.nextInt(5); d++) {
      delay += 1 + random.nextInt(30);
      delays.add(Latency.ofMillis(delay));
    }
    List<List<Utility>> table = new ArrayList<>();
    for (int t = 0; t < rates.size(); t++) {
      List<Utility> row = new ArrayList<>();
      for (int d = 0; d < delays.size(); d++) {
        double good = (t + 1.0) / rates.size() * (1 - d / 8.0);
        double noisy = 1 + 4 * good + random.nextGaussian() * 0.3;
        row.add(Utility.of(Math.round(Math.max(1, Math.min(5, noisy)) * 1e6) / 1e6));
      }
      table.add(row);
    }
    return UtilityFunction.of(name, rates, delays, table);
  }
}
