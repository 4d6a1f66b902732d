package org.paceline.agent.application;

import java.util.Map;
import java.util.Optional;
import org.paceline.agent.flow.Flow;
import org.paceline.intents.tree.IntentPath;

/** One line that an application has sent. */
public sealed interface Request {

  /**
   * These sockets serve this intent.
   *
   * @param socket only this one; empty: all that the process has and will have
   * @param process another one than who asks
   */
  record Claim(IntentPath intent, Optional<Flow> socket, Optional<Integer> process)
      implements Request {}

  /** What the application has measured itself, by name. */
  record Kpis(Map<String, Double> values) implements Request {}

  /** What was granted to the sockets that this connection has claimed? */
  record Grants() implements Request {}
}
