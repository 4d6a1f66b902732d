package org.paceline.control.explain;

import com.google.auto.value.AutoValue;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** One link of a conversation's path and how much of it is given away. */
@AutoValue
public abstract class LinkShare {
  /** In utility, of the whole link: a price below is what a solver leaves on links with room. */
  private static final double LEAST_WORTH = 0.001;

  private static final int KBPS_PER_MBIT = 1_000;

  public abstract LinkId link();

  /** What the planner divides: without headroom and reserve. */
  public abstract DataRate capacity();

  /** To all conversations together. */
  public abstract DataRate granted();

  /** Utility that one more Mbit/s would be worth to all; about 0 where the link binds nobody. */
  public abstract double pricePerMbit();

  static LinkShare of(LinkId link, DataRate capacity, DataRate granted, double pricePerMbit) {
    return new AutoValue_LinkShare(link, capacity, granted, pricePerMbit);
  }

  /** Whether more capacity here would make somebody better off by what can be noticed. */
  public boolean isBinding() {
    return pricePerMbit() * capacity().kilobitsPerSecond().doubleValue() / KBPS_PER_MBIT
        >= LEAST_WORTH;
  }
}
