package org.paceline.allocator.classes;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Optional;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** A flow of a service class on its way through a network. */
@AutoValue
public abstract class SharedFlow {
  public abstract String id();

  /** The name of its class. */
  public abstract String serviceClass();

  /** w_s, the weight of its class: relative, above 0. */
  public abstract double weight();

  /** The links that it crosses, each once; at least one. */
  public abstract List<LinkId> links();

  /** What it was promised, which comes before all shares; zero for nothing. */
  public abstract DataRate least();

  /** What it can use or may have at most. */
  public abstract DataRate most();

  /** x_f; empty where nothing says that it reaches less than it is given. */
  public abstract Optional<DataRate> throughput();

  public static Builder builder(String id, String serviceClass, List<LinkId> links) {
    return new AutoValue_SharedFlow.Builder()
        .id(id)
        .serviceClass(serviceClass)
        .links(List.copyOf(links))
        .weight(1)
        .least(DataRate.ZERO)
        .most(DataRate.MAX)
        .throughput(Optional.empty());
  }

  @AutoValue.Builder
  public abstract static class Builder {
    abstract Builder id(String id);

    abstract Builder serviceClass(String name);

    abstract Builder links(List<LinkId> links);

    public abstract Builder weight(double weight);

    public abstract Builder least(DataRate rate);

    public abstract Builder most(DataRate rate);

    public abstract Builder throughput(Optional<DataRate> rate);

    abstract SharedFlow autoBuild();

    /**
     * @throws IllegalArgumentException if it crosses no link, its weight is not above 0, or its
     *     bounds are exchanged
     */
    public SharedFlow build() {
      SharedFlow flow = autoBuild();
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
