package org.paceline.onos.telemetry;

import static java.util.stream.Collectors.toMap;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.PortStatistics;
import org.paceline.control.model.LinkPorts;
import org.paceline.control.port.NetworkView;
import org.paceline.control.port.Worker;
import org.paceline.control.telemetry.LinkCount;
import org.paceline.intents.network.LinkId;

/**
 * Reads the port counters of the switches that this ONOS is master of, once a period: one question
 * for all ports of a switch and one for all its queues, however many there are. A link counts what
 * its first switch sends; one that begins at a host counts what its switch receives.
 */
public final class SwitchCounters {
  private final DeviceService devices;
  private final NetworkView network;
  private final PortQuestions questions;
  private final Worker worker;
  private final Consumer<Map<LinkId, LinkCount>> counted;

  /**
   * @param counted is told each round, on the worker
   */
  public SwitchCounters(
      DeviceService devices,
      NetworkView network,
      PortQuestions questions,
      Worker worker,
      Consumer<Map<LinkId, LinkCount>> counted) {
    this.devices = devices;
    this.network = network;
    this.questions = questions;
    this.worker = worker;
    this.counted = counted;
  }

  /**
   * Begins; it ends with its worker.
   *
   * @param period is asked anew each time
   */
  public void start(Supplier<Duration> period) {
    worker.every(period, this::round);
  }

  private void round() {
    Map<LinkId, LinkPorts> ports = network.current().ports();
    Map<String, CompletableFuture<Map<Long, PortCount>>> asked = new TreeMap<>();
    ports.forEach(
        (link, ends) ->
            countedBy(link, ends).ifPresent(device -> asked.computeIfAbsent(device, this::ask)));
    CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
        .whenComplete((done, silent) -> worker.execute(() -> counted.accept(counts(ports, asked))));
  }

  private static Optional<String> countedBy(LinkId link, LinkPorts ends) {
    return ends.from().isPresent() ? Optional.of(link.from()) : ends.to().map(port -> link.to());
  }

  /** By port number; fails where the switch does not answer. */
  private CompletableFuture<Map<Long, PortCount>> ask(String device) {
    DeviceId id = DeviceId.deviceId(device);
    return devices.getRole(id) != MastershipRole.MASTER
        ? CompletableFuture.completedFuture(Map.of())
        : questions.ports(id).orElseGet(() -> CompletableFuture.completedFuture(polled(id)));
  }

  private Map<Long, PortCount> polled(DeviceId device) {
    return devices.getPortStatistics(device).stream()
        .filter(SwitchCounters::isWhole)
        .collect(
            toMap(count -> count.portNumber().toLong(), PortCount::of, (first, second) -> second));
  }

  /** Some drivers say -1 for what they do not count. */
  private static boolean isWhole(PortStatistics count) {
    return count.durationSec() >= 0
        && count.bytesSent() >= 0
        && count.bytesReceived() >= 0
        && count.packetsSent() >= 0
        && count.packetsReceived() >= 0
        && count.packetsTxDropped() >= 0
        && count.packetsRxDropped() >= 0;
  }

  private static Map<LinkId, LinkCount> counts(
      Map<LinkId, LinkPorts> ports, Map<String, CompletableFuture<Map<Long, PortCount>>> asked) {
    Map<LinkId, LinkCount> counts = new HashMap<>();
    ports.forEach(
        (link, ends) -> {
          Map<Long, PortCount> first = answer(asked.get(link.from()));
          Map<Long, PortCount> last = answer(asked.get(link.to()));
          Optional<LinkCount> count =
              ends.from().isPresent()
                  ? ends.from().map(first::get).map(PortCount::sent)
                  : ends.to().map(last::get).map(PortCount::received);
          count.ifPresent(found -> counts.put(link, found));
        });
    return counts;
  }

  /** Nothing of a switch that did not answer, or was not asked. */
  private static Map<Long, PortCount> answer(
      @Nullable CompletableFuture<Map<Long, PortCount>> asked) {
    return asked == null || asked.isCompletedExceptionally() ? Map.of() : asked.join();
  }
}
