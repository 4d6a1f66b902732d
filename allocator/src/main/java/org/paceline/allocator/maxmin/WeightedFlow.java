package org.paceline.allocator.maxmin;

import com.google.auto.value.AutoValue;
import java.util.List;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** A flow on its way through a network, with its weight and the bounds of its rate. */
@AutoValue
public abstract class WeightedFlow {
  public abstract String id();

  /** The links that it crosses, each once; at least one. */
  public abstract List<LinkId> links();

  /** Relative, above 0. */
  public abstract double weight();

  /** What it was promised, which comes before all shares; zero for nothing. */
  public abstract DataRate least();

  /** What it can use or may have at most. */
  public abstract DataRate most();

  /** Of weight 1, without bounds. */
  public static Builder builder(String id, List<LinkId> links) {
    return new AutoValue_WeightedFlow.Builder()
        .id(id)
        .links(List.copyOf(links))
        .weight(1)
        .least(DataRate.ZERO)
        .most(DataRate.MAX);
  }

  /** The same with another weight. */
  public WeightedFlow weighing(double weight) {
    return toBuilder().weight(weight).build();
  }

  abstract Builder toBuilder();

  @AutoValue.Builder
  public abstract static class Builder {
    abstract Builder id(String id);

    abstract Builder links(List<LinkId> links);

    public abstract Builder weight(double weight);

    public abstract Builder least(DataRate rate);

    public abstract Builder most(DataRate rate);

    abstract WeightedFlow autoBuild();

    /**
     * @throws IllegalArgumentException if it crosses no link, its weight is not above 0, or its
     *     bounds are exchanged
     */
    public WeightedFlow build() {
      WeightedFlow flow = autoBuild();
      if (flow.links().isEmpty()) {
        throw new IllegalArgumentException(
            "The flow (" + flow.id() + ") crosses no link. Maybe leave it out: it shares nothing.");
      }
      if (!(flow.weight() > 0 && flow.weight() < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "The weight ("
                + flow.weight()
                + ") of the flow ("
                + flow.id()
                + ") must be a number above 0. Maybe 1.");
      }
      if (flow.least().compareTo(flow.most()) > 0) {
        throw new IllegalArgumentException(
            "The flow ("
                + flow.id()
                + ") was promised "
                + flow.least()
                + " and may have "
                + flow.most()
                + " at most. Maybe raise the greatest.");
      }
      return flow;
    }
  }
}
