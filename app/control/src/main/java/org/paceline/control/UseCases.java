package org.paceline.control;

import java.util.List;
import java.util.Optional;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.explain.Explainer;
import org.paceline.control.explain.Explanation;
import org.paceline.control.plan.Planner;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.port.NetworkState;
import org.paceline.control.port.SwitchReport;
import org.paceline.control.proof.ProofBook;
import org.paceline.control.proof.Reconciler;

/** Everything that an operator can ask for or do: what REST and the shell commands call. */
public interface UseCases {
  /** What is wanted: the intent tree. */
  IntentPolicies policies();

  /** What is granted: the plan, the agents, and conversations announced by hand. */
  Planner planner();

  /** What is true of every conversation. */
  ProofBook proofs();

  /** Why a conversation got what it got; empty where nobody knows it or it has no grant. */
  default Optional<Explanation> explain(ConversationId id) {
    return proofs().find(id).flatMap(proof -> Explainer.explain(proof, planner()));
  }

  /** Whether the network holds what is planned. */
  Reconciler reconciler();

  /** The network as it was last seen. */
  NetworkState network();

  /** What each switch can do, by its id. */
  List<SwitchReport> switches();
}
