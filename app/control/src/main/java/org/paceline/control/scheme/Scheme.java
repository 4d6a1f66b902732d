package org.paceline.control.scheme;

import java.util.Map;
import java.util.Optional;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.tree.SchemeName;

/**
 * One way to share the network's links. A scheme sees no switch, no agent and no clock: it decides
 * by what it is told, and equal snapshots give equal decisions as far as its time limit allows.
 */
public interface Scheme {
  /** As the intent tree calls it; the owner of all that it wants. */
  SchemeName name();

  /**
   * Who gets what. Takes as long as the snapshot's {@link Snapshot.Effort} says, and may be called
   * by any thread.
   *
   * @return empty where the links do not carry yet what hosts hold, and the snapshot allows to wait
   */
  Optional<Decision> decide(Snapshot snapshot);

  /** Whether a decision for the same conversations gives so much more that rates should change. */
  boolean isWorthTheChange(Decision inForce, Decision fresh);

  /** Whether what was seen since is a reason to decide anew. */
  default boolean isMovedBy(Observations seen, Decision inForce) {
    return false;
  }

  /** Whether what ports carry now is a reason to decide anew. */
  default boolean isMovedBy(Map<LinkId, PortState> ports, Decision inForce) {
    return false;
  }

  /**
   * What a scheme remembers from one decision to the next, and nobody else looks into. It may be
   * used up by the next decision.
   */
  interface Memory {
    /** Of a scheme whose decision follows from its snapshot alone. */
    Memory NOTHING = new Memory() {};
  }
}
