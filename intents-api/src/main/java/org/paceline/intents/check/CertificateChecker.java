package org.paceline.intents.check;

import static java.math.RoundingMode.FLOOR;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.paceline.intents.check.CertificateReport.Standing;
import org.paceline.intents.problem.BoxTree;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Recomputes what a certificate claims, from its prices or boxes and the problem alone.
 *
 * <p>Weak duality: an allocation that keeps the capacities C_e and the floor has, for any prices
 * lambda_e from 0, a sum of utilities of at most sum_e lambda_e C_e + sum_g n_g max(u - w pi_g(d)),
 * the maximum over the cells (w, d, u) at or above the floor and pi_g(d) the least price of any
 * loop-free path within delay d. A level of utility is refuted if even the cheapest cells at or
 * above it cost more than all links together earn: sum_g n_g min(w pi_g(d)) > sum_e y_e C_e. The
 * page docs/algorithms/certificates.md derives both.
 *
 * <p>The levels of water-filling are {@link LevelChecker}'s affair, and searches in boxes {@link
 * BoxChecker}'s.
 *
 * <p>A bound that another search or a mixed-integer solver claims below the prices' own cannot be
 * checked so; it is then reported as {@link Standing#CLAIMED}. O(sources (Pareto search) + cells).
 */
public final class CertificateChecker {
  /**
   * Prices are doubles: a product is off by at most 2^-53 of itself and a path's price by that for
   * each hop. Both bounds are therefore trusted to this share of the sum of all terms' magnitudes,
   * which is enough for paths of 900 hops.
   */
  public static final double ROUND_OFF = 1e-13;

  private final Problem problem;
  private final Solution solution;
  private final Certificate certificate;
  private final List<CellPrices.Choosers> choosers;
  private final List<String> violations = new ArrayList<>();
  private final BoxChecker boxes;

  private CertificateChecker(Problem problem, Solution solution) {
    this.problem = problem;
    this.solution = solution;
    this.certificate = solution.certificate();
    this.choosers = CellPrices.choosers(problem);
    this.boxes = new BoxChecker(problem);
  }

  public static CertificateReport check(Problem problem, Solution solution) {
    return new CertificateChecker(problem, solution).check();
  }

  private CertificateReport check() {
    boolean usable =
        CellPrices.arePrices(problem, "price", certificate.prices(), violations)
            & CellPrices.arePrices(
                problem, "refuting price", certificate.refutingPrices(), violations);
    if (!usable) {
      return CertificateReport.of(
          violations, Standing.WRONG, Standing.WRONG, List.of(), BigDecimal.ZERO);
    }
    Standing theta = checkTheta();
    Total priceBound = priceBound(choosers);
    Standing sum = checkSum(priceBound);
    List<Standing> levels = new LevelChecker(problem, solution, choosers, violations).check();
    return CertificateReport.of(violations, theta, sum, levels, priceBound.sum());
  }

  private Standing checkSum(Total priceBound) {
    int before = violations.size();
    if (certificate.sumBound() < solution.sumBillionths()) {
      violate(
          "The bound of the sum (%d billionths) is below the sum itself (%d).",
          certificate.sumBound(), solution.sumBillionths());
    }
    BigDecimal most = priceBound.sum().add(priceBound.roundOff());
    if (most.compareTo(BigDecimal.valueOf(solution.sumBillionths())) < 0) {
      violate(
          "The sum (%d billionths) is above what the prices allow anybody (%s): the grants must"
              + " break a constraint.",
          solution.sumBillionths(), priceBound);
    }
    // Sums are whole billionths, so that a bound may be rounded down.
    BigDecimal least = priceBound.sum().subtract(priceBound.roundOff()).setScale(0, FLOOR);
    boolean proved =
        BigDecimal.valueOf(certificate.sumBound()).compareTo(least) >= 0 || areBoxesBounding();
    if (!proved && certificate.proof() == Certificate.Proof.PRICES) {
      violate(
          "The bound of the sum (%d billionths) is said to follow from the prices, but they only"
              + " give %s.",
          certificate.sumBound(), priceBound);
    }
    if (violations.size() > before) {
      return Standing.WRONG;
    }
    return proved ? Standing.PROVED : Standing.CLAIMED;
  }

  /** Whoever is in no search has the prices' bound. */
  private boolean areBoxesBounding() {
    List<BoxTree> trees = certificate.sumBoxes();
    Set<String> named = new HashSet<>();
    trees.forEach(tree -> named.addAll(tree.applications()));
    List<CellPrices.Choosers> others = new ArrayList<>(choosers);
    problem.applications().stream()
        .filter(application -> named.contains(application.id()))
        .forEach(application -> others.removeIf(group -> group.has(application)));
    BigDecimal sum = BigDecimal.ZERO;
    if (!others.isEmpty()) {
      Total priced = priceBound(others);
      sum = priced.sum().subtract(priced.roundOff()).setScale(0, FLOOR);
    }
    for (BoxTree tree : trees) {
      sum = sum.add(BigDecimal.valueOf(tree.bound()));
    }
    return !trees.isEmpty()
        && sum.compareTo(BigDecimal.valueOf(certificate.sumBound())) <= 0
        && boxes.areBounded(trees, floor());
  }

  /** What the prices prove of some, in billionths. */
  private Total priceBound(List<CellPrices.Choosers> some) {
    long floor = floor();
    CellPrices prices = new CellPrices(problem, certificate.prices());
    Total total = Total.revenue(problem.network(), certificate.prices());
    for (CellPrices.Choosers group : some) {
      double[][] unit = prices.unitPrices(group);
      UtilityFunction function = group.function;
      double best = Double.NEGATIVE_INFINITY;
      for (int t = 0; t < unit.length; t++) {
        for (int d = 0; d < unit[t].length; d++) {
          long utility = function.utilityBillionths(t, d);
          if (utility >= floor && unit[t][d] != Double.POSITIVE_INFINITY) {
            double worth =
                (double) group.count() * utility - function.rateMillibits(t) * unit[t][d];
            best = Math.max(best, worth);
          }
        }
      }
      if (best == Double.NEGATIVE_INFINITY) {
        violate("No cell of %s at or above the floor has a path.", group);
        return total;
      }
      // A worth is a difference: its round-off goes by its greater part.
      total.add(best, (double) group.count() * Utility.MAX.billionths());
    }
    return total;
  }

  private Standing checkTheta() {
    int before = violations.size();
    long bound = certificate.thetaBound().billionths();
    if (bound < solution.theta1().billionths()) {
      violate(
          "The bound of theta (%s) is below theta1 itself (%s).",
          certificate.thetaBound(), solution.theta1());
    }
    boolean proved = false;
    long refuted = certificate.refutedLevel().map(l -> l.billionths()).orElse(Long.MAX_VALUE);
    if (refuted <= bound) {
      violate(
          "The refuted level (%s) must be above the bound of theta (%s).",
          certificate.refutedLevel().get(), certificate.thetaBound());
    } else if (isRefuted(bound + 1) || areBoxesRefuting(bound + 1)) {
      // Holds for every level above the bound, whatever level the certificate names.
      proved = true;
    } else if (certificate.refutedLevel().isEmpty()) {
      violate(
          "No level above the bound of theta (%s) is refuted, but every application has a better"
              + " cell.",
          certificate.thetaBound());
    } else if (!certificate.refutingPrices().isEmpty()) {
      violate(
          "The refuting prices do not refute every level above the bound of theta (%s), such as"
              + " (%s).",
          certificate.thetaBound(), certificate.refutedLevel().get());
    }
    if (violations.size() > before) {
      return Standing.WRONG;
    }
    return proved ? Standing.PROVED : Standing.CLAIMED;
  }

  private boolean areBoxesRefuting(long level) {
    return certificate.refutingBoxes().filter(tree -> boxes.isRefuted(tree, level)).isPresent();
  }

  /** Whether the refuting prices show that not everybody can have the level. */
  private boolean isRefuted(long level) {
    CellPrices prices = new CellPrices(problem, certificate.refutingPrices());
    Total spare = Total.revenue(problem.network(), certificate.refutingPrices());
    for (CellPrices.Choosers group : choosers) {
      double[][] unit = prices.unitPrices(group);
      UtilityFunction function = group.function;
      double least = Double.POSITIVE_INFINITY;
      for (int t = 0; t < unit.length; t++) {
        for (int d = 0; d < unit[t].length; d++) {
          if (function.utilityBillionths(t, d) >= level && unit[t][d] != Double.POSITIVE_INFINITY) {
            least = Math.min(least, function.rateMillibits(t) * unit[t][d]);
          }
        }
      }
      if (least == Double.POSITIVE_INFINITY) {
        return true;
      }
      spare.add(-least, least);
    }
    return spare.sum().add(spare.roundOff()).signum() < 0;
  }

  private long floor() {
    return solution.theta1().billionths() - problem.epsilonBillionths();
  }

  private void violate(String sentence, Object... values) {
    violations.add(String.format(Locale.ROOT, sentence, values));
  }
}
