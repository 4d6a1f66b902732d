package org.paceline.control.port;

import com.google.auto.value.AutoValue;
import java.util.Collection;
import java.util.Map;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.intents.unit.DataRate;

/** What was reserved for some conversations ahead of time. */
@FunctionalInterface
public interface ReservedRates {
  ReservedRates NONE = proofs -> Map.of();

  /** What is due now, of those among the given that have something reserved. */
  Map<ConversationId, Due> due(Collection<Proof> proofs);

  /** What is reserved for one conversation. */
  @AutoValue
  abstract class Due {
    public static final Due NOTHING = of(DataRate.ZERO, DataRate.ZERO, DataRate.ZERO);

    /** All of it: its least rate. */
    public abstract DataRate rate();

    /** Of that, what is lent to nobody, used or not. */
    public abstract DataRate firm();

    /** Of its least rate, what was admitted beside circuits: what it has of it as an elephant. */
    public abstract DataRate circuit();

    /** Lent while it is not used. */
    public static Due adaptive(DataRate rate) {
      return of(rate, DataRate.ZERO, DataRate.ZERO);
    }

    public static Due firm(DataRate rate) {
      return of(rate, rate, DataRate.ZERO);
    }

    /** The same, admitted beside circuits. */
    public final Due asCircuit() {
      return of(rate(), firm(), rate());
    }

    public final Due plus(Due other) {
      return of(
          rate().plus(other.rate()), firm().plus(other.firm()), circuit().plus(other.circuit()));
    }

    private static Due of(DataRate rate, DataRate firm, DataRate circuit) {
      return new AutoValue_ReservedRates_Due(rate, firm, circuit);
    }
  }
}
