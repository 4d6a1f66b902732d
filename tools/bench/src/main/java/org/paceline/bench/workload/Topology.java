package org.paceline.bench.workload;

import java.util.List;
import org.paceline.intents.network.Network;

/** A network before its links are dimensioned, and the nodes at which applications end. */
public record Topology(String name, Network network, List<String> edges) {}
