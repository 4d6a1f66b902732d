package org.paceline.onos.meter;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.onosproject.net.DeviceId;
import org.onosproject.net.meter.MeterFailReason;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.port.Journal;
import org.paceline.control.port.Worker;
import org.paceline.control.work.GrowingPause;

/**
 * Meters of ports: they bound what the controller gets of each, and whoever floods there takes
 * nothing from others. Belongs to the worker's thread.
 */
public final class PortMeters {
  /** Removing a meter removes the rules that refer to it: it waits for their removal. */
  private static final Duration UNUSED = Duration.ofMillis(1_500);

  private final DropMeters meters;
  private final Worker worker;
  private final Journal journal;
  private final String loss;
  private final Runnable changed;
  private final Map<MeteredPackets, Held> held = new HashMap<>();

  /** Whose order has no answer yet; each gets one. */
  private final Set<MeteredPackets> asked = new HashSet<>();

  private final Map<DeviceId, Refusals> refusals = new HashMap<>();

  /** Refused for a reason that the journal was told: one of a switch stands for the others. */
  private final Set<MeteredPackets> told = new HashSet<>();

  /** A meter, and how many packets a second it was made for. */
  private static final class Held {
    final MeterId id;
    final long perSecond;

    Held(MeterId id, long perSecond) {
      this.id = id;
      this.perSecond = perSecond;
    }
  }

  /** What a switch refused; it is asked again after a pause, which grows while it refuses. */
  private static final class Refusals {
    final Set<MeteredPackets> of = new HashSet<>();

    /** Those of them that a switch would take if it had one meter less. */
    final Set<MeteredPackets> forWantOfRoom = new HashSet<>();

    final GrowingPause pause = new GrowingPause();
    boolean isWaiting;
  }

  /**
   * @param loss for people, the end of a sentence: what there is not where a port has no meter
   * @param changed is told when there may be one more, or one is gone
   */
  public PortMeters(
      DropMeters meters, Worker worker, Journal journal, String loss, Runnable changed) {
    this.meters = meters;
    this.worker = worker;
    this.journal = journal;
    this.loss = loss;
    this.changed = changed;
  }

  /**
   * The meter for these, which is ordered where there is none. Empty until the switch has it.
   *
   * @param perSecond how many of them it is to let pass; one for another rate holds until then
   */
  public Optional<MeterId> at(MeteredPackets packets, long perSecond) {
    Held now = held.get(packets);
    if ((now == null || now.perSecond != perSecond) && !isRefused(packets) && asked.add(packets)) {
      order(packets, perSecond)
          .exceptionally(DropMeters.Made::failed)
          .thenAccept(made -> answered(packets, perSecond, made));
    }
    return of(packets);
  }

  private CompletableFuture<DropMeters.Made> order(MeteredPackets packets, long perSecond) {
    try {
      return meters.makeForPackets(packets.port().deviceId(), perSecond);
    } catch (RuntimeException | Error bug) {
      // Such as a store that does not say what the switch can do.
      return CompletableFuture.failedFuture(bug);
    }
  }

  /** The same, where none is ordered. */
  public Optional<MeterId> of(MeteredPackets packets) {
    return Optional.ofNullable(held.get(packets)).map(one -> one.id);
  }

  /** Whether there was no meter for these, the last time, because others have all there are. */
  public boolean lackRoom(MeteredPackets packets) {
    Refusals its = refusals.get(packets.port().deviceId());
    return its != null && its.forWantOfRoom.contains(packets);
  }

  private boolean isRefused(MeteredPackets packets) {
    Refusals its = refusals.get(packets.port().deviceId());
    return its != null && its.of.contains(packets);
  }

  private void answered(MeteredPackets packets, long perSecond, DropMeters.Made made) {
    asked.remove(packets);
    Optional<Held> before = Optional.ofNullable(held.get(packets));
    if (made.meter.isPresent()) {
      told.remove(packets);
      taken(packets.port().deviceId());
      held.put(packets, new Held(made.meter.get(), perSecond));
      before.ifPresent(old -> withdrawLater(packets, old));
      changed.run();
      return;
    }
    refused(packets, made);
    if (made.isForWantOfRoom()) {
      // There is none for two at once: the next order finds its place.
      Optional.ofNullable(held.remove(packets)).ifPresent(old -> withdrawLater(packets, old));
      changed.run();
    }
  }

  private void taken(DeviceId device) {
    Refusals its = refusals.get(device);
    if (its != null && !its.isWaiting) {
      refusals.remove(device);
    }
  }

  private void refused(MeteredPackets packets, DropMeters.Made made) {
    DeviceId device = packets.port().deviceId();
    Refusals its = refusals.computeIfAbsent(device, d -> new Refusals());
    its.of.add(packets);
    if (made.isForWantOfRoom()) {
      its.forWantOfRoom.add(packets);
    }
    if (!its.isWaiting) {
      its.isWaiting = true;
      worker.after(
          its.pause.next(),
          () -> {
            its.isWaiting = false;
            its.of.clear();
            its.forWantOfRoom.clear();
            changed.run();
          });
    }
    if (made.isRefusedFor(MeterFailReason.UNKNOWN_DEVICE)) {
      // ONOS says it in the name of a switch that is just going or coming.
      return;
    }
    if (told.stream().noneMatch(each -> each.port().deviceId().equals(device))) {
      journal.warn(
          "The switch ("
              + device
              + ") has no meter for its port ("
              + packets.port().port()
              + "), and maybe none for others ("
              + made.problem
              + "): "
              + loss);
    }
    told.add(packets);
  }

  /** The switch was gone: what it refused before says nothing of what it takes now. */
  public void returned(DeviceId device) {
    refusals.remove(device);
    told.removeIf(packets -> packets.port().deviceId().equals(device));
  }

  /** Withdraws those for others, whose rules are gone. */
  public void retain(Set<MeteredPackets> wanted) {
    refusals
        .values()
        .forEach(
            each -> {
              each.of.retainAll(wanted);
              each.forWantOfRoom.retainAll(wanted);
            });
    told.retainAll(wanted);
    held.entrySet()
        .removeIf(
            meter -> {
              boolean isOver = !wanted.contains(meter.getKey());
              if (isOver) {
                withdrawLater(meter.getKey(), meter.getValue());
              }
              return isOver;
            });
  }

  private void withdrawLater(MeteredPackets packets, Held meter) {
    worker.after(UNUSED, () -> withdraw(packets, meter));
  }

  private void withdraw(MeteredPackets packets, Held meter) {
    meters.withdrawForPackets(packets.port().deviceId(), meter.id, meter.perSecond);
  }

  /** Looks whether the switches still have them. */
  public void check() {
    Map<MeteredPackets, Held> now = Map.copyOf(held);
    meters
        .read(now.keySet().stream().map(each -> each.port().deviceId()).collect(Collectors.toSet()))
        .thenAccept(reading -> worker.execute(() -> forget(now, reading)));
  }

  private void forget(Map<MeteredPackets, Held> read, DropMeters.Reading reading) {
    Map<MeteredPackets, Held> gone = new HashMap<>(held);
    gone.entrySet()
        .removeIf(
            meter ->
                meter.getValue() != read.get(meter.getKey())
                    || !reading.lacks(meter.getKey().port().deviceId(), meter.getValue().id));
    if (!gone.isEmpty()) {
      held.keySet().removeAll(gone.keySet());
      // ONOS may remember it, and write it again. At once: where it does not, the next one that is
      // ordered may have the same number, and is not to be taken away for this one.
      gone.forEach(this::withdraw);
      changed.run();
    }
  }
}
