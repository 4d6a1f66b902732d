package org.paceline.onos;

import java.io.IOException;
import java.util.List;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cfg.ComponentConfigStore;
import org.onosproject.cluster.ClusterService;
import org.onosproject.core.CoreService;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.meter.MeterService;
import org.onosproject.net.packet.PacketService;
import org.onosproject.store.service.StorageService;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.paceline.control.api.RequestLimit;
import org.paceline.control.api.UseCases;
import org.paceline.control.assurance.BesideRules;
import org.paceline.control.assurance.Reconciler;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.SwitchReport;
import org.paceline.control.operations.Operations;
import org.paceline.control.policy.Ceilings;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.policy.PolicyDrafts;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.port.Closers;
import org.paceline.control.port.LinkLoads;
import org.paceline.control.port.PolicyFile;
import org.paceline.control.port.ProblemFile;
import org.paceline.control.port.Records;
import org.paceline.control.reservations.BrokenPromises;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.rollout.Planner;
import org.paceline.control.settings.Settings;
import org.paceline.control.webhook.Webhooks;
import org.paceline.northbound.log.LogJournal;
import org.paceline.northbound.rest.policy.YamlPolicyFile;
import org.paceline.northbound.rest.solve.JsonProblemFile;
import org.paceline.northbound.service.LastStart;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Paceline as ONOS sees it: its settings, the services that it needs, and the use cases that it
 * serves. The only class of the plan that knows OSGi's components; {@link Paceline} is what it
 * starts.
 */
@Component(immediate = true, service = UseCases.class)
// OSGi sets references before it activates, and nobody sees the service before that has ended.
@SuppressWarnings("NullAway.Init")
public final class PacelineComponent implements UseCases {
  private static final Logger log = LoggerFactory.getLogger(PacelineComponent.class);
  private static final String APPLICATION = "org.paceline.app";

  @Reference private CoreService core;
  @Reference private ComponentConfigService componentConfig;
  @Reference private ComponentConfigStore componentStore;
  @Reference private ClusterService cluster;
  @Reference private NetworkConfigRegistry networkConfig;
  @Reference private DeviceService devices;
  @Reference private LinkService links;
  @Reference private HostService hosts;
  @Reference private FlowRuleService rules;
  @Reference private MeterService meters;
  @Reference private PacketService packets;
  @Reference private StorageService storage;

  private final Closers closers = new Closers(new LogJournal());
  private Paceline paceline;

  /**
   * @throws IOException if the agents' port is taken: nothing stays half-open then
   */
  @Activate
  void activate(ComponentContext context) throws IOException {
    try {
      paceline = new Paceline(services(context.getBundleContext()), closers);
      paceline.open(this);
      componentConfig.registerProperties(PacelineComponent.class);
      closers.add(() -> componentConfig.unregisterProperties(PacelineComponent.class, false));
      LastStart.succeeded();
      log.info("Paceline started");
    } catch (IOException | RuntimeException e) {
      LastStart.failed(e);
      log.error("Paceline cannot start: {}", e.getMessage());
      closers.close();
      throw e;
    }
  }

  private OnosServices services(BundleContext bundle) {
    int nodes = cluster.getNodes().size();
    if (nodes > 1) {
      log.error(
          "This ONOS is a cluster of {} nodes, and Paceline plans on each of them by itself: they"
              + " would undo each other's rules. Maybe run it on an ONOS of one node.",
          nodes);
    }
    return OnosServices.builder()
        .app(core.registerApplication(APPLICATION))
        .node(cluster.getLocalNode().id().toString())
        .bundle(bundle)
        .networkConfig(networkConfig)
        .devices(devices)
        .links(links)
        .hosts(hosts)
        .rules(rules)
        .meters(meters)
        .packets(packets)
        .storage(storage)
        .settings(new StoredSettings(componentStore, componentConfig))
        .build();
  }

  /** ONOS hands over what it shows; what is stored is looked up. */
  @Modified
  void modified() {
    paceline.stored.lookAgain();
  }

  @Deactivate
  void deactivate() {
    closers.close();
    log.info("Paceline stopped");
  }

  @Override
  public IntentPolicies policies() {
    return paceline.desired.policies;
  }

  @Override
  public PolicyVersions versions() {
    return paceline.desired.versions;
  }

  @Override
  public PolicyDrafts drafts() {
    return paceline.desired.drafts;
  }

  @Override
  public PolicyFile policyFile() {
    return new YamlPolicyFile();
  }

  @Override
  public ProblemFile problemFile() {
    return new JsonProblemFile();
  }

  @Override
  public ChangeLog changes() {
    return paceline.desired.changes;
  }

  @Override
  public Settings settings() {
    return paceline.stored;
  }

  @Override
  public RequestLimit requestLimit() {
    return paceline.requests;
  }

  @Override
  public Records<String> answers() {
    return paceline.desired.answers;
  }

  @Override
  public Operations operations() {
    return paceline.operations;
  }

  @Override
  public Planner planner() {
    return paceline.planner;
  }

  @Override
  public Reservations reservations() {
    return paceline.reservations;
  }

  @Override
  public BrokenPromises brokenPromises() {
    return paceline.brokenPromises;
  }

  @Override
  public Webhooks webhooks() {
    return paceline.desired.webhooks;
  }

  @Override
  public Ceilings ceilings() {
    return paceline.desired.ceilings;
  }

  @Override
  public ProofBook proofs() {
    return paceline.proofs;
  }

  @Override
  public Reconciler reconciler() {
    return paceline.reconciler;
  }

  @Override
  public String agentsPort() {
    return paceline.agentsPort();
  }

  @Override
  public BesideRules besideRules() {
    return paceline.besideRules;
  }

  @Override
  public NetworkState network() {
    return paceline.switches.network.current();
  }

  @Override
  public LinkLoads linkLoads() {
    return paceline.switches.loads;
  }

  @Override
  public List<SwitchReport> switches() {
    return paceline.switches.reports.all();
  }
}
