package org.paceline.control.scheme.utility;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.exact.OneBottleneck;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.Unserved;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.LeastShares;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;

/**
 * Solves what the network has to carry, part by part: conversations that can never meet on a link
 * are parts of their own, so that each direction of a tree is one exact small problem. A part with
 * one bottleneck is solved exactly, any other by the network method, or by following who came and
 * went since that last did. An operator may choose another method ({@link ChosenMethod}).
 *
 * <p>Every part gets its own greatest least utility; that of the worst is the plan's.
 */
final class PlanSolver {
  /** For who solves in peace, how many times the limit. */
  private static final int PATIENCE = 10;

  /** Admission solves many times; all of it should take about as long as one long solve. */
  private static final int ADMISSION_STEPS = 20;

  private final ChosenMethod method;
  private final Allocator network;
  private final PlannerSettings settings;
  private final SolveOptions options;

  /**
   * @param warnings gets a sentence for each method that failed, and so was answered by another
   */
  PlanSolver(Allocator network, PlannerSettings settings, Consumer<String> warnings) {
    this(
        new ChosenMethod(new OneBottleneck()::attempt, new CheckedMilp(), settings, warnings),
        network,
        settings);
  }

  PlanSolver(ChosenMethod method, Allocator network, PlannerSettings settings) {
    this.method = method;
    this.network = network;
    this.settings = settings;
    // Nobody notices a thousandth of a sum, but everybody waits for it.
    this.options =
        SolveOptions.DEFAULT.toBuilder().timeLimit(settings.solveLimit()).targetGap(1e-3).build();
  }

  /** From nothing, and leaves nothing behind: any thread may. */
  PlanAnswer solve(List<Application> applications, Set<String> incumbents, Routes routes) {
    return solve(applications, incumbents, routes, new LiveNetwork());
  }

  /** The same with more time. */
  PlanSolver patient() {
    PlannerSettings longer =
        settings.toBuilder()
            .solveLimit(settings.solveLimit().multipliedBy(PATIENCE))
            .milpLimit(settings.milpLimit().multipliedBy(PATIENCE))
            .build();
    return new PlanSolver(method.with(longer), network, longer);
  }

  /**
   * Ways for applications that have little choice of rate or none ({@link Holdover#pinned}), each
   * for itself: those of one function need not be alike. Empty where the links do not carry them.
   * Takes the time of {@link #patient}: all rates hold meanwhile, and a controller that has just
   * started computes slowly.
   */
  Optional<Map<String, Grant>> carry(List<Application> pinned, Routes routes) {
    if (pinned.stream().anyMatch(a -> routes.shortest(a.from(), a.to()).isEmpty())) {
      return Optional.empty();
    }
    SolveOptions inPeace =
        options.toBuilder().timeLimit(settings.solveLimit().multipliedBy(PATIENCE)).build();
    Map<String, Grant> grants = new TreeMap<>();
    for (List<Application> part : IndependentParts.of(pinned, routes)) {
      Problem problem =
          Problem.of(
              "rates in force", routes.network(), part, settings.epsilonBillionths(), Sharing.FREE);
      method
          .exactly(problem, inPeace)
          .orElseGet(() -> network.solve(problem, inPeace))
          .solution()
          .ifPresent(found -> found.grants().forEach(g -> grants.put(g.applicationId(), g)));
    }
    return Optional.of(grants).filter(all -> Holdover.isGranted(pinned, all));
  }

  /**
   * @param incumbents the ids of those who are served already
   * @param live where a network's solution is kept from one call to the next
   */
  PlanAnswer solve(
      List<Application> applications, Set<String> incumbents, Routes routes, LiveNetwork live) {
    long begin = System.nanoTime();
    PlanAnswer answer = new PlanAnswer();
    List<Application> reachable = reachable(applications, routes, answer);
    List<List<Application>> parts = IndependentParts.of(reachable, routes);
    for (List<Application> part : parts) {
      // One solution can be kept: that of a network with a choice of ways is the whole.
      solvePart(part, incumbents, routes, answer, parts.size() == 1 ? live : new LiveNetwork());
    }
    answer.elapsed = Duration.ofNanos(System.nanoTime() - begin);
    return answer;
  }

  /** Refuses the others. */
  private static List<Application> reachable(
      List<Application> applications, Routes routes, PlanAnswer answer) {
    List<Application> reachable = new ArrayList<>();
    for (Application application : applications) {
      if (routes.shortest(application.from(), application.to()).isPresent()) {
        reachable.add(application);
      } else {
        answer.unserved.put(
            application.id(),
            Unserved.of(Unserved.Code.NO_PATH, application.from(), application.to()));
      }
    }
    return reachable;
  }

