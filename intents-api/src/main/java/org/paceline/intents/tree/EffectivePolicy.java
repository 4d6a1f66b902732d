package org.paceline.intents.tree;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

/** What holds for an intent after inheritance, each value with the node that set it. */
@AutoValue
public abstract class EffectivePolicy {
  /** The intent that was asked for. */
  public abstract IntentPath asked();

  /** The node that serves it: itself, else its nearest ancestor in the tree. */
  public abstract IntentPath node();

  public abstract Sourced<UtilityFunction> utilityFunction();

  public abstract Optional<Sourced<DataRate>> minimumRate();

  public abstract Optional<Sourced<DataRate>> maximumRate();

  public abstract Sourced<Integer> priority();

  public abstract Sourced<SchemeName> scheme();

  static EffectivePolicy of(
      IntentPath asked,
      IntentPath node,
      Sourced<UtilityFunction> utilityFunction,
      Optional<Sourced<DataRate>> minimumRate,
      Optional<Sourced<DataRate>> maximumRate,
      Sourced<Integer> priority,
      Sourced<SchemeName> scheme) {
    return new AutoValue_EffectivePolicy(
        asked, node, utilityFunction, minimumRate, maximumRate, priority, scheme);
  }

  /**
   * The utility function with only the rates that the conversation may have: the bins within the
   * bounds, or just the greatest rate where that is fixed.
   *
   * @throws IllegalArgumentException if there is none
   */
  public UtilityFunction boundedFunction() {
    UtilityFunction function = utilityFunction().value();
    if (scheme().value() == SchemeName.FIXED_RATE) {
      return fixed(function);
    }
    if (minimumRate().isEmpty() && maximumRate().isEmpty()) {
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
}
