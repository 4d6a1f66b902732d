package org.paceline.allocator.network;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Solution;

/** A solution for those who were admitted, and who was not and why. */
@AutoValue
public abstract class Admitted {
  /** Empty where nobody at all can be served. */
  public abstract Optional<Solution> solution();

  /** In the order in which they had to go. */
  public abstract List<Dropped> dropped();

  static Admitted of(Optional<Solution> solution, List<Dropped> dropped) {
    return new AutoValue_Admitted(solution, Collections.unmodifiableList(new ArrayList<>(dropped)));
  }

  /** One who was not admitted. */
  @AutoValue
  public abstract static class Dropped {
    public abstract String applicationId();

    /** What stood against all that were there before this one went. */
    public abstract Infeasible reason();

    static Dropped of(String applicationId, Infeasible reason) {
      return new AutoValue_Admitted_Dropped(applicationId, reason);
    }
  }
}
