package org.paceline.allocator.milp;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Collects what a solver chose for single copies and turns it into grants.
 *
 * <p>Mixed-integer solvers keep constraints within tolerances only; what they choose is therefore
 * held against the whole numbers of the problem once more, here, before anybody sees it.
 */
final class GrantBook {
  /** What one copy of an application may be granted. */
  @AutoValue
  abstract static class Choice {
    abstract String applicationId();

    abstract int rateBin();

    abstract int delayBin();

    abstract Path path();
  }

  private static final Comparator<Grant> BEST_FIRST =
      Comparator.comparing(Grant::applicationId)
          .thenComparing(Grant::utility, Comparator.reverseOrder())
          .thenComparing(Grant::rate)
          .thenComparing(Grant::delay)
          .thenComparing(grant -> grant.path().toString());

  private final Problem problem;
  private final Map<String, Application> applications = new HashMap<>();
  private final Map<Choice, Integer> copies = new HashMap<>();

  GrantBook(Problem problem) {
    this.problem = problem;
    problem.applications().forEach(a -> applications.put(a.id(), a));
  }

  void add(Application application, int rateBin, int delayBin, Path path, int count) {
    if (count > 0) {
      Choice choice = new AutoValue_GrantBook_Choice(application.id(), rateBin, delayBin, path);
      copies.merge(choice, count, Integer::sum);
    }
  }

  /**
   * By application, best first.
   *
   * @throws IllegalStateException if a link is above its limit or a path too slow
   */
  List<Grant> grants() {
    List<Grant> grants = new ArrayList<>();
    copies.forEach(
        (choice, count) -> {
          UtilityFunction function = function(choice.applicationId());
          grants.add(
              Grant.of(
                  choice.applicationId(),
                  count,
                  function.throughput(choice.rateBin()),
                  function.delay(choice.delayBin()),
                  function.utility(choice.rateBin(), choice.delayBin()),
                  choice.path()));
        });
    grants.sort(BEST_FIRST);
    Map<LinkId, Long> loads = new HashMap<>();
    for (Grant grant : grants) {
      long load = Math.multiplyExact(grant.rate().millibitsPerSecond(), (long) grant.count());
      grant.path().hops().forEach(hop -> loads.merge(hop, load, Math::addExact));
    }
    loads.forEach(this::requireRoom);
    grants.forEach(grant -> requireInTime(grant, loads));
    return grants;
  }

  Utility least() {
    return copies.keySet().stream()
        .map(c -> function(c.applicationId()).utility(c.rateBin(), c.delayBin()))
        .min(Comparator.naturalOrder())
        .orElseThrow(() -> new IllegalStateException("Nothing was granted."));
  }

  private UtilityFunction function(String applicationId) {
    Application application = applications.get(applicationId);
    if (application == null) {
      throw new IllegalStateException("A grant was made to nobody (" + applicationId + ").");
    }
    return application.utilityFunction();
  }

  private void requireRoom(LinkId hop, long load) {
    if (load > link(hop).limitMillibits()) {
      throw new IllegalStateException(
          String.format(
              "The solver's answer puts %d mbit/s on (%s), within its tolerance but above %d.",
              load, hop, link(hop).limitMillibits()));
    }
  }

  private void requireInTime(Grant grant, Map<LinkId, Long> loads) {
    long nanos = 0;
    for (LinkId hop : grant.path().hops()) {
      nanos += link(hop).delay().nanosAt(loads.getOrDefault(hop, 0L));
    }
    if (nanos > grant.delay().nanos()) {
      throw new IllegalStateException(
          String.format(
              "The solver's answer lets (%s) take %d ns, within its tolerance but above %s.",
              grant.applicationId(), nanos, grant.delay()));
    }
  }

  private Link link(LinkId hop) {
    return problem
        .network()
        .link(hop)
        .orElseThrow(() -> new IllegalStateException("There is no link (" + hop + ")."));
  }
}
