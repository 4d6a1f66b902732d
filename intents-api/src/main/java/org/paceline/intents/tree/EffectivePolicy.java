package org.paceline.intents.tree;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

/** What holds for an intent after inheritance, each value with the node that set it. */
@AutoValue
public abstract class EffectivePolicy {
  /** The intent that was asked for. */
  public abstract IntentPath asked();

  /** The node that serves it: itself, else its nearest ancestor in the tree. */
  public abstract IntentPath node();

  /** Of what servers send, and of what has no known direction. */
  public abstract Sourced<UtilityFunction> utilityFunction();

  /** Of what clients send: the same, where nobody says otherwise. */
  public abstract Sourced<UtilityFunction> uploadFunction();

  /** Whether its utility function is that of uploads, and downloads have another one. */
  public abstract boolean isOfUploads();

  public abstract Optional<Sourced<DataRate>> minimumRate();

  public abstract Optional<Sourced<DataRate>> maximumRate();

  public abstract Sourced<Integer> priority();

  public abstract Sourced<SchemeName> scheme();

  /** The weight of the service class; the node that set it is the class. */
  public abstract Sourced<Integer> classWeight();

  /** Empty where nobody says what its applications' KPIs are worth. */
  public abstract Optional<Sourced<KpiModel>> kpiModel();

  /** Whether another scheme rules the conversation than its branch says. */
  public abstract boolean isRuledOtherwise();

  static Builder builder() {
    return new AutoValue_EffectivePolicy.Builder().isOfUploads(false).isRuledOtherwise(false);
  }

  abstract Builder toBuilder();

  /** The same for what goes this way alone: its utility function is that of this direction. */
  public EffectivePolicy inDirection(TrafficDirection direction) {
    return direction == TrafficDirection.UPLOAD && !uploadFunction().equals(utilityFunction())
        ? toBuilder().utilityFunction(uploadFunction()).isOfUploads(true).build()
        : this;
  }

  /** The same, but ruled by this scheme; where the tree says so already, just the same. */
  public EffectivePolicy ruledBy(SchemeName other) {
    return other == scheme().value()
        ? this
        : toBuilder().scheme(Sourced.of(other, node())).isRuledOtherwise(true).build();
  }

  /** The same at a place with a scheme of its own: it rules whom no branch below the root does. */
  public EffectivePolicy at(SchemeName ofPlace) {
    return scheme().origin().isRoot()
        ? toBuilder().scheme(Sourced.of(ofPlace, IntentPath.ROOT)).build()
        : this;
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder asked(IntentPath asked);

    abstract Builder node(IntentPath node);

    abstract Builder utilityFunction(Sourced<UtilityFunction> function);

    abstract Builder uploadFunction(Sourced<UtilityFunction> function);

    abstract Builder isOfUploads(boolean isOfUploads);

    abstract Builder isRuledOtherwise(boolean isRuledOtherwise);

    abstract Builder minimumRate(Optional<Sourced<DataRate>> rate);

    abstract Builder maximumRate(Optional<Sourced<DataRate>> rate);

    abstract Builder priority(Sourced<Integer> priority);

    abstract Builder scheme(Sourced<SchemeName> scheme);

    abstract Builder classWeight(Sourced<Integer> weight);

    abstract Builder kpiModel(Optional<Sourced<KpiModel>> model);

    abstract EffectivePolicy build();
  }

  /**
   * The utility function with only the rates that the conversation may have: the bins within the
   * bounds, or just the greatest rate where that is fixed. Under service classes and adaptive
   * reservations, whose rates are no bins, it says what rates are worth up to the greatest.
   * Elephants are held to no rate, so that bounds say nothing of them.
   *
   * @throws IllegalArgumentException if there is none
   */
  public UtilityFunction boundedFunction() {
    UtilityFunction function = utilityFunction().value();
    if (scheme().value() == SchemeName.FIXED_RATE) {
      return fixed(function);
    }
    if (scheme().value() == SchemeName.SERVICE_CLASSES
        || scheme().value() == SchemeName.ADAPTIVE_RESERVATIONS) {
      return maximumRate().map(most -> capped(function, most)).orElse(function);
    }
    boolean isUnbounded = minimumRate().isEmpty() && maximumRate().isEmpty();
    if (isUnbounded || scheme().value() == SchemeName.ELEPHANT_ISOLATION) {
      return function;
    }
    DataRate least = minimumRate().map(Sourced::value).orElse(DataRate.ZERO);
    DataRate most = maximumRate().map(Sourced::value).orElse(DataRate.MAX);
    String bounds =
        "["
            + minimumRate().map(r -> r.value().toString()).orElse("")
            + ".."
            + maximumRate().map(r -> r.value().toString()).orElse("")
            + "]";
    return function.within(least, most).named(function.name() + bounds);
  }

  private UtilityFunction fixed(UtilityFunction function) {
    DataRate rate =
        maximumRate()
            .map(Sourced::value)
            .filter(most -> most.compareTo(DataRate.ZERO) > 0)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "The scheme "
                            + SchemeName.FIXED_RATE.word()
                            + " (set by "
                            + scheme().origin()
                            + ") gives each conversation its greatest rate, and none above 0 is"
                            + " set. Maybe set the greatest rate (maximumRateKbps)."));
    return function.at(rate).named(function.name() + "[" + rate + "]");
  }

  private static UtilityFunction capped(UtilityFunction function, Sourced<DataRate> most) {
    DataRate rate = most.value();
    if (rate.equals(DataRate.ZERO)) {
      throw new IllegalArgumentException(
          "The greatest rate (0, set by "
              + most.origin()
              + ") leaves its conversations nothing. Maybe leave it out.");
    }
    boolean isBelowAllBins = function.throughput(0).compareTo(rate) > 0;
    return (isBelowAllBins ? function.at(rate) : function.within(DataRate.ZERO, rate))
        .named(function.name() + "[.." + rate + "]");
  }
}
