package org.paceline.control.scheme;

import java.util.Optional;
import java.util.stream.IntStream;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * What a rate that no table chose is worth: the utility of the greatest bin at or below it. Others
 * may still load the links, so the delay is the one at their limits: it holds whatever they do.
 */
public final class WorstCaseGrant {
  private WorstCaseGrant() {}

  public static Grant of(Application application, DataRate rate, Path path, Network network) {
    UtilityFunction function = application.utilityFunction().at(rate);
    long nanos =
        path.hops().stream()
            .flatMap(hop -> network.link(hop).stream())
            .mapToLong(WorstCaseGrant::delayWhenFull)
            .sum();
    Optional<Integer> bin =
        IntStream.range(0, function.delayBins())
            .boxed()
            .filter(d -> function.delayNanos(d) >= nanos)
            .findFirst();
    return Grant.of(
        application.id(),
        application.count(),
        rate,
        bin.map(function::delay).orElse(Latency.ofNanos(nanos)),
        bin.map(d -> function.utility(0, d)).orElse(Utility.MIN),
        path);
  }

  private static long delayWhenFull(Link link) {
    return link.delay().nanosAt(Long.MAX_VALUE);
  }
}
