package org.paceline.intents.problem;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The allocation problem of Sieber et al. 2020, appendix A: first maximise theta, the least
 * utility; then the sum of utilities with every application at least at theta - epsilon.
 */
@AutoValue
public abstract class Problem {
  /** The paper's slack of the second step, in billionths of utility. */
  public static final long PAPER_EPSILON = 3 * Utility.SCALE / 10;

  public abstract String name();

  public abstract Network network();

  /** At least one; ids are unique and a function's name stands for one table. */
  public abstract List<Application> applications();

  /** Slack of the second step in billionths of utility, from 0. */
  public abstract long epsilonBillionths();

  public abstract Sharing sharing();

  public static Problem of(
      String name,
      Network network,
      List<Application> applications,
      long epsilonBillionths,
      Sharing sharing) {
    if (applications.isEmpty()) {
      throw new IllegalArgumentException(
          "The problem (" + name + ") has no application. Maybe give it at least one.");
    }
    if (epsilonBillionths < 0 || epsilonBillionths > 4 * Utility.SCALE) {
      throw new IllegalArgumentException(
          "The epsilon (" + epsilonBillionths / 1e9 + ") must lie from 0 to 4.");
    }
    Set<String> ids = new HashSet<>();
    Map<String, UtilityFunction> functions = new HashMap<>();
    for (Application application : applications) {
      if (!ids.add(application.id())) {
        throw new IllegalArgumentException(
            "Two applications are called (" + application.id() + "). Maybe number them.");
      }
      for (String end : List.of(application.from(), application.to())) {
        if (!network.nodes().contains(end)) {
          throw new IllegalArgumentException(
              "The application ("
                  + application.id()
                  + ") ends at ("
                  + end
                  + "), which is no node.");
        }
      }
      UtilityFunction function = application.utilityFunction();
      UtilityFunction known = functions.putIfAbsent(function.name(), function);
      if (known != null && known != function && !known.equals(function)) {
        throw new IllegalArgumentException(
            "The utility function ("
                + function.name()
                + ") of ("
                + application.id()
                + ") differs from another of that name. Maybe rename one.");
      }
    }
    return new AutoValue_Problem(
        name,
        network,
        Collections.unmodifiableList(new ArrayList<>(applications)),
        epsilonBillionths,
        sharing);
  }

  /** Applications with their counts. */
  public long size() {
    return applications().stream().mapToLong(Application::count).sum();
  }

  public Problem withApplications(List<Application> applications) {
    return of(name(), network(), applications, epsilonBillionths(), sharing());
  }

  public Problem withNetwork(Network network) {
    return of(name(), network, applications(), epsilonBillionths(), sharing());
  }
}
