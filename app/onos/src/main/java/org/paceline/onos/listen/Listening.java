package org.paceline.onos.listen;

import java.util.function.Consumer;
import org.onosproject.event.Event;
import org.onosproject.event.EventListener;
import org.onosproject.event.ListenerService;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.host.HostEvent;
import org.onosproject.net.host.HostListener;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.MapEvent;
import org.onosproject.store.service.MapEventListener;
import org.paceline.control.work.Closers;
import org.paceline.control.work.Faults;

/**
 * All doors by which ONOS calls in. What is thrown behind one is written down and goes no further:
 * ONOS catches exceptions of listeners and of packet processors, but no errors. Those after it, of
 * whatever application, then hear nothing of the event.
 */
public final class Listening {
  private final Faults faults;
  private final Closers closers;

  /**
   * @param closers end it
   */
  public Listening(Faults faults, Closers closers) {
    this.faults = faults;
    this.closers = closers;
  }

  public void devices(DeviceService devices, Consumer<DeviceEvent> hears) {
    DeviceListener guarded = event -> hear(hears, event);
    to(devices, guarded);
  }

  public void links(LinkService links, Consumer<LinkEvent> hears) {
    LinkListener guarded = event -> hear(hears, event);
    to(links, guarded);
  }

  public void hosts(HostService hosts, Consumer<HostEvent> hears) {
    HostListener guarded = event -> hear(hears, event);
    to(hosts, guarded);
  }

  public void settings(NetworkConfigService settings, Consumer<NetworkConfigEvent> hears) {
    NetworkConfigListener guarded = event -> hear(hears, event);
    to(settings, guarded);
  }

  public <K, V> void records(ConsistentMap<K, V> map, Consumer<MapEvent<K, V>> hears) {
    MapEventListener<K, V> guarded = event -> hear(hears, event);
    map.addListener(guarded);
    closers.add(() -> map.removeListener(guarded));
  }

  /**
   * @param priority where it stands among all processors
   */
  public void packets(PacketService packets, int priority, PacketProcessor looks) {
    PacketProcessor guarded =
        context ->
            faults.guard(
                "A packet could not be looked at; the next one is", () -> looks.process(context));
    packets.addProcessor(guarded, priority);
    closers.add(() -> packets.removeProcessor(guarded));
  }

  private <E extends Event<?, ?>, L extends EventListener<E>> void to(
      ListenerService<E, L> service, L guarded) {
    service.addListener(guarded);
    closers.add(() -> service.removeListener(guarded));
  }

  private <E> void hear(Consumer<E> hears, E event) {
    faults.guard(
        "An event of ONOS could not be handled; the next one is", () -> hears.accept(event));
  }
}
