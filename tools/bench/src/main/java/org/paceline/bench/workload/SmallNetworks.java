package org.paceline.bench.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.catalogue.Catalogue;

/** Small networks that are to be solved to the optimum. Equal arguments give equal problems. */
public final class SmallNetworks {
  /** What a network looks like. */
  public enum Shape {
    /** A chain of links, and applications over one or more of them, all in one direction. */
    PARKING_LOT,
    /** Three nodes; the direct link between two of them is slow, the detour is quick. */
    TRIANGLE,
    /** From one node to another by a quick narrow way or by a slow wide one. */
    TWO_WAYS,
    /** A tree of four to six nodes with chords, and applications between any two nodes. */
    MESH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private final Random random;
  private final List<String> nodes = new ArrayList<>();
  private final List<Link> links = new ArrayList<>();

  private SmallNetworks(Random random) {
    this.random = random;
  }

  /** With 25 to 45 applications of the six types. */
  public static Problem of(Shape shape, Sharing sharing, long seed) {
    // Seeds that follow each other give random numbers alike, unless they are scattered.
    return new SmallNetworks(new Random(seed * 0x9E3779B97F4A7C15L)).problem(shape, sharing, seed);
  }

  private Problem problem(Shape shape, Sharing sharing, long seed) {
    build(shape);
    List<UtilityFunction> functions = new ArrayList<>(Catalogue.load().values());
    List<Application> applications = new ArrayList<>();
    int size = between(25, 45);
    while (applications.size() < size) {
      int from = random.nextInt(nodes.size());
      int to = random.nextInt(nodes.size());
      boolean ends = from == 0 && to == nodes.size() - 1;
      if (shape == Shape.TWO_WAYS ? ends : shape == Shape.PARKING_LOT ? from < to : from != to) {
        applications.add(
            Application.of(
                "a" + applications.size(),
                nodes.get(from),
                nodes.get(to),
                functions.get(random.nextInt(functions.size()))));
      }
    }
    return Problem.of(
        shape + " " + seed, Network.of(nodes, links), applications, Problem.PAPER_EPSILON, sharing);
  }

  private void build(Shape shape) {
    switch (shape) {
      case PARKING_LOT:
        nodes(between(4, 5));
        for (int n = 1; n < nodes.size(); n++) {
          cable(n - 1, n, between(15, 30), 2);
        }
        break;
      case TRIANGLE:
        nodes(3);
        cable(0, 1, between(8, 20), between(2, 8));
        cable(1, 2, between(8, 20), between(2, 8));
        cable(0, 2, between(5, 12), between(20, 40));
        break;
      case TWO_WAYS:
        nodes(4);
        int quick = between(2, 8);
        int slow = between(12, 25);
        cable(0, 1, quick, 1);
        cable(1, 3, quick, 1);
        cable(0, 2, slow, between(60, 110));
        cable(2, 3, slow, between(60, 110));
        break;
      case MESH:
        nodes(between(4, 6));
        for (int n = 1; n < nodes.size(); n++) {
          cable(random.nextInt(n), n, between(5, 20), between(1, 40));
        }
        cable(0, nodes.size() - 1, between(5, 20), between(1, 40));
        cable(1, nodes.size() - 1, between(5, 20), between(1, 40));
        break;
    }
  }

  private int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  private void nodes(int count) {
    for (int n = 0; n < count; n++) {
      nodes.add("s" + n);
    }
  }

  /** A link in both directions, unless the two are joined. */
  private void cable(int a, int b, int mbps, int millis) {
    String from = nodes.get(a);
    String to = nodes.get(b);
    if (links.stream().anyMatch(link -> link.from().equals(from) && link.to().equals(to))) {
      return;
    }
    DataRate capacity = DataRate.ofKilobitsPerSecond(mbps * 1_000L);
    LinkDelay delay = LinkDelay.constant(Latency.ofMillis(millis));
    links.add(Link.of(from, to, capacity, delay));
    links.add(Link.of(to, from, capacity, delay));
  }
}
