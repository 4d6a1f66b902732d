package org.paceline.bench.workload;

import java.util.Comparator;
import java.util.List;
import org.paceline.intents.network.Network;

/** A network before its links are dimensioned, and the nodes at which applications end. */
public record Topology(String name, Network network, List<String> edges) {
  private static final int HUBS = 4;

  /** The edges with the most links, where servers would stand. */
  public List<String> hubs() {
    return edges.stream()
        .sorted(
            Comparator.comparingInt((String edge) -> -network.outgoing(edge).size())
                .thenComparing(Comparator.naturalOrder()))
        .limit(HUBS)
        .toList();
  }
}
