package org.paceline.onos.meter;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.port.Journal;
import org.paceline.control.port.Worker;

/**
 * A meter for each port: it bounds what the controller gets of that port, and whoever floods there
 * takes nothing from those at other ports. Belongs to the worker's thread.
 */
public final class PortMeters {
  /** Removing a meter removes the rules that refer to it: it waits for their removal. */
  private static final Duration UNUSED = Duration.ofMillis(1_500);

  private final DropMeters meters;
  private final LongSupplier perSecond;
  private final Worker worker;
  private final Journal journal;
  private final Function<ConnectPoint, String> loss;
  private final Runnable changed;
  private final Map<ConnectPoint, Held> held = new HashMap<>();
  private final Set<ConnectPoint> asked = new HashSet<>();
  private final Set<ConnectPoint> refused = new HashSet<>();

  /** What the journal was told: once will do, though they are tried again. */
  private final Map<ConnectPoint, String> told = new HashMap<>();

  /** A meter, and how many packets a second it was made for. */
  private static final class Held {
    final MeterId id;
    final long perSecond;

    Held(MeterId id, long perSecond) {
      this.id = id;
      this.perSecond = perSecond;
    }
  }

  /**
   * @param perSecond how many packets a meter lets pass, at this moment
   * @param loss for people, in a sentence: what there is not while a switch refuses a port's meter
   * @param changed is told when there is one more, or one is gone
   */
  public PortMeters(
      DropMeters meters,
      LongSupplier perSecond,
      Worker worker,
      Journal journal,
      Function<ConnectPoint, String> loss,
      Runnable changed) {
    this.meters = meters;
    this.perSecond = perSecond;
    this.worker = worker;
    this.journal = journal;
    this.loss = loss;
    this.changed = changed;
  }

  /** Empty until the switch has it. */
  public Optional<MeterId> at(ConnectPoint port) {
    long wanted = perSecond.getAsLong();
    Held now = held.get(port);
    if (now != null && now.perSecond == wanted) {
      return Optional.of(now.id);
    }
    if (!refused.contains(port) && asked.add(port)) {
      meters
          .makeForPackets(port.deviceId(), wanted)
          .thenAccept(outcome -> answered(port, wanted, outcome));
    }
    // One for another rate holds until then.
    return Optional.ofNullable(now).map(one -> one.id);
  }

  private void answered(ConnectPoint port, long wanted, DropMeters.Made outcome) {
    asked.remove(port);
    outcome.meter.ifPresentOrElse(
        id -> {
          told.remove(port);
          Held before = held.get(port);
          if (before != null && before.perSecond == wanted) {
            // The answer to an earlier question, which was given up.
            withdraw(port, new Held(id, wanted));
            return;
          }
          held.put(port, new Held(id, wanted));
          if (before != null) {
            withdrawLater(port, before);
          }
          changed.run();
        },
        () -> {
          refused.add(port);
          String lost = loss.apply(port);
          if (!told.containsValue(lost)) {
            journal.warn(
                "The switch ("
                    + port.deviceId()
                    + ") refused a meter ("
                    + outcome.problem
                    + "): "
                    + lost);
          }
          told.put(port, lost);
        });
  }

  /** Withdraws those of other ports, whose rules are gone. */
  public void retain(Set<ConnectPoint> ports) {
    refused.retainAll(ports);
    told.keySet().retainAll(ports);
    held.entrySet()
        .removeIf(
            meter -> {
              boolean isOver = !ports.contains(meter.getKey());
              if (isOver) {
                withdrawLater(meter.getKey(), meter.getValue());
              }
              return isOver;
            });
  }

  private void withdrawLater(ConnectPoint port, Held meter) {
    worker.after(UNUSED, () -> withdraw(port, meter));
  }

  private void withdraw(ConnectPoint port, Held meter) {
    meters.withdrawForPackets(port.deviceId(), meter.id, meter.perSecond);
  }

  /** Looks whether the switches still have them; who was refused or got no answer asks again. */
  public void check() {
    refused.clear();
    asked.clear();
    Map<ConnectPoint, Held> now = Map.copyOf(held);
    meters
        .read(now.keySet().stream().map(ConnectPoint::deviceId).collect(Collectors.toSet()))
        .thenAccept(reading -> worker.execute(() -> forget(now, reading)));
  }

  private void forget(Map<ConnectPoint, Held> read, DropMeters.Reading reading) {
    Map<ConnectPoint, Held> gone = new HashMap<>(held);
    gone.entrySet()
        .removeIf(
            meter ->
                meter.getValue() != read.get(meter.getKey())
                    || !reading.lacks(meter.getKey().deviceId(), meter.getValue().id));
    if (!gone.isEmpty()) {
      held.keySet().removeAll(gone.keySet());
      // ONOS remembers it, and writes it again.
      gone.forEach(this::withdrawLater);
      changed.run();
    }
  }
}
