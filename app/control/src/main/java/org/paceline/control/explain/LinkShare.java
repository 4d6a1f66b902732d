package org.paceline.control.explain;

import com.google.auto.value.AutoValue;
import java.util.Map;
import java.util.Set;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** One link of a conversation's path and how much of it is given away. */
@AutoValue
public abstract class LinkShare {
  /** Twice the capacity would be worth less than this to all together: that binds nobody. */
  private static final double LEAST_WORTH = 0.01;

  private static final int KBPS_PER_MBIT = 1_000;

  /** Rates are steps of tables, and rounded down: what lacks less than a thousandth is all. */
  private static final long FULL_PARTS = 1_000;

  public abstract LinkId link();

  /** What the planner divides: without headroom and reserve. */
  public abstract DataRate capacity();

  /**
   * Utility that one more Mbit/s would be worth to all who are ruled by utility; about 0 where the
   * link binds none of them.
   */
  public abstract double pricePerMbit();

  /** What each scheme's conversations are granted together; a scheme without any is absent. */
  public abstract Map<SchemeName, DataRate> grantedBy();

  /**
   * What those without a grant are held to, together. Whoever is not admitted by fixed rates has a
   * trickle, by adaptive reservations what the others leave.
   */
  public abstract DataRate heldTo();

  /**
   * Schemes that go by no utility, whose conversations have together all that they could have here.
   * That may be a part of the link: see {@link #isFull}.
   */
  public abstract Set<SchemeName> filledBy();

  public static LinkShare of(
      LinkId link,
      DataRate capacity,
      double pricePerMbit,
      Map<SchemeName, DataRate> grantedBy,
      DataRate heldTo,
      Set<SchemeName> filledBy) {
    return new AutoValue_LinkShare(link, capacity, pricePerMbit, grantedBy, heldTo, filledBy);
  }

  /** To all conversations together. */
  public DataRate granted() {
    return grantedBy().values().stream().reduce(DataRate.ZERO, DataRate::plus);
  }

  /** Whether nothing is left of it but what elephants would give back: not only a scheme's part. */
  public boolean isFull() {
    long all = capacity().millibitsPerSecond();
    long given = granted().plus(heldTo()).millibitsPerSecond();
    DataRate lentToElephants =
        grantedBy().getOrDefault(SchemeName.ELEPHANT_ISOLATION, DataRate.ZERO);
    return given - lentToElephants.millibitsPerSecond() >= all - all / FULL_PARTS;
  }

  /** Whether more capacity here would make somebody better off by what can be noticed. */
  public boolean isBinding() {
    return isWorthMore() || !filledBy().isEmpty();
  }

  /** Whether that is so of those who are ruled by utility. */
  public boolean isWorthMore() {
    return pricePerMbit() * capacity().kilobitsPerSecond().doubleValue() / KBPS_PER_MBIT
        >= LEAST_WORTH;
  }
}
