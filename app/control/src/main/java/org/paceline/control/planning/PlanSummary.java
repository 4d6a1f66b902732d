package org.paceline.control.planning;

import com.google.auto.value.AutoValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.Utility;

/** How good a plan is and how it came about. */
@AutoValue
public abstract class PlanSummary {
  public static final PlanSummary EMPTY = of(List.of(), "none", Duration.ZERO, 0, List.of());

  /** Empty where nothing is granted. */
  public abstract Optional<Utility> minimumUtility();

  public abstract Optional<Utility> meanUtility();

  /** Which algorithms solved it. */
  public abstract String method();

  public abstract Duration elapsed();

  /** How much greater the best sum may be, relative to the bound; 0 is proven optimal. */
  public abstract double gap();

  /** What the operator should know, such as that a link is too small for all. */
  public abstract List<String> remarks();

  public static PlanSummary of(
      Collection<Grant> grants, String method, Duration elapsed, double gap, List<String> remarks) {
    return new AutoValue_PlanSummary(
        grants.stream().map(Grant::utility).min(Utility::compareTo),
        grants.isEmpty() ? Optional.empty() : Optional.of(mean(grants)),
        method,
        elapsed,
        gap,
        List.copyOf(remarks));
  }

  private static Utility mean(Collection<Grant> grants) {
    long sum = grants.stream().mapToLong(g -> g.utility().billionths()).sum();
    return Utility.of(
        BigDecimal.valueOf(sum, 9)
            .divide(BigDecimal.valueOf(grants.size()), 9, RoundingMode.HALF_UP));
  }
}
