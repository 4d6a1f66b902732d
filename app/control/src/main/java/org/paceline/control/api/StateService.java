package org.paceline.control.api;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.paceline.control.assurance.BesideRules;
import org.paceline.control.assurance.Reconciler;
import org.paceline.control.borrowing.Loans;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.NodeNames;
import org.paceline.control.planning.Plan;
import org.paceline.control.rollout.Planner;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.view.ConversationView;
import org.paceline.control.view.IntentExperience;
import org.paceline.control.view.StateView;

/** How it goes: the plan in force, who takes part in it, and what is wrong. Changes nothing. */
public final class StateService {
  private final Planner planner;
  private final ProofBook proofs;
  private final Reconciler reconciler;
  private final BesideRules besideRules;
  private final Supplier<String> agentsPort;
  private final NetworkService network;
  private final NamingService naming;

  /**
   * @param agentsPort where agents call in, and who is let in there; for a person
   */
  public StateService(
      Planner planner,
      ProofBook proofs,
      Reconciler reconciler,
      BesideRules besideRules,
      Supplier<String> agentsPort,
      NetworkService network,
      NamingService naming) {
    this.planner = planner;
    this.proofs = proofs;
    this.reconciler = reconciler;
    this.besideRules = besideRules;
    this.agentsPort = agentsPort;
    this.network = network;
    this.naming = naming;
  }

  /** Whether plans are carried out. */
  public PlanMode mode() {
    return planner.mode();
  }

  /** The plan in force, or in {@link PlanMode#SHADOW} what would be. */
  public Plan plan() {
    return planner.plan();
  }

  /** The whole in a few numbers. */
  public StateView now() {
    return StateView.builder()
        .mode(planner.mode())
        .plan(planner.plan())
        .lent(planner.loans().sum())
        .agents(planner.agents().size())
        .agentsPort(agentsPort.get())
        .conversations(proofs.all().size())
        .alarms(reconciler.alarms().size())
        .beside(besideRules.senders())
        .guests(naming.notes())
        .build();
  }

  /** What is lent beyond the plan's grants. */
  public Loans loans() {
    return planner.loans();
  }

  /** All conversations. */
  public List<ConversationView> conversations() {
    return ConversationView.of(proofs.all());
  }

  /** What users experience, by intent. */
  public List<IntentExperience> experiences() {
    return IntentExperience.of(proofs.all());
  }

  /** The agents that are attached, by host. */
  public Collection<AgentInfo> agents() {
    return planner.agents();
  }

  /** What is not as planned and could not be put right. */
  public List<Alarm> alarms() {
    return reconciler.alarms();
  }

  /** Told of all alarms whenever they are other than before. */
  public void onAlarms(Consumer<List<Alarm>> listener) {
    reconciler.onAlarms(listener);
  }

  /** What people call the nodes of the network. */
  public NodeNames nodeNames() {
    return network.nodeNames();
  }
}
