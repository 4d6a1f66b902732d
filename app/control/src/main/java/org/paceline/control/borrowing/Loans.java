package org.paceline.control.borrowing;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** What some have of others' grants for as long as those leave it unused. */
@AutoValue
public abstract class Loans {
  public static final Loans NONE = of(Map.of(), Map.of());

  /** On top of the conversation's own grant; whoever has nothing lent is not named. */
  public abstract Map<ConversationId, DataRate> rates();

  /** By how much grants and loans together exceed what a plan may grant on the link. */
  public abstract Map<LinkId, DataRate> beyondPlan();

  public static Loans of(Map<ConversationId, DataRate> rates, Map<LinkId, DataRate> beyondPlan) {
    return new AutoValue_Loans(
        Collections.unmodifiableMap(new TreeMap<>(rates)),
        Collections.unmodifiableMap(new TreeMap<>(beyondPlan)));
  }

  /** All that is lent. */
  public DataRate sum() {
    return rates().values().stream().reduce(DataRate.ZERO, DataRate::plus);
  }

  public DataRate to(ConversationId id) {
    return rates().getOrDefault(id, DataRate.ZERO);
  }
}
