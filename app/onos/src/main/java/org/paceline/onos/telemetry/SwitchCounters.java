package org.paceline.onos.telemetry;

import static java.util.stream.Collectors.toMap;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.PortStatistics;
import org.paceline.control.model.LinkPorts;
import org.paceline.control.port.NetworkView;
import org.paceline.control.port.Worker;
import org.paceline.control.telemetry.LinkCount;
import org.paceline.control.telemetry.Rounds;
import org.paceline.intents.network.LinkId;

/**
 * Reads the counters of ports and of queues of the switches that this ONOS is master of, each once
 * in its own period: one question for all ports of a switch and one for all its queues, however
 * many there are. Where both periods are the same both are read together. A link counts what its
 * first switch sends; one that begins at a host counts what its switch receives. On the worker.
 */
public final class SwitchCounters {
  private final DeviceService devices;
  private final NetworkView network;
  private final PortQuestions questions;
  private final ToLongFunction<LinkId> droppedInKernel;
  private final Worker worker;
  private final Consumer<Map<LinkId, LinkCount>> counted;

  /** By switch and the port's number, as last read; nothing of a switch that was silent. */
  private final Map<String, Map<Long, PortCount>> ports = new HashMap<>();

  /** What queues dropped, by switch and their port's number, as last read. */
  private final Map<String, Map<Long, Long>> dropped = new HashMap<>();

  /**
   * @param droppedInKernel what queues have dropped behind a link's switch, which does not see it
   * @param counted is told each round, on the worker
   */
  public SwitchCounters(
      DeviceService devices,
      NetworkView network,
      PortQuestions questions,
      ToLongFunction<LinkId> droppedInKernel,
      Worker worker,
      Consumer<Map<LinkId, LinkCount>> counted) {
    this.devices = devices;
    this.network = network;
    this.questions = questions;
    this.droppedInKernel = droppedInKernel;
    this.worker = worker;
    this.counted = counted;
  }

  /**
   * Begins; it ends with its worker.
   *
   * @return to be told when a period is another one
   */
  public Runnable start(Supplier<Duration> ofPorts, Supplier<Duration> ofQueues) {
    BooleanSupplier isTogether = () -> ofPorts.get().equals(ofQueues.get());
    Rounds portRounds = new Rounds(worker, ofPorts, () -> readPorts(isTogether.getAsBoolean()));
    Rounds queueRounds =
        new Rounds(
            worker,
            ofQueues,
            () -> {
              if (!isTogether.getAsBoolean()) {
                readQueues();
              }
            });
    portRounds.start();
    queueRounds.start();
    return () -> {
      portRounds.changed();
      queueRounds.changed();
    };
  }

  private void readPorts(boolean isWithQueues) {
    Set<String> counting = counting();
    ports.keySet().retainAll(counting);
    // Who comes back may have begun to count anew.
    dropped.keySet().retainAll(counting);
    Map<String, CompletableFuture<Map<Long, PortCount>>> asked = new TreeMap<>();
    Map<String, CompletableFuture<Map<Long, Long>>> queues = new TreeMap<>();
    for (String device : counting) {
      asked.put(device, ask(device));
      // A port's first reading without its queues' would make all that they ever dropped look new.
      if (isWithQueues || !dropped.containsKey(device)) {
        queues.put(device, askQueues(device));
      }
    }
    List<CompletableFuture<?>> all = new ArrayList<>(asked.values());
    all.addAll(queues.values());
    whenDone(
        all,
        () -> {
          asked.forEach(
              (device, answer) -> {
                ports.remove(device);
                answered(answer).ifPresent(counts -> ports.put(device, counts));
              });
          take(queues);
        });
  }

  private void readQueues() {
    Map<String, CompletableFuture<Map<Long, Long>>> queues = new TreeMap<>();
    // Of a switch whose ports were not read yet nobody could say anything.
    for (String device : counting()) {
      if (ports.containsKey(device)) {
        queues.put(device, askQueues(device));
      }
    }
    whenDone(queues.values(), () -> take(queues));
  }

  /** What a switch that is silent, or refuses to say, has said before stands. */
  private void take(Map<String, CompletableFuture<Map<Long, Long>>> queues) {
    queues.forEach(
        (device, answer) -> answered(answer).ifPresent(counts -> dropped.put(device, counts)));
  }

  private void whenDone(Collection<? extends CompletableFuture<?>> asked, Runnable taken) {
    CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .whenComplete(
            (done, silent) ->
                worker.execute(
                    () -> {
                      taken.run();
                      counted.accept(counts());
                    }));
  }

  /** The switches that count for links, of those that this ONOS is master of. */
  private Set<String> counting() {
    Set<String> counting = new TreeSet<>();
    network
        .current()
        .ports()
        .forEach((link, ends) -> countedBy(link, ends).ifPresent(counting::add));
    counting.removeIf(
        device -> devices.getRole(DeviceId.deviceId(device)) != MastershipRole.MASTER);
    return counting;
  }

  private static Optional<String> countedBy(LinkId link, LinkPorts ends) {
    return ends.from().isPresent() ? Optional.of(link.from()) : ends.to().map(port -> link.to());
  }

  /** By port number; fails where the switch does not answer. */
  private CompletableFuture<Map<Long, PortCount>> ask(String device) {
    DeviceId id = DeviceId.deviceId(device);
    return questions.ports(id).orElseGet(() -> CompletableFuture.completedFuture(polled(id)));
  }

  /** What ONOS polls of ports is all that is known where nobody can be asked. */
  private CompletableFuture<Map<Long, Long>> askQueues(String device) {
    return questions
        .queues(DeviceId.deviceId(device))
        .orElseGet(() -> CompletableFuture.completedFuture(Map.of()));
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

  private Map<LinkId, LinkCount> counts() {
    Map<LinkId, LinkCount> counts = new HashMap<>();
    network
        .current()
        .ports()
        .forEach(
            (link, ends) -> {
              Optional<LinkCount> count =
                  ends.from().isPresent()
                      ? ends.from()
                          .flatMap(port -> count(link.from(), port))
                          .map(
                              port ->
                                  port.droppedByQueues(droppedInKernel.applyAsLong(link)).sent())
                      : ends.to().flatMap(port -> count(link.to(), port)).map(PortCount::received);
              count.ifPresent(found -> counts.put(link, found));
            });
    return counts;
  }

  private Optional<PortCount> count(String device, long port) {
    return Optional.ofNullable(ports.get(device))
        .flatMap(counts -> Optional.ofNullable(counts.get(port)))
        .map(
            count ->
                count.droppedByQueues(
                    dropped.getOrDefault(device, Map.of()).getOrDefault(port, 0L)));
  }

  /** Nothing of a switch that did not answer. */
  private static <T> Optional<T> answered(CompletableFuture<T> asked) {
    return asked.isCompletedExceptionally() ? Optional.empty() : Optional.of(asked.join());
  }
}
