package org.paceline.onos.listen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.host.HostListener;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketServiceAdapter;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.TestConsistentMap;
import org.paceline.control.SolverBug;
import org.paceline.control.WrittenFaults;
import org.paceline.control.work.Closers;
import org.paceline.control.work.Faults;

/** By whichever door ONOS calls in: what is thrown behind it goes no further. */
final class ListeningTest {
  private final WrittenFaults written = new WrittenFaults();
  private final Closers closers = new Closers(written);
  private final Listening listening = new Listening(new Faults(written), closers);
  private final List<Runnable> callers = new ArrayList<>();
  private Optional<SolverBug> broken = Optional.empty();
  private int heard;

  private void hear() {
    broken.ifPresent(SolverBug::thrown);
    heard++;
  }

  /** Each door is opened, and who calls in by it is added to the callers. */
  private enum Door {
    DEVICES,
    LINKS,
    HOSTS,
    SETTINGS,
    RECORDS,
    PACKETS
  }

  private void open(Door door) {
    switch (door) {
      case DEVICES:
        listening.devices(
            new DeviceServiceAdapter() {
              @Override
              public void addListener(DeviceListener listener) {
                callers.add(() -> listener.event(null));
              }

              @Override
              public void removeListener(DeviceListener listener) {
                callers.clear();
              }
            },
            event -> hear());
        break;
      case LINKS:
        listening.links(
            new LinkServiceAdapter() {
              @Override
              public void addListener(LinkListener listener) {
                callers.add(() -> listener.event(null));
              }

              @Override
              public void removeListener(LinkListener listener) {
                callers.clear();
              }
            },
            event -> hear());
        break;
      case HOSTS:
        listening.hosts(
            new HostServiceAdapter() {
              @Override
              public void addListener(HostListener listener) {
                callers.add(() -> listener.event(null));
              }

              @Override
              public void removeListener(HostListener listener) {
                callers.clear();
              }
            },
            event -> hear());
        break;
      case SETTINGS:
        listening.settings(
            new NetworkConfigServiceAdapter() {
              @Override
              public void addListener(NetworkConfigListener listener) {
                callers.add(() -> listener.event(null));
              }

              @Override
              public void removeListener(NetworkConfigListener listener) {
                callers.clear();
              }
            },
            event -> hear());
        break;
      case RECORDS:
        ConsistentMap<String, String> map = new TestConsistentMap.Builder<String, String>().build();
        listening.records(map, event -> hear());
        callers.add(() -> map.put("a", "b"));
        break;
      default:
        listening.packets(
            new PacketServiceAdapter() {
              @Override
              public void addProcessor(PacketProcessor processor, int priority) {
                callers.add(() -> processor.process(null));
              }

              @Override
              public void removeProcessor(PacketProcessor processor) {
                callers.clear();
              }
            },
            PacketProcessor.director(1),
            context -> hear());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whateverIsThrownIsWrittenDownOnceAndTheNextEventIsHeard(Door door) {
    open(door);
    for (SolverBug bug : SolverBug.values()) {
      written.all.clear();
      heard = 0;
      broken = Optional.of(bug);
      callers.forEach(Runnable::run);
      callers.forEach(Runnable::run);
      assertThat(written.all).singleElement().asString().contains(bug.said);
      broken = Optional.empty();
      callers.forEach(Runnable::run);
      assertThat(heard).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClosedDoorIsClosed(Door door) {
    open(door);
    closers.close();
    callers.forEach(Runnable::run);
    assertThat(heard).isZero();
  }
}
