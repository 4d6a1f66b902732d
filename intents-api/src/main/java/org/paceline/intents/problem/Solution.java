package org.paceline.intents.problem;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.paceline.intents.unit.Utility;

/** Grants for every application of a problem, and how far from the optimum they can be. */
@AutoValue
public abstract class Solution {
  /** The greatest least utility: the value reached in step 1. */
  public abstract Utility theta1();

  /**
   * Those of an application stand together, best first; their counts add up to its own. In which
   * order applications stand is up to the solver.
   */
  public abstract List<Grant> grants();

  public abstract Certificate certificate();

  public static Solution of(Utility theta1, List<Grant> grants, Certificate certificate) {
    if (grants.isEmpty()) {
      throw new IllegalArgumentException("A solution needs at least one grant.");
    }
    return new AutoValue_Solution(
        theta1, Collections.unmodifiableList(new ArrayList<>(grants)), certificate);
  }

  public Utility minimumUtility() {
    return grants().stream().map(Grant::utility).min(Utility::compareTo).orElse(Utility.MIN);
  }

  /** How many applications have at most each utility that is granted. */
  public NavigableMap<Utility, Long> applicationsUpTo() {
    NavigableMap<Utility, Long> counts = new TreeMap<>();
    grants().forEach(g -> counts.merge(g.utility(), (long) g.count(), Long::sum));
    long sum = 0;
    for (Map.Entry<Utility, Long> entry : counts.entrySet()) {
      sum += entry.getValue();
      entry.setValue(sum);
    }
    return counts;
  }

  /**
   * Whether the certificate says of every level that no fewer applications could be left there:
   * then no allocation is better lexicographically.
   */
  public boolean isFilled() {
    Map<Utility, Long> fewest = new HashMap<>();
    certificate().levels().forEach(level -> fewest.put(level.level(), level.fewest()));
    return applicationsUpTo().equals(fewest);
  }

  /** The sum of utilities over all applications with their counts, in billionths. */
  public long sumBillionths() {
    return grants().stream().mapToLong(g -> g.count() * g.utility().billionths()).sum();
  }

  /** How much greater the best sum may be, relative to the bound; 0 is proven optimal. */
  public double gap() {
    long bound = certificate().sumBound();
    return Math.max(0, bound - sumBillionths()) / (double) bound;
  }
}
