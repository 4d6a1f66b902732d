package org.paceline.allocator.classes;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.paceline.allocator.maxmin.WeightedFlow;
import org.paceline.intents.unit.DataRate;

/** A flow of a service class on its way through a network. */
@AutoValue
public abstract class SharedFlow {
  /** Its way and its bounds; its weight is w_s, that of its class. */
  public abstract WeightedFlow flow();

  /** The name of its class. */
  public abstract String serviceClass();

  /** x_f; empty where nothing says that it reaches less than it is given. */
  public abstract Optional<DataRate> throughput();

  public final String id() {
    return flow().id();
  }

  public static SharedFlow of(
      WeightedFlow flow, String serviceClass, Optional<DataRate> throughput) {
    return new AutoValue_SharedFlow(flow, serviceClass, throughput);
  }
}
