package org.paceline.runtime.providers;

import org.onosproject.cluster.ClusterMetadataService;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.net.device.DeviceProviderRegistry;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleProviderRegistry;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostProviderRegistry;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkProviderRegistry;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.meter.MeterProviderRegistry;
import org.onosproject.net.packet.PacketProviderRegistry;
import org.onosproject.net.packet.PacketService;
import org.onosproject.openflow.controller.OpenFlowController;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.paceline.runtime.providers.discovery.DiscoveryProviders;
import org.paceline.runtime.providers.openflow.OpenFlowProviders;

/** The one place that knows OSGi: takes ONOS's services and opens the providers with them. */
@Component(immediate = true, service = Providers.class)
public final class Providers {
  private static final String APPLICATION = "org.paceline.runtime";

  private final Closers closers = new Closers();

  // As many as ONOS has services for it: OSGi hands over one a parameter.
  @Activate
  public Providers(
      @Reference CoreService core,
      @Reference ClusterMetadataService cluster,
      @Reference OpenFlowController controller,
      @Reference DeviceProviderRegistry deviceProviders,
      @Reference FlowRuleProviderRegistry flowProviders,
      @Reference MeterProviderRegistry meterProviders,
      @Reference PacketProviderRegistry packetProviders,
      @Reference LinkProviderRegistry linkProviders,
      @Reference HostProviderRegistry hostProviders,
      @Reference FlowRuleService flowRules,
      @Reference DeviceService devices,
      @Reference LinkService links,
      @Reference HostService hosts,
      @Reference PacketService packets) {
    ApplicationId application = core.registerApplication(APPLICATION);
    OpenFlowProviders.open(
        controller,
        application,
        deviceProviders,
        flowProviders,
        flowRules,
        meterProviders,
        packetProviders,
        closers::add);
    DiscoveryProviders.open(
        application,
        cluster.getClusterMetadata().getClusterSecret(),
        devices,
        links,
        hosts,
        packets,
        linkProviders,
        hostProviders,
        closers::add);
  }

  @Deactivate
  void close() {
    closers.closeAll();
  }
}
