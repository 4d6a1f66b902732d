package org.paceline.control.webhook;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** How telling one receiver goes, since this controller started. */
@AutoValue
public abstract class DeliveryState {
  public static final DeliveryState NOTHING = of(0, 0, 0, Optional.empty());

  public abstract int waiting();

  public abstract long delivered();

  /** Given up after many tries, or pushed out of the queue by newer ones. */
  public abstract long lost();

  /** Why the last try failed; empty where it did not. */
  public abstract Optional<String> trouble();

  public static DeliveryState of(int waiting, long delivered, long lost, Optional<String> trouble) {
    return new AutoValue_DeliveryState(waiting, delivered, lost, trouble);
  }
}
