package org.paceline.runtime.providers.discovery;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.onlab.packet.EthType.EtherType;
import org.onlab.packet.ICMP6;
import org.onlab.packet.IPv6;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.host.HostProviderRegistry;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkProviderRegistry;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.PacketPriority;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;

/** Builds what finds links and hosts by the packets that they send. */
public final class DiscoveryProviders {
  private static final int LINK_PRIORITY = 0;
  private static final int HOST_PRIORITY = 1;

  private DiscoveryProviders() {}

  /** Registers the providers; hands out what undoes it, in the order in which it was done. */
  public static void open(
      ApplicationId application,
      String secret,
      DeviceService devices,
      LinkService links,
      HostService hosts,
      PacketService packets,
      LinkProviderRegistry linkRegistry,
      HostProviderRegistry hostRegistry,
      Consumer<Runnable> closers) {
    ProbeSchedule schedule = new ProbeSchedule();
    LinkDiscovery linkDiscovery =
        new LinkDiscovery(devices, links, packets, linkRegistry, new LldpProbe(secret), schedule);
    closers.accept(() -> linkRegistry.unregister(linkDiscovery));
    closers.accept(linkDiscovery::stop);
    HostDiscovery hostDiscovery = new HostDiscovery(hosts, links, packets, hostRegistry, schedule);
    closers.accept(() -> hostRegistry.unregister(hostDiscovery));
    closers.accept(hostDiscovery::stop);

    devices.addListener(linkDiscovery);
    closers.accept(() -> devices.removeListener(linkDiscovery));
    DeviceListener hostPorts = hostDiscovery::portChanged;
    devices.addListener(hostPorts);
    closers.accept(() -> devices.removeListener(hostPorts));
    LinkListener hostLinks = hostDiscovery::linkChanged;
    links.addListener(hostLinks);
    closers.accept(() -> links.removeListener(hostLinks));
    // As directors: they look at packets before an application handles, and so ends, them.
    packets.addProcessor(linkDiscovery, PacketProcessor.director(LINK_PRIORITY));
    closers.accept(() -> packets.removeProcessor(linkDiscovery));
    packets.addProcessor(hostDiscovery, PacketProcessor.director(HOST_PRIORITY));
    closers.accept(() -> packets.removeProcessor(hostDiscovery));
    List<TrafficSelector> wanted = new ArrayList<>();
    for (EtherType type : List.of(EtherType.LLDP, EtherType.ARP)) {
      wanted.add(DefaultTrafficSelector.builder().matchEthType(type.ethType().toShort()).build());
    }
    for (byte type : List.of(ICMP6.NEIGHBOR_SOLICITATION, ICMP6.NEIGHBOR_ADVERTISEMENT)) {
      wanted.add(
          DefaultTrafficSelector.builder()
              .matchEthType(EtherType.IPV6.ethType().toShort())
              .matchIPProtocol(IPv6.PROTOCOL_ICMP6)
              .matchIcmpv6Type(type)
              .build());
    }
    for (TrafficSelector selector : wanted) {
      packets.requestPackets(selector, PacketPriority.CONTROL, application);
      closers.accept(() -> packets.cancelPackets(selector, PacketPriority.CONTROL, application));
    }
    linkDiscovery.start();
  }
}
