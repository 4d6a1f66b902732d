package org.paceline.allocator.auto;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.BestCells;
import org.paceline.allocator.SolveOptions;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.BoxTree;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;

/**
 * Solves independent parts one by one: theta is that of the worst-off part, the sum and its bound
 * are sums over the parts.
 *
 * <p>A part whose own theta is greater has the floor of the whole all the same, so that its sum is
 * sought again with as much more epsilon.
 */
final class Partwise {
  private final Allocator each;
  private final Problem whole;
  private final List<Problem> parts;
  private final SolveOptions options;
  private final long end;

  Partwise(Allocator each, Problem whole, List<Problem> parts, SolveOptions options) {
    this.each = each;
    this.whole = whole;
    this.parts = parts;
    this.options = options;
    this.end = System.nanoTime() + options.timeLimit().toNanos();
  }

  /** A proof that one part has no solution is one for the whole. */
  Outcome outcome() {
    List<Solution> found = new ArrayList<>();
    Optional<Infeasible> open = Optional.empty();
    for (Problem part : parts) {
      // Every part may be solved twice.
      Outcome outcome = each.solve(part, within(2 * (parts.size() - found.size())));
      if (outcome.solution().isPresent()) {
        found.add(outcome.orElseThrow());
      } else if (isUndecided(outcome)) {
        open = open.isPresent() ? open : outcome.infeasible();
      } else {
        return outcome;
      }
    }
    if (open.isPresent()) {
      return Outcome.infeasible(open.get());
    }
    Utility theta =
        found.stream()
            .map(Solution::theta1)
            .min(Utility::compareTo)
            .orElseThrow(AssertionError::new);
    List<Solution> solutions = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      boolean isStricter = floor(found.get(i).theta1()) > floor(theta);
      solutions.add(
          isStricter ? atFloor(parts.get(i), found.get(i), theta, parts.size() - i) : found.get(i));
    }
    return Outcome.solved(joined(theta, solutions));
  }

  private static boolean isUndecided(Outcome outcome) {
    return outcome
        .infeasible()
        .filter(why -> why.reason() == Infeasible.Reason.UNDECIDED)
        .isPresent();
  }

  private long floor(Utility theta) {
    return Math.max(Utility.SCALE, theta.billionths() - whole.epsilonBillionths());
  }

  private SolveOptions within(int parties) {
    long left = Math.max(1_000_000, (end - System.nanoTime()) / parties);
    return options.toBuilder().timeLimit(Duration.ofNanos(left)).build();
  }

  /** The part with the floor that the whole has at theta. */
  private Solution atFloor(Problem part, Solution strict, Utility theta, int parties) {
    long floor = floor(theta);
    long epsilon = Math.min(4 * Utility.SCALE, strict.theta1().billionths() - floor);
    Problem lower =
        Problem.of(part.name(), part.network(), part.applications(), epsilon, part.sharing());
    Optional<Solution> found = each.solve(lower, within(parties)).solution();
    boolean keepsFloor = found.filter(s -> s.minimumUtility().billionths() >= floor).isPresent();
    // Another theta, where time ran out, means another floor: a bound holds for greater ones too.
    boolean isBounded = found.filter(s -> s.theta1().billionths() - epsilon <= floor).isPresent();
    Certificate bound =
        isBounded
            ? found.get().certificate()
            : strict.certificate().withSum(BestCells.sum(part), Certificate.Proof.PRICES, Map.of());
    Solution better =
        found.filter(s -> keepsFloor && s.sumBillionths() >= strict.sumBillionths()).orElse(strict);
    // Theta was refuted beyond the first one's bound, whatever the second found out.
    Certificate certificate = strict.certificate().withSumOf(bound);
    return Solution.of(strict.theta1(), better.grants(), certificate);
  }

  private static Solution joined(Utility theta, List<Solution> solutions) {
    List<Grant> grants = new ArrayList<>();
    Map<LinkId, Double> prices = new HashMap<>();
    List<BoxTree> boxes = new ArrayList<>();
    Certificate.Proof proof = Certificate.Proof.PRICES;
    long bound = 0;
    Certificate least = solutions.get(0).certificate();
    for (Solution solution : solutions) {
      Certificate own = solution.certificate();
      grants.addAll(solution.grants());
      if (own.sumBoxes().isEmpty()) {
        prices.putAll(own.prices());
      }
      bound += own.sumBound();
      proof = own.proof().compareTo(proof) > 0 ? own.proof() : proof;
      boxes.addAll(own.sumBoxes());
      least = own.thetaBound().compareTo(least.thetaBound()) < 0 ? own : least;
    }
    grants.sort(Comparator.comparing(Grant::applicationId));
    return Solution.of(
        theta,
        grants,
        least
            .withSum(bound, proof, prices)
            .withLevels(List.of())
            .withBoxes(least.refutingBoxes(), boxes));
  }
}
