package org.paceline.control.scheme.utility;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** Four switches in a ring, n0 to n3, so that everybody has two ways. */
public final class Ring {
  /** What a solver finds must not depend on how busy the machine is that tests it. */
  public static final PlannerSettings IN_PEACE =
      PlannerSettings.DEFAULT.toBuilder().solveLimit(Duration.ofSeconds(30)).build();

  /** Near enough, and so at once on any machine. */
  public static final Allocator NEARLY =
      (problem, options) ->
          new NetworkAllocator(Optional.empty())
              .solve(problem, options.toBuilder().targetGap(0.02).build());

  private static final UtilityFunction STEPS = steps();

  private Ring() {}

  public static Network of(long kbps) {
    List<Link> links = new ArrayList<>();
    LinkDelay delay = LinkDelay.constant(Latency.ofMillis(1));
    for (int i = 0; i < 4; i++) {
      String a = "n" + i;
      String b = "n" + (i + 1) % 4;
      links.add(Link.of(a, b, DataRate.ofKilobitsPerSecond(kbps), delay));
      links.add(Link.of(b, a, DataRate.ofKilobitsPerSecond(kbps), delay));
    }
    return Network.of(List.of("n0", "n1", "n2", "n3"), links);
  }

  /** Each number has its own ends; it is worth the more the more it gets, up to 4 Mbit/s. */
  public static Application application(int number) {
    int from = number % 4;
    return Application.of("h/" + number, "n" + from, "n" + (from + 1 + number % 3) % 4, STEPS);
  }

  /** No link carries too much. */
  public static void assertCarried(Network network, Collection<Grant> grants) {
    loads(grants)
        .forEach(
            (hop, load) ->
                assertThat(load)
                    .as(hop.toString())
                    .isLessThanOrEqualTo(network.link(hop).map(Link::limitMillibits).orElse(0L)));
  }

  /** In millibits per second. */
  public static Map<LinkId, Long> loads(Collection<Grant> grants) {
    Map<LinkId, Long> loads = new HashMap<>();
    for (Grant grant : grants) {
      grant
          .path()
          .hops()
          .forEach(hop -> loads.merge(hop, grant.rate().millibitsPerSecond(), Long::sum));
    }
    return loads;
  }

  private static UtilityFunction steps() {
    List<DataRate> rates = new ArrayList<>();
    List<List<Utility>> utilities = new ArrayList<>();
    for (int t = 0; t < 40; t++) {
      rates.add(DataRate.ofKilobitsPerSecond(100 * (t + 1)));
      utilities.add(List.of(Utility.of(1 + 4 * Math.sqrt(t / 39.0))));
    }
    return UtilityFunction.of("steps", rates, List.of(Latency.ofMillis(100)), utilities);
  }
}
