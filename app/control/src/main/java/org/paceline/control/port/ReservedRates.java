package org.paceline.control.port;

import java.util.Collection;
import java.util.Map;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.intents.unit.DataRate;

/** What was reserved for some conversations ahead of time. */
@FunctionalInterface
public interface ReservedRates {
  ReservedRates NONE = proofs -> Map.of();

  /** The least rates that are due now, of those among the given that have one. */
  Map<ConversationId, DataRate> due(Collection<Proof> proofs);
}
