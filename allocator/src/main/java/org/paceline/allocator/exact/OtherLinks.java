package org.paceline.allocator.exact;

import java.util.HashMap;
import java.util.Map;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/** Whether the links that were left out of the search carry what it granted. */
final class OtherLinks {
  private final Problem problem;
  private final BottleneckShape shape;

  OtherLinks(Problem problem, BottleneckShape shape) {
    this.problem = problem;
    this.shape = shape;
  }

  boolean hold(Solution solution) {
    if (problem.network().links().size() == 1 || shape.pathsAreTheSame()) {
      return true;
    }
    Map<LinkId, Long> loads = new HashMap<>();
    for (Grant grant : solution.grants()) {
      long load = grant.count() * grant.rate().millibitsPerSecond();
      grant.path().hops().forEach(hop -> loads.merge(hop, load, Long::sum));
    }
    return loads.entrySet().stream()
        .allMatch(
            e ->
                e.getValue()
                    <= problem
                        .network()
                        .link(e.getKey())
                        .map(Link::limitMillibits)
                        .orElse(Long.MIN_VALUE));
  }
}
