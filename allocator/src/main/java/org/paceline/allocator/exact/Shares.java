package org.paceline.allocator.exact;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/** Turns what was chosen for crowds into grants of their members, in the order of the problem. */
final class Shares {
  /** Applications that are granted in a row: fewer are not worth another thread. */
  private static final int CHUNK = 1 << 16;

  private Shares() {}

  /** What was chosen for one crowd. */
  static final class Share {
    private final long[] counts;
    private final Path path;

    // The values of each step that anybody has: made once, shared by all its grants.
    private final DataRate[] rates;
    private final Latency[] delays;
    private final Utility[] utilities;
    private final long load;

    /**
     * @param counts how many of the crowd's applications get each step
     */
    Share(Staircase staircase, long[] counts, Path path) {
      this.counts = counts;
      this.path = path;
      this.rates = new DataRate[counts.length];
      this.delays = new Latency[counts.length];
      this.utilities = new Utility[counts.length];
      long sum = 0;
      for (int step = 0; step < counts.length; step++) {
        if (counts[step] > 0) {
          rates[step] = staircase.rate(step);
          delays[step] = staircase.delay(step);
          utilities[step] = staircase.utility(step);
          sum += counts[step] * staircase.rateMillibits(step);
        }
      }
      this.load = sum;
    }

    Path path() {
      return path;
    }

    /** What the crowd puts on its path, in millibits per second. */
    long load() {
      return load;
    }

    private Grant grant(Application to, int count, int step) {
      return Grant.of(to.id(), count, rates[step], delays[step], utilities[step], path);
    }
  }

  /**
   * O(n) for n applications.
   *
   * @param shares for each crowd
   */
  static List<Grant> grants(Crowds crowds, List<Share> shares) {
    List<Application> applications = crowds.applications();
    List<Lots> lots = new ArrayList<>(crowds.size());
    for (int c = 0; c < crowds.size(); c++) {
      lots.add(new Lots(crowds.get(c).members(), shares.get(c).counts));
    }
    int[] lotOf = draw(crowds, lots);
    int chunks = (applications.size() + CHUNK - 1) / CHUNK;
    List<Grant> grants = new ArrayList<>(applications.size());
    if (chunks == 1) {
      grant(crowds, shares, lots, lotOf, 0, grants);
    } else {
      IntStream.range(0, chunks)
          .parallel()
          .mapToObj(
              chunk -> {
                List<Grant> some = new ArrayList<>(CHUNK);
                grant(crowds, shares, lots, lotOf, chunk * CHUNK, some);
                return some;
              })
          .forEachOrdered(grants::addAll);
    }
    return grants;
  }

  /** From one application on, at most a chunk; changes nothing but the grants. */
  private static void grant(
      Crowds crowds,
      List<Share> shares,
      List<Lots> lots,
      int[] lotOf,
      int from,
      List<Grant> grants) {
    List<Application> applications = crowds.applications();
    int end = Math.min(applications.size(), from + CHUNK);
    for (int at = from; at < end; at++) {
      Application application = applications.get(at);
      int crowd = crowds.crowdOf(at);
      Share share = shares.get(crowd);
      Lots drawn = lots.get(crowd);
      if (drawn.isMixed(lotOf[at])) {
        for (int[] part : drawn.parts(application)) {
          grants.add(share.grant(application, part[1], part[0]));
        }
      } else {
        grants.add(share.grant(application, application.count(), drawn.step(lotOf[at])));
      }
    }
  }

  /** Lots by application. Looking at an id costs most, so it is looked at once. */
  private static int[] draw(Crowds crowds, List<Lots> lots) {
    List<Application> applications = crowds.applications();
    int[] lotOf = new int[applications.size()];
    if (lots.stream().allMatch(Lots::isAlike)) {
      return lotOf;
    }
    for (int a = 0; a < lotOf.length; a++) {
      Lots of = lots.get(crowds.crowdOf(a));
      if (!of.isAlike()) {
        lotOf[a] = of.draw(applications.get(a));
      }
    }
    lots.stream().filter(of -> !of.isAlike()).forEach(Lots::settle);
    for (int a = 0; a < lotOf.length; a++) {
      Lots of = lots.get(crowds.crowdOf(a));
      if (of.isMixed(lotOf[a])) {
        of.gather(lotOf[a], applications.get(a));
      }
    }
    lots.forEach(Lots::deal);
    return lotOf;
  }
}
