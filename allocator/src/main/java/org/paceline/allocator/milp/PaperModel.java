package org.paceline.allocator.milp;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPVariable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;

/**
 * The variables and constraints of Sieber et al. 2020, appendix A, equations 1 to 21, for every
 * copy of every application. docs/algorithms/paper-milp.md lists each equation and each deviation.
 *
 * <p>The numbers are scaled by {@link Units}.
 */
final class PaperModel implements AutoCloseable {
  /** Utilities nearer to the floor than this, in billionths, are told from it by hand. */
  private static final long TOLERANCE = 10;

  private final Mip mip;
  private final Units units;
  private final MPVariable theta;
  private final List<Application> copies = new ArrayList<>();
  private final List<CellChoice> cells = new ArrayList<>();
  private final List<CopyRoute> routes = new ArrayList<>();

  /** There was no time left for the whole model. */
  static final class TimeUp extends Exception {
    TimeUp() {
      super("The model was not written in time.");
    }
  }

  /**
   * @param end of {@link System#nanoTime}, by which the model must be written
   */
  PaperModel(Problem problem, MipSolver solver, long end) throws TimeUp {
    mip = new Mip(solver);
    units = Units.of(problem);
    theta = mip.number(1e9 * Units.UTILITY, 5e9 * Units.UTILITY, "theta");
    Network network = problem.network();
    Map<String, CellChoice> shared = new HashMap<>();
    for (Application application : problem.applications()) {
      for (int copy = 0; copy < application.count(); copy++) {
        if (System.nanoTime() - end > 0) {
          mip.close();
          throw new TimeUp();
        }
        String name = application.id() + "#" + copy;
        copies.add(application);
        cells.add(
            problem.sharing() == Sharing.SAME_UTILITY_PER_TYPE
                ? shared.computeIfAbsent(
                    application.utilityFunction().name(), type -> choice(application, type))
                : choice(application, name));
        routes.add(new CopyRoute(mip, network, application, name));
      }
    }
    new LinkLoads(mip, units, network, cells, routes);
  }

  /** Equations 2 and 7 to 11. */
  private CellChoice choice(Application application, String name) {
    CellChoice choice = new CellChoice(mip, units, application.utilityFunction(), name);
    MPConstraint least = mip.atLeast(0, "2 " + name);
    choice.addUtility(least::setCoefficient, Units.UTILITY);
    least.setCoefficient(theta, -1);
    return choice;
  }

  /** Equation 1. */
  Mip.Answer maximiseTheta(Duration limit) {
    mip.newObjective().setCoefficient(theta, 1);
    return mip.maximise(limit, 0);
  }

  /** Equations 4 and 5. */
  Mip.Answer maximiseSum(long floor, Duration limit, double gap) {
    theta.setBounds(Math.max(1e9, floor) * Units.UTILITY, 5e9 * Units.UTILITY);
    MPObjective sum = mip.newObjective();
    Map<CellChoice, Integer> sharers = new HashMap<>();
    cells.forEach(choice -> sharers.merge(choice, 1, Integer::sum));
    sharers.forEach((choice, n) -> choice.addUtility(sum::setCoefficient, n * Units.UTILITY));
    sharers.keySet().forEach(choice -> choice.exclude(floor - TOLERANCE, floor));
    return mip.maximise(limit, gap);
  }

  /** What the last search chose. */
  GrantBook chosen(Problem problem) {
    GrantBook book = new GrantBook(problem);
    for (int i = 0; i < copies.size(); i++) {
      book.add(
          copies.get(i), cells.get(i).rateBin(), cells.get(i).delayBin(), routes.get(i).path(), 1);
    }
    return book;
  }

  int variables() {
    return mip.variables();
  }

  int constraints() {
    return mip.constraints();
  }

  @Override
  public void close() {
    mip.close();
  }
}
