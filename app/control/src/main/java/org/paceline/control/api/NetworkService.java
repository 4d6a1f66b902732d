package org.paceline.control.api;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.paceline.control.explain.LinkUse;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.NodeNames;
import org.paceline.control.port.NetworkView;
import org.paceline.control.rollout.Planner;
import org.paceline.control.telemetry.LinkTelemetry;
import org.paceline.control.view.LinkView;
import org.paceline.control.view.SwitchReport;

/** The network: its links and what is granted on them, its switches and its hosts' agents. */
public final class NetworkService {
  private final NetworkView network;
  private final LinkTelemetry telemetry;
  private final Supplier<List<SwitchReport>> switches;
  private final Planner planner;
  private final ProofBook proofs;

  /**
   * @param switches what each switch can do, by its id
   */
  public NetworkService(
      NetworkView network,
      LinkTelemetry telemetry,
      Supplier<List<SwitchReport>> switches,
      Planner planner,
      ProofBook proofs) {
    this.network = network;
    this.telemetry = telemetry;
    this.switches = switches;
    this.planner = planner;
    this.proofs = proofs;
  }

  /** The network as it was last seen. */
  public NetworkState current() {
    return network.current();
  }

  /** Its links, with what is granted and lent on each, and what its switch counts. */
  public List<LinkView> links() {
    NetworkState now = network.current();
    return LinkView.of(
        now,
        planner.settings().usable(now.network()),
        nodeNames(),
        LinkUse.of(planner.plan(), planner.loans(), proofs),
        telemetry.now());
  }

  /** What people call the nodes of the network. */
  public NodeNames nodeNames() {
    return NodeNames.of(network.current(), planner.agents());
  }

  /** The agents that are attached, by host. */
  public Collection<AgentInfo> agents() {
    return planner.agents();
  }

  /** What each switch can do, by its id. */
  public List<SwitchReport> switches() {
    return switches.get();
  }
}
