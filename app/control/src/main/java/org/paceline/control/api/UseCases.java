package org.paceline.control.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.control.assurance.BesideRules;
import org.paceline.control.assurance.Reconciler;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.Refused;
import org.paceline.control.explain.Explainer;
import org.paceline.control.explain.Explanation;
import org.paceline.control.explain.LinkUse;
import org.paceline.control.explain.PolicyDifference;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.NodeNames;
import org.paceline.control.model.SwitchReport;
import org.paceline.control.operations.Operations;
import org.paceline.control.policy.Ceilings;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.policy.PolicyDrafts;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.port.LinkLoads;
import org.paceline.control.port.PolicyFile;
import org.paceline.control.port.ProblemFile;
import org.paceline.control.port.Records;
import org.paceline.control.reservations.BrokenPromises;
import org.paceline.control.reservations.ReservationDesk;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.rollout.Planner;
import org.paceline.control.settings.Settings;
import org.paceline.control.webhook.Webhooks;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.tree.IntentTree;

/** Everything that an operator can ask for or do: what REST and the shell commands call. */
public interface UseCases {
  /** What is wanted: the intent tree. */
  IntentPolicies policies();

  /** The intent trees that were in force, and how another comes into force. */
  PolicyVersions versions();

  /** To change one node of the intent tree. */
  default IntentDesk intentDesk() {
    return new IntentDesk(this);
  }

  /** The intent trees that are being prepared. */
  PolicyDrafts drafts();

  /** How an intent tree is exported and imported. */
  PolicyFile policyFile();

  /** Every change, its author and its ticket. */
  ChangeLog changes();

  /** What can be set, and what it is. */
  Settings settings();

  /** How many requests each client may send. */
  RequestLimit requestLimit();

  /** What was answered to requests that may come again. */
  Records<String> answers();

  /** What another intent tree would do to those who talk. */
  default PolicyDifference whatIf(IntentTree next) {
    return PolicyDifference.of(policies().tree(), next, planner(), proofs());
  }

  /** How a problem is read that somebody sends to have it solved. */
  ProblemFile problemFile();

  /**
   * What the plan in force was made for, as one problem.
   *
   * @throws Refused if nothing was planned yet
   */
  default Problem presentProblem() {
    return planner()
        .problem()
        .orElseThrow(
            () ->
                new Refused(
                    "Nothing is planned, as nobody talks. Maybe send a problem to be solved."));
  }

  /** What was asked for by those who do not wait. */
  Operations operations();

  /** What is granted: the plan, the agents, and conversations announced by hand. */
  Planner planner();

  /** What is true of every conversation. */
  ProofBook proofs();

  /** Why a conversation got what it got; empty where nobody knows it or it has no grant. */
  default Optional<Explanation> explain(ConversationId id) {
    return proofs().find(id).flatMap(proof -> Explainer.explain(proof, planner()));
  }

  /** To announce and end conversations of hosts without an agent. */
  default ConversationDesk conversationDesk() {
    return new ConversationDesk(this);
  }

  /** Whether the network holds what is planned. */
  Reconciler reconciler();

  /** Where agents call in, and who is let in there; for a person. */
  String agentsPort();

  /** Who sends what no rule names. */
  BesideRules besideRules();

  /** Rates that were asked for ahead. */
  Reservations reservations();

  /** Which of them the network cannot keep. */
  BrokenPromises brokenPromises();

  /** To make them and give them back. */
  default ReservationDesk reservationDesk() {
    return new ReservationDesk(reservations(), changes());
  }

  /** How much those may ask for to whom a branch is delegated. */
  Ceilings ceilings();

  /** Who is told of changes. */
  Webhooks webhooks();

  /** The network as it was last seen. */
  NetworkState network();

  /** What is granted and lent on each link. */
  default Map<LinkId, LinkUse> linkUses() {
    return LinkUse.of(planner().plan(), planner().loans(), proofs());
  }

  /** What the switches of the network count. */
  LinkLoads linkLoads();

  /** What people call the nodes of the network. */
  default NodeNames nodeNames() {
    return NodeNames.of(network(), planner().agents());
  }

  /** What each switch can do, by its id. */
  List<SwitchReport> switches();
}
