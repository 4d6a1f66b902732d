package org.paceline.intents.check;

import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import org.paceline.intents.check.CertificateReport.Standing;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.LevelBound;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Checks how well a solution fills its levels.
 *
 * <p>An allocation is as good as the solution below a level t if at each utility s below t no more
 * applications are at or below s than the solution's N(s). With link prices y and fines m, the
 * number of its applications above t is at most sum_e y_e C_e + sum_s m_s N(s) + sum_g n_g max(1 if
 * u > t, less w pi_g, less m_s for each s from u), over cells that are not below the solution's
 * least utility. Weak duality, as in {@link CertificateChecker}; numbers of applications are whole,
 * so that the bound may be rounded down.
 */
final class LevelChecker {
  private final Problem problem;
  private final List<CellPrices.Choosers> choosers;
  private final List<String> violations;
  private final List<LevelBound> levels;
  private final NavigableMap<Utility, Long> upTo;

  LevelChecker(
      Problem problem,
      Solution solution,
      List<CellPrices.Choosers> choosers,
      List<String> violations) {
    this.problem = problem;
    this.choosers = choosers;
    this.violations = violations;
    this.levels = solution.certificate().levels();
    this.upTo = solution.applicationsUpTo();
  }

  List<Standing> check() {
    List<Standing> standings = new ArrayList<>();
    for (LevelBound level : levels) {
      int before = violations.size();
      boolean proved = isUsable(level) && isProved(level);
      standings.add(
          violations.size() > before
              ? Standing.WRONG
              : proved ? Standing.PROVED : Standing.CLAIMED);
    }
    return standings;
  }

  private boolean isUsable(LevelBound level) {
    boolean usable = CellPrices.arePrices(problem, "level price", level.prices(), violations);
    for (Map.Entry<Utility, Double> fine : level.fines().entrySet()) {
      if (!(fine.getValue() >= 0 && fine.getValue() < Double.POSITIVE_INFINITY)) {
        violate("The fine (%s) of (%s) must be finite and from 0.", fine.getValue(), fine.getKey());
        usable = false;
      }
      if (fine.getKey().compareTo(level.level()) >= 0) {
        violate("The fine at (%s) must be below the level (%s).", fine.getKey(), level.level());
        usable = false;
      }
    }
    if (level.fewest() > granted(level.level())) {
      violate(
          "At level (%s) there must be (%d), but only (%d) are granted no more.",
          level.level(), level.fewest(), granted(level.level()));
      usable = false;
    }
    return usable;
  }

  private boolean isProved(LevelBound level) {
    Total above = mostAbove(level);
    long most = above.sum().add(above.roundOff()).setScale(0, RoundingMode.FLOOR).longValue();
    boolean proved = problem.size() - most >= level.fewest();
    if (!proved && level.proof() == Certificate.Proof.PRICES) {
      violate(
          "The fewest (%d) at level (%s) are said to follow from prices, but these allow (%s) above"
              + " it.",
          level.fewest(), level.level(), above);
    }
    return proved;
  }

  private Total mostAbove(LevelBound level) {
    Total total = Total.revenue(problem.network(), level.prices());
    level.fines().forEach((at, fine) -> total.add(fine * granted(at), fine * granted(at)));
    CellPrices prices = new CellPrices(problem, level.prices());
    for (CellPrices.Choosers group : choosers) {
      double[][] unit = prices.unitPrices(group);
      double best = Double.NEGATIVE_INFINITY;
      double magnitude = group.count();
      for (int t = 0; t < unit.length; t++) {
        for (int d = 0; d < unit[t].length; d++) {
          double worth = worth(group, t, d, unit[t][d], level);
          if (worth > best) {
            best = worth;
            magnitude = group.count() + Math.abs(worth);
          }
        }
      }
      if (best == Double.NEGATIVE_INFINITY) {
        violate("No cell of %s at or above the least utility has a path.", group);
        return total;
      }
      total.add(best, magnitude);
    }
    return total;
  }

  private double worth(
      CellPrices.Choosers group, int rateBin, int delayBin, double unitPrice, LevelBound level) {
    UtilityFunction function = group.function;
    Utility utility = function.utility(rateBin, delayBin);
    if (unitPrice == Double.POSITIVE_INFINITY || utility.compareTo(upTo.firstKey()) < 0) {
      return Double.NEGATIVE_INFINITY;
    }
    double each = utility.compareTo(level.level()) > 0 ? 1 : 0;
    for (Map.Entry<Utility, Double> fine : level.fines().entrySet()) {
      each -= utility.compareTo(fine.getKey()) <= 0 ? fine.getValue() : 0;
    }
    return group.count() * each - function.rateMillibits(rateBin) * unitPrice;
  }

  private long granted(Utility level) {
    Map.Entry<Utility, Long> entry = upTo.floorEntry(level);
    return entry == null ? 0 : entry.getValue();
  }

  private void violate(String sentence, Object... values) {
    violations.add(String.format(Locale.ROOT, sentence, values));
  }
}
