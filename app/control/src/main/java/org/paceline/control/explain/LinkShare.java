package org.paceline.control.explain;

import com.google.auto.value.AutoValue;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** One link of a conversation's path and how much of it is given away. */
@AutoValue
public abstract class LinkShare {
  public abstract LinkId link();

  /** What the planner divides: without headroom and reserve. */
  public abstract DataRate capacity();

  /** To all conversations together. */
  public abstract DataRate granted();

  /** Utility that one more Mbit/s would be worth to all; 0 where the link binds nobody. */
  public abstract double pricePerMbit();

  static LinkShare of(LinkId link, DataRate capacity, DataRate granted, double pricePerMbit) {
    return new AutoValue_LinkShare(link, capacity, granted, pricePerMbit);
  }

  /** Whether more capacity here would make somebody better off. */
  public boolean isBinding() {
    return pricePerMbit() > 0;
  }
}
