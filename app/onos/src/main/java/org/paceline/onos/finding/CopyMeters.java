package org.paceline.onos.finding;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.port.Journal;
import org.paceline.control.port.Worker;
import org.paceline.onos.meter.DropMeters;

/**
 * A meter for each port at which flows are found: it bounds the copies that the controller gets of
 * it, and one who scans takes nothing from those at other ports. Belongs to the worker's thread.
 */
final class CopyMeters {
  private static final long PACKETS_PER_SECOND = 50;

  /** Removing a meter removes the rules that refer to it: it waits for their removal. */
  private static final Duration UNUSED = Duration.ofMillis(1_500);

  private final DropMeters meters;
  private final Worker worker;
  private final Journal journal;
  private final Runnable made;
  private final Map<ConnectPoint, MeterId> held = new HashMap<>();
  private final Set<ConnectPoint> asked = new HashSet<>();
  private final Set<ConnectPoint> refused = new HashSet<>();

  /** Of which the journal was told: once will do, though they are tried again. */
  private final Set<ConnectPoint> told = new HashSet<>();

  /**
   * @param made is told when there is one more
   */
  CopyMeters(DropMeters meters, Worker worker, Journal journal, Runnable made) {
    this.meters = meters;
    this.worker = worker;
    this.journal = journal;
    this.made = made;
  }

  /** Empty until the switch has it. */
  Optional<MeterId> at(ConnectPoint port) {
    MeterId id = held.get(port);
    if (id == null && !refused.contains(port) && asked.add(port)) {
      meters
          .makeForPackets(port.deviceId(), PACKETS_PER_SECOND)
          .thenAccept(outcome -> answered(port, outcome));
    }
    return Optional.ofNullable(id);
  }

  private void answered(ConnectPoint port, DropMeters.Made outcome) {
    asked.remove(port);
    outcome.meter.ifPresentOrElse(
        id -> {
          told.remove(port);
          if (held.putIfAbsent(port, id) == null) {
            made.run();
          } else {
            // The answer to an earlier question, which was given up.
            withdraw(port, id);
          }
        },
        () -> {
          refused.add(port);
          if (told.add(port)) {
            journal.warn(
                "The switch ("
                    + port.deviceId()
                    + ") refused a meter ("
                    + outcome.problem
                    + "): flows of hosts without an agent are not found at its port ("
                    + port.port()
                    + "). Maybe run an agent there, or announce them.");
          }
        });
  }

  /** Withdraws those of other ports, whose rules are gone. */
  void retain(Set<ConnectPoint> ports) {
    refused.retainAll(ports);
    held.entrySet()
        .removeIf(
            meter -> {
              boolean isOver = !ports.contains(meter.getKey());
              if (isOver) {
                worker.after(UNUSED, () -> withdraw(meter.getKey(), meter.getValue()));
              }
              return isOver;
            });
  }

  private void withdraw(ConnectPoint port, MeterId id) {
    meters.withdrawForPackets(port.deviceId(), id, PACKETS_PER_SECOND);
  }

  /** Looks whether the switches still have them; who was refused or got no answer asks again. */
  void check() {
    refused.clear();
    asked.clear();
    Map<ConnectPoint, MeterId> now = Map.copyOf(held);
    meters
        .read(now.keySet().stream().map(ConnectPoint::deviceId).collect(Collectors.toSet()))
        .thenAccept(reading -> worker.execute(() -> forget(now, reading)));
  }

  private void forget(Map<ConnectPoint, MeterId> read, DropMeters.Reading reading) {
    boolean isGone =
        held.entrySet()
            .removeIf(
                meter ->
                    meter.getValue().equals(read.get(meter.getKey()))
                        && reading.lacks(meter.getKey().deviceId(), meter.getValue()));
    if (isGone) {
      made.run();
    }
  }
}
