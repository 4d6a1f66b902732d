package org.paceline.control.explain;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Optional;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Utility;

/** What it would take to make a conversation better by a noticeable step, and at whose expense. */
@AutoValue
public abstract class NextStep {
  /** What another conversation would lose. */
  @AutoValue
  public abstract static class Loss {
    public abstract ConversationId conversation();

    public abstract Utility before();

    /** Empty where it would get nothing at all. */
    public abstract Optional<Utility> after();

    static Loss of(ConversationId conversation, Utility before, Optional<Utility> after) {
      return new AutoValue_NextStep_Loss(conversation, before, after);
    }

    /** Billionths of utility; with nothing at all, down to the least utility. */
    public long billionths() {
      return before().billionths() - after().orElse(Utility.MIN).billionths();
    }
  }

  /** Why there is no step, for a person; empty where there is one. */
  public abstract String obstacle();

  /** The rate that the step needs; empty where there is none. */
  public abstract Optional<DataRate> rate();

  public abstract Optional<Utility> utility();

  /** Who would pay, the greatest loss first. */
  public abstract List<Loss> losses();

  static NextStep none(String obstacle) {
    return new AutoValue_NextStep(obstacle, Optional.empty(), Optional.empty(), List.of());
  }

  static NextStep of(DataRate rate, Utility utility, List<Loss> losses) {
    return new AutoValue_NextStep("", Optional.of(rate), Optional.of(utility), List.copyOf(losses));
  }

  /** What all others would lose together, in billionths of utility. */
  public long cost() {
    return losses().stream().mapToLong(Loss::billionths).sum();
  }
}
