package org.paceline.runtime.providers.discovery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.onlab.packet.Ethernet;
import org.onlab.util.Tools;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Device;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.Port;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.link.DefaultLinkDescription;
import org.onosproject.net.link.LinkProvider;
import org.onosproject.net.link.LinkProviderRegistry;
import org.onosproject.net.link.LinkProviderService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.onosproject.net.provider.AbstractProvider;
import org.onosproject.net.provider.ProviderId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds links: a probe sent out of one port comes in at the port it is connected to.
 *
 * <p>All state belongs to one thread; listeners and processors only hand it work.
 */
final class LinkDiscovery extends AbstractProvider
    implements LinkProvider, PacketProcessor, DeviceListener {
  private static final Logger LOG = LoggerFactory.getLogger(LinkDiscovery.class);
  // Three probes lost in a row.
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final DeviceService devices;
  private final LinkService links;
  private final PacketService packets;
  private final LldpProbe probe;
  private final ProbeSchedule schedule;
  private final LinkProviderService service;
  private final Map<LinkKey, Long> lastSeen = new HashMap<>();
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Tools.groupedThreads("paceline/links", "discovery", LOG));

  LinkDiscovery(
      DeviceService devices,
      LinkService links,
      PacketService packets,
      LinkProviderRegistry registry,
      LldpProbe probe,
      ProbeSchedule schedule) {
    super(new ProviderId("lldp", "org.paceline.runtime.links"));
    this.devices = devices;
    this.links = links;
    this.packets = packets;
    this.probe = probe;
    this.schedule = schedule;
    this.service = registry.register(this);
  }

  void start() {
    executor.scheduleWithFixedDelay(
        guarded(this::tick),
        ProbeSchedule.TICK_MILLIS,
        ProbeSchedule.TICK_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  void stop() {
    executor.shutdownNow();
  }

  private void tick() {
    for (ConnectPoint port : schedule.tick(portsUp())) {
      emit(port);
    }
    forgetSilent();
  }

  private List<ConnectPoint> portsUp() {
    List<ConnectPoint> up = new ArrayList<>();
    for (Device device : devices.getAvailableDevices()) {
      if (devices.getRole(device.id()) == MastershipRole.MASTER) {
        for (Port port : devices.getPorts(device.id())) {
          if (port.isEnabled() && !port.number().isLogical()) {
            up.add(new ConnectPoint(device.id(), port.number()));
          }
        }
      }
    }
    return up;
  }

  private void emit(ConnectPoint port) {
    Device device = devices.getDevice(port.deviceId());
    if (device != null) {
      packets.emit(
          new DefaultOutboundPacket(
              port.deviceId(),
              DefaultTrafficTreatment.builder().setOutput(port.port()).build(),
              probe.frame(port, device.chassisId())));
    }
  }

  private void forgetSilent() {
    long now = System.nanoTime();
    lastSeen
        .entrySet()
        .removeIf(
            entry -> {
              boolean silent = now - entry.getValue() > SILENCE_NANOS;
              if (silent) {
                LOG.info("Link {} is silent.", entry.getKey());
                service.linkVanished(description(entry.getKey()));
              }
              return silent;
            });
  }

  @Override
  public void process(PacketContext context) {
    Ethernet frame = context.inPacket().parsed();
    if (frame == null || frame.getEtherType() != Ethernet.TYPE_LLDP || context.isHandled()) {
      return;
    }
    ConnectPoint to = context.inPacket().receivedFrom();
    probe
        .sender(frame)
        .ifPresent(
            from -> {
              context.block();
              executor.execute(guarded(() -> seen(LinkKey.linkKey(from, to))));
            });
  }

  private void seen(LinkKey key) {
    if (!isUp(key.src()) || !isUp(key.dst())) {
      return; // It was under way when the port went down.
    }
    lastSeen.put(key, System.nanoTime());
    if (links.getLink(key.src(), key.dst()) == null) {
      service.linkDetected(description(key));
    }
  }

  private boolean isUp(ConnectPoint at) {
    Port port = devices.getPort(at);
    return port != null && port.isEnabled() && devices.isAvailable(at.deviceId());
  }

  @Override
  public boolean isRelevant(DeviceEvent event) {
    return event.type() != DeviceEvent.Type.PORT_STATS_UPDATED;
  }

  @Override
  public void event(DeviceEvent event) {
    executor.execute(guarded(() -> changed(event)));
  }

  private void changed(DeviceEvent event) {
    Port port = event.port();
    switch (event.type()) {
      case PORT_UPDATED:
      case PORT_REMOVED:
        if (port != null && (event.type() == DeviceEvent.Type.PORT_REMOVED || !port.isEnabled())) {
          ConnectPoint at = new ConnectPoint(event.subject().id(), port.number());
          lastSeen.keySet().removeIf(key -> key.src().equals(at) || key.dst().equals(at));
          service.linksVanished(at);
        }
        break;
      case DEVICE_REMOVED:
      case DEVICE_AVAILABILITY_CHANGED:
        if (!devices.isAvailable(event.subject().id())) {
          lastSeen
              .keySet()
              .removeIf(
                  key ->
                      key.src().deviceId().equals(event.subject().id())
                          || key.dst().deviceId().equals(event.subject().id()));
          service.linksVanished(event.subject().id());
        }
        break;
      default:
        // Ports that come up are found at the next tick.
        break;
    }
  }

  private static DefaultLinkDescription description(LinkKey key) {
    return new DefaultLinkDescription(key.src(), key.dst(), Link.Type.DIRECT);
  }

  // A tick that throws would silently be the last one.
  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException failure) {
        LOG.warn("Link discovery stumbled.", failure);
      }
    };
  }
}
