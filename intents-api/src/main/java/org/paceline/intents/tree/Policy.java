package org.paceline.intents.tree;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

/** What one node of the intent tree sets itself; everything that it leaves empty it inherits. */
@AutoValue
public abstract class Policy {
  public static final Policy INHERIT_ALL = builder().build();

  public abstract Optional<UtilityFunction> utilityFunction();

  /** The least rate that a conversation is to have. */
  public abstract Optional<DataRate> minimumRate();

  /** The greatest rate that a conversation may have. */
  public abstract Optional<DataRate> maximumRate();

  /** Who gives way last where not all can be admitted: the greater number. */
  public abstract Optional<Integer> priority();

  /** Which scheme rules the conversations of this branch. */
  public abstract Optional<SchemeName> scheme();

  public static Builder builder() {
    return new AutoValue_Policy.Builder();
  }

  public abstract Builder toBuilder();

  /** Builds a policy. */
  @AutoValue.Builder
  public abstract static class Builder {
    public abstract Builder utilityFunction(UtilityFunction function);

    public abstract Builder minimumRate(DataRate rate);

    public abstract Builder maximumRate(DataRate rate);

    public abstract Builder priority(int priority);

    public abstract Builder scheme(SchemeName scheme);

    abstract Policy autoBuild();

    /**
     * @throws IllegalArgumentException if the bounds contradict each other
     */
    public Policy build() {
      Policy policy = autoBuild();
      if (policy.minimumRate().isPresent()
          && policy.maximumRate().isPresent()
          && policy.minimumRate().get().compareTo(policy.maximumRate().get()) > 0) {
        throw new IllegalArgumentException(
            "The least rate ("
                + policy.minimumRate().get()
                + ") is above the greatest ("
                + policy.maximumRate().get()
                + ").");
      }
      return policy;
    }
  }
}
