package org.paceline.allocator.admission;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/** What came of admission: a solution for those who were admitted, and who was not and why. */
@AutoValue
public abstract class Admitted {
  /** With those who were admitted; as it was put where the outcome has no solution. */
  public abstract Problem problem();

  /** Without a solution where nobody at all can be served, or where time ran out. */
  public abstract Outcome outcome();

  /** In the order in which they had to go. */
  public abstract List<Dropped> dropped();

  public Optional<Solution> solution() {
    return outcome().solution();
  }

  static Admitted of(Problem problem, Outcome outcome, List<Dropped> dropped) {
    return new AutoValue_Admitted(
        problem, outcome, Collections.unmodifiableList(new ArrayList<>(dropped)));
  }

  /** An application of which not all copies were admitted. */
  @AutoValue
  public abstract static class Dropped {
    public abstract String applicationId();

    /** How many of its copies. */
    public abstract int count();

    /** What stood against all that were there before its first copies went. */
    public abstract Infeasible reason();

    static Dropped of(String applicationId, int count, Infeasible reason) {
      return new AutoValue_Admitted_Dropped(applicationId, count, reason);
    }
  }
}
