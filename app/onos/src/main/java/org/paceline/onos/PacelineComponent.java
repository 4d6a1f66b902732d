package org.paceline.onos;

import java.io.IOException;
import org.onosproject.app.ApplicationService;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cfg.ComponentConfigStore;
import org.onosproject.cluster.ClusterService;
import org.onosproject.core.CoreService;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostAdminService;
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
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.LearningService;
import org.paceline.control.api.NamingService;
import org.paceline.control.api.NetworkService;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.RequestService;
import org.paceline.control.api.ReservationService;
import org.paceline.control.api.SolverService;
import org.paceline.control.api.StateService;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.enrolment.EnrolmentTokens;
import org.paceline.control.enrolment.HostCertificates;
import org.paceline.control.ingress.IngressLists;
import org.paceline.control.operations.Operations;
import org.paceline.control.settings.Settings;
import org.paceline.control.webhook.Webhooks;
import org.paceline.control.work.Closers;
import org.paceline.northbound.log.LogJournal;
import org.paceline.northbound.service.LastStart;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Paceline as ONOS sees it: its settings, the services that it needs, and those that it offers. The
 * only class of the plan that knows OSGi's components; {@link Paceline} is what it starts.
 */
@Component(immediate = true, service = UseCases.class)
// OSGi sets references before it activates, and nobody sees the service before that has ended.
@SuppressWarnings("NullAway.Init")
public final class PacelineComponent implements UseCases {
  private static final Logger log = LoggerFactory.getLogger(PacelineComponent.class);
  private static final String APPLICATION = "org.paceline.app";

  @Reference private CoreService core;
  @Reference private ApplicationService applications;
  @Reference private ComponentConfigService componentConfig;
  @Reference private ComponentConfigStore componentStore;
  @Reference private ClusterService cluster;
  @Reference private NetworkConfigRegistry networkConfig;
  @Reference private DeviceService devices;
  @Reference private MastershipService masters;
  @Reference private LinkService links;
  @Reference private HostAdminService hosts;
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
    } catch (IOException | RuntimeException | Error e) {
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
        .core(core)
        .applications(applications)
        .networkConfig(networkConfig)
        .devices(devices)
        .masters(masters)
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
    paceline.settingsMayBeOthers();
  }

  @Deactivate
  void deactivate() {
    closers.close();
    log.info("Paceline stopped");
  }

  @Override
  public PolicyService policy() {
    return paceline.policy;
  }

  @Override
  public ConversationService conversations() {
    return paceline.conversations;
  }

  @Override
  public NamingService naming() {
    return paceline.naming;
  }

  @Override
  public StateService state() {
    return paceline.state;
  }

  @Override
  public NetworkService network() {
    return paceline.network;
  }

  @Override
  public IngressLists elephants() {
    return paceline.elephants;
  }

  @Override
  public ReservationService reservations() {
    return paceline.reserving;
  }

  @Override
  public SolverService solver() {
    return paceline.solver;
  }

  @Override
  public RequestService requests() {
    return paceline.requests;
  }

  @Override
  public Operations operations() {
    return paceline.operations;
  }

  @Override
  public LearningService learning() {
    return paceline.learning;
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
  public Webhooks webhooks() {
    return paceline.desired.webhooks;
  }

  @Override
  public EnrolmentTokens enrolment() {
    return paceline.desired.enrolment;
  }

  @Override
  public HostCertificates certificates() {
    return paceline.desired.certificates;
  }
}
