package org.paceline.bench.workload;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

/** Networks by rule. Equal arguments give equal networks. */
public final class GeneratedTopologies {
  private static final DataRate NOT_YET = DataRate.ofKilobitsPerSecond(1);
  private static final double FIBRE_KM_PER_MS = 200;
  private static final double SQUARE_KM = 2_000;

  private GeneratedTopologies() {}

  /**
   * A campus of three layers: a full mesh of cores; distribution switches in pairs, each with a
   * link to two cores and to its twin; access switches with a link to both of a pair. Applications
   * end at access switches and at two more on the first cores, for the data centre and the
   * Internet.
   */
  public static Topology campus(int cores, int pairs, int accessOfPair) {
    Builder builder = new Builder();
    List<String> edges = new ArrayList<>();
    for (int c = 0; c < cores; c++) {
      for (int other = 0; other < c; other++) {
        builder.link("core" + c, "core" + other, 0.1);
      }
    }
    for (int p = 0; p < pairs; p++) {
      for (String side : List.of("a", "b")) {
        int first = side.equals("a") ? p : p + 1;
        builder.link("dist" + p + side, "core" + first % cores, 0.2);
        builder.link("dist" + p + side, "core" + (first + 1) % cores, 0.2);
      }
      builder.link("dist" + p + "a", "dist" + p + "b", 0.1);
      for (int a = 0; a < accessOfPair; a++) {
        String access = "access" + p + "-" + a;
        builder.link(access, "dist" + p + "a", 0.1);
        builder.link(access, "dist" + p + "b", 0.1);
        edges.add(access);
      }
    }
    for (String outside : List.of("servers", "internet")) {
      builder.link(outside, "core0", outside.equals("servers") ? 0.1 : 5);
      builder.link(outside, "core1", outside.equals("servers") ? 0.1 : 5);
      edges.add(outside);
    }
    return builder.named("campus-" + builder.nodes.size(), edges);
  }

  /**
   * A wide-area network after Waxman 1988: sites at random in a square of 2000 km, each joined to
   * its nearest earlier one, so that the network hangs together, then pairs at random with a
   * probability that falls with distance until there are as many links as asked for.
   */
  public static Topology waxman(int sites, int links, long seed) {
    Random random = new Random(seed);
    double[][] at = inASquare(sites, random);
    Builder builder = new Builder();
    List<String> edges = new ArrayList<>();
    for (int s = 0; s < sites; s++) {
      edges.add("site" + s);
      int nearest = 0;
      for (int other = 1; other < s; other++) {
        nearest = km(at, s, other) < km(at, s, nearest) ? other : nearest;
      }
      if (s > 0) {
        builder.link("site" + s, "site" + nearest, km(at, s, nearest) / FIBRE_KM_PER_MS);
      }
    }
    while (builder.joined.size() < links) {
      int a = random.nextInt(sites);
      int b = random.nextInt(sites);
      if (a != b && random.nextDouble() < Math.exp(-km(at, a, b) / 400)) {
        builder.link("site" + a, "site" + b, km(at, a, b) / FIBRE_KM_PER_MS);
      }
    }
    return builder.named("wan-" + sites, edges);
  }

  /** Places in kilometres, at random. */
  private static double[][] inASquare(int sites, Random random) {
    double[][] at = new double[sites][2];
    for (double[] site : at) {
      site[0] = SQUARE_KM * random.nextDouble();
      site[1] = SQUARE_KM * random.nextDouble();
    }
    return at;
  }

  private static double km(double[][] at, int a, int b) {
    return Math.hypot(at[a][0] - at[b][0], at[a][1] - at[b][1]);
  }

  /** Collects cables, each a link in both directions. */
  static final class Builder {
    private final Set<String> nodes = new LinkedHashSet<>();
    private final List<Link> links = new ArrayList<>();
    private final Set<LinkId> joined = new LinkedHashSet<>();

    /** Joins two nodes, unless they are joined. */
    void link(String a, String b, double millis) {
      if (joined.contains(LinkId.of(a, b)) || !joined.add(LinkId.of(b, a))) {
        return;
      }
      LinkDelay delay = LinkDelay.constant(Latency.ofNanos(Math.round(millis * 1e6)));
      nodes.add(a);
      nodes.add(b);
      links.add(Link.of(a, b, NOT_YET, delay));
      links.add(Link.of(b, a, NOT_YET, delay));
    }

    Topology named(String name, List<String> edges) {
      return new Topology(name, Network.of(nodes, links), edges);
    }
  }
}
