package org.paceline.intents.tree;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import java.util.stream.Stream;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

/** What one node of the intent tree sets itself; everything that it leaves empty it inherits. */
@AutoValue
public abstract class Policy {
  public static final Policy INHERIT_ALL = builder().build();

  /** So that the weight of no class makes all others count for nothing. */
  public static final int GREATEST_CLASS_WEIGHT = 1_000;

  /** Of both directions, but for uploads where these have one of their own. */
  public abstract Optional<UtilityFunction> utilityFunction();

  /** Of what clients send. */
  public abstract Optional<UtilityFunction> uploadFunction();

  /** Those that it names. */
  public final Stream<UtilityFunction> functions() {
    return Stream.of(utilityFunction(), uploadFunction()).flatMap(Optional::stream);
  }

  /** The same with another function wherever it names this one. */
  public final Policy replacing(UtilityFunction function, UtilityFunction other) {
    Builder policy = toBuilder();
    utilityFunction().filter(function::equals).ifPresent(same -> policy.utilityFunction(other));
    uploadFunction().filter(function::equals).ifPresent(same -> policy.uploadFunction(other));
    return policy.build();
  }

  /** The least rate that a conversation is to have. */
  public abstract Optional<DataRate> minimumRate();

  /** The greatest rate that a conversation may have. */
  public abstract Optional<DataRate> maximumRate();

  /** Who gives way last where not all can be admitted: the greater number. */
  public abstract Optional<Integer> priority();

  /** Which scheme rules the conversations of this branch. */
  public abstract Optional<SchemeName> scheme();

  /**
   * The weight of a service class, from 1: this node and all that inherit it are one class. Only
   * the scheme service-classes goes by it.
   */
  public abstract Optional<Integer> classWeight();

  /** From what its applications measure of how they fare to what that is worth. */
  public abstract Optional<KpiModel> kpiModel();

  public static Builder builder() {
    return new AutoValue_Policy.Builder();
  }

  private static boolean isNoClassWeight(int weight) {
    return weight < 1 || weight > GREATEST_CLASS_WEIGHT;
  }

  public abstract Builder toBuilder();

  /** Builds a policy. */
  @AutoValue.Builder
  public abstract static class Builder {
    public abstract Builder utilityFunction(UtilityFunction function);

    public abstract Builder uploadFunction(UtilityFunction function);

    public abstract Builder minimumRate(DataRate rate);

    public abstract Builder maximumRate(DataRate rate);

    public abstract Builder priority(int priority);

    public abstract Builder scheme(SchemeName scheme);

    public abstract Builder classWeight(int weight);

    public abstract Builder kpiModel(KpiModel model);

    abstract Policy autoBuild();

    /**
     * @throws IllegalArgumentException if the bounds contradict each other, or the weight of a
     *     class is out of its range
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
      if (policy.classWeight().filter(Policy::isNoClassWeight).isPresent()) {
        throw new IllegalArgumentException(
            "The weight ("
                + policy.classWeight().get()
                + ") of a service class must lie from 1 to "
                + GREATEST_CLASS_WEIGHT
                + ". Maybe 1.");
      }
      return policy;
    }
  }
}
