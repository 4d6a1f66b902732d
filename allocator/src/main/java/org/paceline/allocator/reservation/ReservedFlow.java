package org.paceline.allocator.reservation;

import com.google.auto.value.AutoValue;
import java.util.List;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** A flow that was admitted, on its way through a network; without a reservation: best effort. */
@AutoValue
public abstract class ReservedFlow {
  public abstract String id();

  /** The links that it crosses, each once. */
  public abstract List<LinkId> links();

  /** The greater comes first where something is left. */
  public abstract int priority();

  /** What of its reservation is lent to nobody, used or not; zero for nothing. */
  public abstract DataRate firm();

  /** What it may have at most. */
  public abstract DataRate most();

  /** What it reserved, and what it is taken to want. */
  public abstract DemandEstimate demand();

  /**
   * @throws IllegalArgumentException if its bounds contradict each other
   */
  public static ReservedFlow of(
      String id,
      List<LinkId> links,
      int priority,
      DataRate firm,
      DataRate most,
      DemandEstimate demand) {
    DataRate reserved = demand.reserved();
    if (firm.compareTo(reserved) > 0 || reserved.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "The flow ("
              + id
              + ") reserves "
              + reserved
              + ", of which "
              + firm
              + " firmly, and may have "
              + most
              + " at most. Maybe raise the greatest rate.");
    }
    return new AutoValue_ReservedFlow(id, List.copyOf(links), priority, firm, most, demand);
  }

  public final DataRate reserved() {
    return demand().reserved();
  }

  final boolean isBestEffort() {
    return reserved().equals(DataRate.ZERO);
  }

  /** All that it wants and may have. */
  final long wanted() {
    return Math.min(demand().wanted().millibitsPerSecond(), most().millibitsPerSecond());
  }

  /** What comes before everything that is shared: as much of its reservation as it wants. */
  final long guaranteed() {
    return Math.max(
        firm().millibitsPerSecond(), Math.min(reserved().millibitsPerSecond(), wanted()));
  }
}
