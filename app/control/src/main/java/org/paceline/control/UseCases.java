package org.paceline.control;

import org.paceline.control.plan.Planner;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.port.NetworkState;
import org.paceline.control.proof.ProofBook;

/** Everything that an operator can ask for or do: what REST and the shell commands call. */
public interface UseCases {
  /** What is wanted: the intent tree. */
  IntentPolicies policies();

  /** What is granted: the plan, the agents, and conversations announced by hand. */
  Planner planner();

  /** What is true of every conversation. */
  ProofBook proofs();

  /** The network as it was last seen. */
  NetworkState network();
}
