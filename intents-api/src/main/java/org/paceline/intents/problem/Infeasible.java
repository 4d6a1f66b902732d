package org.paceline.intents.problem;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.paceline.intents.network.LinkId;

/** Why a problem has no solution: whom it hits and where. */
@AutoValue
public abstract class Infeasible {
  /** The kinds of reason. */
  public enum Reason {
    /** No way leads from the application's source to its destination. */
    NO_PATH,
    /** Every path is slower than the application's greatest delay bin. */
    TOO_SLOW,
    /** Even at everybody's least rate, a link must carry more than it can. */
    NO_ROOM,
    /** The search ended without a solution and without a proof that there is none. */
    UNDECIDED
  }

  public abstract Reason reason();

  public abstract String applicationId();

  /** The link that is too slow or too small, where there is one. */
  public abstract Optional<LinkId> bottleneck();

  /** One sentence for the operator. */
  public abstract String message();

  public static Infeasible of(
      Reason reason, String applicationId, Optional<LinkId> bottleneck, String message) {
    return new AutoValue_Infeasible(reason, applicationId, bottleneck, message);
  }
}
