package org.paceline.allocator.incremental;

import java.util.ArrayList;
import java.util.List;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.unit.DataRate;

/**
 * Capacity kept back for applications not yet known, so that a newcomer need not wait for a solve:
 * Sieber et al. 2020, end of appendix A.7.
 */
public final class Reserve {
  private final Network whole;
  private final int permille;

  private Reserve(Network whole, int permille) {
    this.whole = whole;
    this.permille = permille;
  }

  /** The same share of every link, in thousandths. */
  public static Reserve of(Network whole, int permille) {
    if (permille < 0 || permille >= 1_000) {
      throw new IllegalArgumentException(
          "The reserve ("
              + permille
              + " thousandths) must lie from 0 to 999. Maybe 50 keeps one twentieth back.");
    }
    return new Reserve(whole, permille);
  }

  /** What the reserve keeps of a link. */
  public DataRate keptOf(Link link) {
    long all = link.capacity().millibitsPerSecond();
    return DataRate.ofMillibitsPerSecond(all / 1_000 * permille + all % 1_000 * permille / 1_000);
  }

  /** The problem on what the reserve leaves. */
  public Problem withhold(Problem problem) {
    List<Link> links = new ArrayList<>();
    for (Link link : whole.links()) {
      links.add(link.withCapacity(link.capacity().minusOrZero(keptOf(link))));
    }
    return problem.withNetwork(Network.of(whole.nodes(), links));
  }

  /** Lets a newcomer in, opening the reserve if there is no room without it. */
  public LiveReport arrive(LiveAllocation live, Application newcomer) {
    LiveReport report = live.arrive(newcomer);
    if (report.refused().isEmpty()) {
      return report;
    }
    open(live);
    return live.arrive(newcomer);
  }

  /** Gives everything that was kept to the live applications and those that come. */
  public void open(LiveAllocation live) {
    whole.links().forEach(link -> live.changeCapacity(link.id(), link.capacity()));
  }
}
