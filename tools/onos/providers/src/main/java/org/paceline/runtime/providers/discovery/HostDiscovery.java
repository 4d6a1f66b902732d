package org.paceline.runtime.providers.discovery;

import com.google.common.collect.ImmutableSet;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IpAddress;
import org.onlab.util.Tools;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.host.DefaultHostDescription;
import org.onosproject.net.host.HostProvider;
import org.onosproject.net.host.HostProviderRegistry;
import org.onosproject.net.host.HostProviderService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.onosproject.net.provider.AbstractProvider;
import org.onosproject.net.provider.ProviderId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns hosts, and all their addresses, from the ARP and the neighbour discovery of IPv6 that they
 * send.
 *
 * <p>A host is where its frame entered the network. At a port that just came up a sighting waits
 * until link discovery knows whether a switch is behind it: the frame may have come through there.
 * Where a switch was a moment ago, nobody is believed to be at all.
 */
final class HostDiscovery extends AbstractProvider implements HostProvider, PacketProcessor {
  private static final Logger LOG = LoggerFactory.getLogger(HostDiscovery.class);

  private final HostService hosts;
  private final LinkService links;
  private final PacketService packets;
  private final ProbeSchedule ports;
  private final HostProviderService service;
  private final LinkEnds linkEnds = new LinkEnds();
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Tools.groupedThreads("paceline/hosts", "discovery", LOG));

  HostDiscovery(
      HostService hosts,
      LinkService links,
      PacketService packets,
      HostProviderRegistry registry,
      ProbeSchedule ports) {
    super(new ProviderId("host", "org.paceline.runtime.hosts"));
    this.hosts = hosts;
    this.links = links;
    this.packets = packets;
    this.ports = ports;
    this.service = registry.register(this);
  }

  void stop() {
    executor.shutdownNow();
  }

  @Override
  public void triggerProbe(Host host) {
    for (IpAddress address : host.ipAddresses()) {
      if (address.isIp4()) {
        packets.emit(ArpProbe.of(host, address.getIp4Address()));
      }
    }
  }

  @Override
  public void process(PacketContext context) {
    Ethernet frame = context.inPacket().parsed();
    if (frame == null) {
      return;
    }
    ConnectPoint at = context.inPacket().receivedFrom();
    // The frame itself is left to whoever forwards.
    Sighting.in(frame).ifPresent(sighting -> executor.execute(() -> seen(sighting, at)));
  }

  private void seen(Sighting sighting, ConnectPoint at) {
    if (!ports.isSettled(at)) {
      executor.schedule(
          () -> believe(sighting, at), 5 * ProbeSchedule.TICK_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      believe(sighting, at);
    }
  }

  private void believe(Sighting sighting, ConnectPoint at) {
    if (!links.getLinks(at).isEmpty()
        || linkEnds.has(at, System.nanoTime())
        || at.port().isLogical()) {
      return; // It came through another switch.
    }
    HostId id = HostId.hostId(sighting.mac(), sighting.vlan());
    Host known = hosts.getHost(id);
    Set<IpAddress> addresses = sighting.address().map(ImmutableSet::of).orElse(ImmutableSet.of());
    if (known != null
        && known.locations().stream().anyMatch(each -> isAt(each, at))
        && known.ipAddresses().containsAll(addresses)) {
      return; // Nothing new.
    }
    // Not replacing addresses: a host may have several, and says one at a time.
    service.hostDetected(
        id,
        new DefaultHostDescription(
            sighting.mac(),
            sighting.vlan(),
            new HostLocation(at, System.currentTimeMillis()),
            addresses),
        false);
  }

  private static boolean isAt(HostLocation location, ConnectPoint at) {
    return location.deviceId().equals(at.deviceId()) && location.port().equals(at.port());
  }

  /** A link where hosts were believed to be: they are beyond it. */
  void linkChanged(LinkEvent event) {
    if (event.type() == LinkEvent.Type.LINK_ADDED) {
      executor.execute(
          () -> {
            linkEnds.linked(event.subject());
            forget(event.subject().dst());
          });
    } else if (event.type() == LinkEvent.Type.LINK_REMOVED) {
      executor.execute(() -> linkEnds.unlinked(event.subject(), System.nanoTime()));
    }
  }

  /** A port that is gone takes its hosts along; one that is only down keeps them. */
  void portChanged(DeviceEvent event) {
    if (event.type() == DeviceEvent.Type.PORT_REMOVED && event.port() != null) {
      ConnectPoint at = new ConnectPoint(event.subject().id(), event.port().number());
      executor.execute(() -> forget(at));
    }
  }

  private void forget(ConnectPoint at) {
    for (Host host : hosts.getConnectedHosts(at)) {
      service.hostVanished(host.id());
    }
  }
}
