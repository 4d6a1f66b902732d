package org.paceline.control.scheme.utility;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.paceline.control.model.Unserved;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.Scheme;
import org.paceline.control.scheme.Snapshot;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.utility.UtilityFunction;

/** Grants by application id, and the reason for each application without one. */
final class PlanAnswer {
  /** Of the certified gap: below it, no solution is worth changing rates for. */
  private static final double GREAT_GAP = 0.01;

  final Map<String, Grant> grants = new TreeMap<>();
  final Map<String, Unserved> unserved = new TreeMap<>();

  /** The small rates of some without a grant. */
  final Map<String, Grant> restrained = new TreeMap<>();

  final Set<String> methods = new LinkedHashSet<>();
  final List<String> remarks = new ArrayList<>();

  /** Billionths of utility per millibit a second. */
  final Map<LinkId, Double> prices = new TreeMap<>();

  boolean undecided;

  /** Whether a part only follows who came and went. */
  boolean followed;

  double gap;
  Duration elapsed = Duration.ZERO;

  /** The certified gap: how much better any other solution can be at most, relative. */
  double gap() {
    return gap;
  }

  /** Whether a solver with more time may well find something clearly better. */
  boolean ranOutOfTime() {
    return undecided || gap > GREAT_GAP;
  }

  /** As what others know of it, made for the snapshot. */
  Decision decision(Snapshot snapshot, boolean isStep, Scheme.Memory memory) {
    return Decision.builder()
        .directing(SchemeName.UTILITY_FAIR, grants, restrained)
        .unserved(Collections.unmodifiableMap(unserved))
        .prices(Collections.unmodifiableMap(prices))
        .remarks(List.copyOf(remarks))
        .method(method())
        .gap(gap)
        .elapsed(elapsed)
        .quality(quality())
        .isStep(isStep)
        .applications(snapshot.applications())
        .network(snapshot.routes().network())
        .memory(memory)
        .build();
  }

  private Decision.Quality quality() {
    if (undecided) {
      return Decision.Quality.UNDECIDED;
    }
    return ranOutOfTime() || followed ? Decision.Quality.IMPROVABLE : Decision.Quality.GOOD;
  }

  /** For a fault of its own; the solver alone knows which delay is too long. */
  void refuse(Application application, Infeasible why) {
    unserved.put(
        application.id(),
        why.reason() == Infeasible.Reason.NO_PATH
            ? Unserved.of(Unserved.Code.NO_PATH, application.from(), application.to())
            : Unserved.of(Unserved.Code.TOO_SLOW, why.message()));
  }

  void take(Solution solution) {
    solution.grants().forEach(g -> grants.put(g.applicationId(), g));
    gap = Math.max(gap, solution.gap());
    prices.putAll(solution.certificate().prices());
  }

  /** These instead, though they are worth a little less. */
  void hold(Map<String, Grant> held) {
    double now = sum(grants);
    gap += Math.max(0, (now - sum(held)) / Math.max(1, now));
    grants.putAll(held);
    methods.add("held");
  }

  /** That nobody can be worth more than its table says is a bound, too. */
  double greatestGap(List<Application> applications) {
    double most = applications.stream().mapToLong(PlanAnswer::greatest).sum();
    return (most - sum(grants)) / Math.max(1, most);
  }

  private static long greatest(Application application) {
    UtilityFunction function = application.utilityFunction();
    return IntStream.range(0, function.throughputBins() * function.delayBins())
        .mapToLong(
            cell ->
                function.utilityBillionths(
                    cell / function.delayBins(), cell % function.delayBins()))
        .max()
        .orElseThrow();
  }

  private static double sum(Map<String, Grant> of) {
    return of.values().stream().mapToLong(g -> g.utility().billionths()).sum();
  }

  String method() {
    return methods.isEmpty() ? "none" : String.join(" + ", methods);
  }
}
