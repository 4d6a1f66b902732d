package org.paceline.intents.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Says what is wrong with a solution, every constraint of Sieber et al. 2020, appendix A, taken
 * from the problem alone: bins and cells (7 to 11), paths (12 to 14), capacities (15, 16), delays
 * at the solution's own loads (17 to 21), the floor (5) and the counts.
 *
 * <p>All comparisons are of whole numbers; the only tolerance is the one that the problem itself
 * grants, {@link Link#limitMillibits}. O(grants times hops).
 */
public final class SolutionChecker {
  private final Problem problem;
  private final Solution solution;
  private final List<String> violations = new ArrayList<>();
  private final Map<LinkId, Long> loads = new TreeMap<>();

  private SolutionChecker(Problem problem, Solution solution) {
    this.problem = problem;
    this.solution = solution;
  }

  /** One sentence for each violation, in a fixed order; empty if the solution keeps them all. */
  public static List<String> violations(Problem problem, Solution solution) {
    SolutionChecker checker = new SolutionChecker(problem, solution);
    checker.checkGrants();
    checker.checkCapacities();
    checker.checkDelays();
    checker.checkTypes();
    checker.checkUtilities();
    return Collections.unmodifiableList(checker.violations);
  }

  private void checkGrants() {
    Map<String, Application> applications = new LinkedHashMap<>();
    problem.applications().forEach(a -> applications.put(a.id(), a));
    Map<String, Long> granted = new HashMap<>();
    for (Grant grant : solution.grants()) {
      Application application = applications.get(grant.applicationId());
      if (application == null) {
        violate("The grant to (%s) is to no application of the problem.", grant.applicationId());
        continue;
      }
      granted.merge(grant.applicationId(), (long) grant.count(), Long::sum);
      checkCell(grant, application.utilityFunction());
      checkPath(grant, application);
    }
    for (Application application : problem.applications()) {
      long copies = granted.getOrDefault(application.id(), 0L);
      if (copies != application.count()) {
        violate(
            "The application (%s) counts %d but %d are granted.",
            application.id(), application.count(), copies);
      }
    }
  }

  private void checkCell(Grant grant, UtilityFunction function) {
    int row = 0;
    while (row < function.throughputBins() && !function.throughput(row).equals(grant.rate())) {
      row++;
    }
    int column = 0;
    while (column < function.delayBins() && !function.delay(column).equals(grant.delay())) {
      column++;
    }
    boolean isRate = row < function.throughputBins();
    boolean isDelay = column < function.delayBins();
    if (!isRate) {
      violate(
          "The rate (%s) of (%s) is no bin of (%s).",
          grant.rate(), grant.applicationId(), function.name());
    }
    if (!isDelay) {
      violate(
          "The delay (%s) of (%s) is no bin of (%s).",
          grant.delay(), grant.applicationId(), function.name());
    }
    if (isRate && isDelay && !function.utility(row, column).equals(grant.utility())) {
      violate(
          "The utility (%s) of (%s) is not its cell's (%s).",
          grant.utility(), grant.applicationId(), function.utility(row, column));
    }
  }

  private void checkPath(Grant grant, Application application) {
    List<String> nodes = grant.path().nodes();
    if (new HashSet<>(nodes).size() != nodes.size()) {
      violate("The path (%s) of (%s) has a loop.", grant.path(), grant.applicationId());
    }
    if (!grant.path().from().equals(application.from())
        || !grant.path().to().equals(application.to())) {
      violate(
          "The path (%s) of (%s) does not lead from (%s) to (%s).",
          grant.path(), grant.applicationId(), application.from(), application.to());
    }
    long load = timesOrMax(grant.rate().millibitsPerSecond(), grant.count());
    for (LinkId hop : grant.path().hops()) {
      if (problem.network().link(hop).isEmpty()) {
        violate("The path of (%s) uses (%s), which is no link.", grant.applicationId(), hop);
      }
      loads.merge(hop, load, SolutionChecker::plusOrMax);
    }
  }

  private void checkCapacities() {
    for (Map.Entry<LinkId, Long> entry : loads.entrySet()) {
      Optional<Link> link = problem.network().link(entry.getKey());
      if (link.isPresent() && entry.getValue() > link.get().limitMillibits()) {
        violate(
            "The link (%s) carries %s of %s.",
            entry.getKey(), DataRate.ofMillibitsPerSecond(entry.getValue()), link.get().capacity());
      }
    }
  }

  private void checkDelays() {
    Map<LinkId, Long> delays = new HashMap<>();
    for (Grant grant : solution.grants()) {
      long delay = 0;
      for (LinkId hop : grant.path().hops()) {
        delay = plusOrMax(delay, delays.computeIfAbsent(hop, this::delayNanos));
      }
      if (delay > grant.delay().nanos()) {
        violate(
            "The path of (%s) takes %s at the granted loads, more than its delay (%s).",
            grant.applicationId(), Latency.ofNanos(delay), grant.delay());
      }
    }
  }

  private long delayNanos(LinkId hop) {
    long load = loads.getOrDefault(hop, 0L);
    return problem.network().link(hop).map(link -> link.delay().nanosAt(load)).orElse(0L);
  }

  private void checkTypes() {
    if (problem.sharing() != Sharing.SAME_UTILITY_PER_TYPE) {
      return;
    }
    Map<String, String> functions = new HashMap<>();
    problem.applications().forEach(a -> functions.put(a.id(), a.utilityFunction().name()));
    Map<String, Grant> first = new HashMap<>();
    for (Grant grant : solution.grants()) {
      String function = functions.getOrDefault(grant.applicationId(), grant.applicationId());
      Grant known = first.putIfAbsent(function, grant);
      if (known != null
          && !(known.rate().equals(grant.rate()) && known.delay().equals(grant.delay()))) {
        violate(
            "The type (%s) must share one cell, but (%s) has (%s, %s) and (%s) has (%s, %s).",
            function,
            known.applicationId(),
            known.rate(),
            known.delay(),
            grant.applicationId(),
            grant.rate(),
            grant.delay());
      }
    }
  }

  private void checkUtilities() {
    long least = Long.MAX_VALUE;
    long sum = 0;
    for (Grant grant : solution.grants()) {
      long utility = grant.utility().billionths();
      least = Math.min(least, utility);
      sum = plusOrMax(sum, timesOrMax(utility, grant.count()));
    }
    long floor = solution.theta1().billionths() - problem.epsilonBillionths();
    for (Grant grant : solution.grants()) {
      if (grant.utility().billionths() < floor) {
        violate(
            "The utility (%s) of (%s) is below the floor, theta1 (%s) less epsilon (%s).",
            grant.utility(),
            grant.applicationId(),
            solution.theta1(),
            problem.epsilonBillionths() / (double) Utility.SCALE);
      }
    }
    if (least > solution.theta1().billionths()) {
      violate(
          "The theta1 (%s) is not the greatest least utility: the grants reach %s.",
          solution.theta1(), Utility.ofBillionths(least));
    }
    if (least != solution.minimumUtility().billionths()) {
      violate(
          "The minimum utility (%s) is not that of the grants (%s).",
          solution.minimumUtility(), Utility.ofBillionths(least));
    }
    if (sum != solution.sumBillionths()) {
      violate(
          "The sum of utilities (%d billionths) is not that of the grants (%d).",
          solution.sumBillionths(), sum);
    }
  }

  private void violate(String sentence, Object... values) {
    violations.add(String.format(Locale.ROOT, sentence, values));
  }

  /** The sum, or the greatest long where it is beyond: no limit is as high. */
  private static long plusOrMax(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  private static long timesOrMax(long a, long b) {
    return a != 0 && b > Long.MAX_VALUE / a ? Long.MAX_VALUE : a * b;
  }
}