  /**
   * An answer at once for a network that has changed, in which nobody has another grant but who
   * lost by the change ({@link LocalRepair}). Empty where nobody did, where a full answer takes no
   * longer, or where only that can say who is served.
   *
   * @param before the answer in force
   */
  Optional<PlanAnswer> mend(List<Application> applications, Decision before, Routes routes) {
    long begin = System.nanoTime();
    PlanAnswer answer = new PlanAnswer();
    List<Application> wanted = reachable(applications, routes, answer);
    for (Application application : List.copyOf(wanted)) {
      // Whether there is room for it now is for the full answer to say.
      Optional.ofNullable(before.unserved().get(application.id()))
          .filter(why -> wanted.remove(application))
          .ifPresent(why -> answer.unserved.put(application.id(), why));
    }
    if (!before.restrained().isEmpty()
        || IndependentParts.of(wanted, routes).stream()
            .allMatch(part -> method.isQuick(problem(part, routes), options))) {
      return Optional.empty();
    }
    Optional<Map<String, Grant>> mended =
        LocalRepair.of(wanted, before.grants(), routes.network())
            .filter(
                grants ->
                    before.grants().values().stream().anyMatch(was -> isAnother(was, grants)));
    return mended.map(
        grants -> {
          answer.methods.add("mended");
          answer.grants.putAll(grants);
          answer.prices.putAll(before.prices());
          answer.prices.keySet().removeIf(link -> routes.network().link(link).isEmpty());
          answer.gap = answer.greatestGap(wanted);
          answer.remarks.add(
              "The network has changed: who lost by it is seated anew, and a full solution"
                  + " follows.");
          answer.elapsed = Duration.ofNanos(System.nanoTime() - begin);
          return answer;
        });
  }

  private static boolean isAnother(Grant was, Map<String, Grant> grants) {
    return Optional.ofNullable(grants.get(was.applicationId()))
        .filter(now -> !now.rate().equals(was.rate()) || !now.path().equals(was.path()))
        .isPresent();
  }

  private Problem problem(List<Application> part, Routes routes) {
    return Problem.of(
        "plan", routes.network(), part, settings.epsilonBillionths(), settings.sharing());
  }

  private void solvePart(
      List<Application> part,
      Set<String> incumbents,
      Routes routes,
      PlanAnswer answer,
      LiveNetwork live) {
    List<Application> open = new ArrayList<>(part);
    while (!open.isEmpty()) {
      Problem problem = problem(open, routes);
      Optional<Outcome> chosen = method.attempt(problem, options, answer);
      if (chosen.isEmpty() && followed(problem, answer, live)) {
        return;
      }
      Outcome outcome = chosen.orElseGet(() -> throughNetwork(problem, answer, live));
      Optional<Solution> solution = outcome.solution();
      if (solution.isPresent()) {
        answer.take(solution.get());
        return;
      }
      Infeasible why = outcome.infeasible().orElseThrow(AssertionError::new);
      boolean itsOwnFault =
          why.reason() == Infeasible.Reason.NO_PATH || why.reason() == Infeasible.Reason.TOO_SLOW;
      Optional<Application> its =
          open.stream().filter(a -> a.id().equals(why.applicationId())).findFirst();
      if (!itsOwnFault || its.isEmpty()) {
        scarce(problem, why, incumbents, routes, answer);
        return;
      }
      open.remove(its.get());
      answer.refuse(its.get(), why);
    }
  }

  private void scarce(
      Problem problem, Infeasible why, Set<String> incumbents, Routes routes, PlanAnswer answer) {
    answer.methods.add("admission");
    boolean decided = why.reason() == Infeasible.Reason.NO_ROOM;
    Scarcity scarcity =
        new Scarcity(
            new AutoAllocator(network),
            options.toBuilder()
                .timeLimit(settings.solveLimit().dividedBy(ADMISSION_STEPS))
                .build());
    if (!decided || !scarcity.serve(problem, routes, incumbents, answer)) {
      answer.undecided |= !decided;
      answer.remarks.add(why.message() + " Until then everybody gets a part of the least rate.");
      answer.grants.putAll(LeastShares.of(problem.applications(), routes, problem.network()));
    }
  }

  private static boolean followed(Problem problem, PlanAnswer answer, LiveNetwork live) {
    Optional<List<Grant>> grants = live.follow(problem);
    grants.ifPresent(
        all -> {
          answer.followed = true;
          answer.methods.add("incremental");
          all.forEach(g -> answer.grants.put(g.applicationId(), g));
          answer.gap = Math.max(answer.gap, live.gap());
          answer.prices.putAll(live.prices());
          remarkOnTypes(problem, answer);
        });
    return grants.isPresent();
  }

  private static void remarkOnTypes(Problem problem, PlanAnswer answer) {
    if (problem.sharing() == Sharing.SAME_UTILITY_PER_TYPE) {
      answer.remarks.add(
          "There is a choice of ways, where conversations with the same utility function may get"
              + " different rates.");
    }
  }

  private Outcome throughNetwork(Problem problem, PlanAnswer answer, LiveNetwork live) {
    answer.methods.add("network");
    Outcome alike = network.solve(problem, options);
    boolean notAnswered =
        alike.infeasible().filter(why -> why.reason() == Infeasible.Reason.UNDECIDED).isPresent();
    if (!notAnswered || problem.sharing() == Sharing.FREE) {
      if (problem.sharing() == Sharing.FREE) {
        alike.solution().ifPresent(solution -> live.rebase(problem, solution));
      }
      return alike;
    }
    // Better that two of a type differ than that everybody stays at the least rate.
    Outcome free =
        network.solve(
            Problem.of(
                problem.name(),
                problem.network(),
                problem.applications(),
                problem.epsilonBillionths(),
                Sharing.FREE),
            options);
    free.solution()
        .ifPresent(
            solution -> {
              remarkOnTypes(problem, answer);
              live.rebase(problem, solution);
            });
    return free;
  }
}
