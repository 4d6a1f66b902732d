package org.paceline.onos.meter;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.onosproject.net.DeviceId;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.model.ConversationId;
import org.paceline.control.telemetry.MeterCount;

/**
 * What was counted for each conversation by all meters that it has had. A new meter begins at
 * nothing, and so does a changed one at Open vSwitch. A meter that is no longer used counts until
 * it is withdrawn. Of a shared meter each has a part ({@link SharedMeters}).
 */
final class MeterTotals {
  private final Map<DeviceId, Map<MeterId, Used>> meters = new HashMap<>();
  private final Map<ConversationId, MeterCount> totals = new HashMap<>();

  /** A meter, for whom it counts, and what it had counted when it was last read. */
  private static final class Used {
    final ConversationId by;
    MeterCount last = MeterCount.NOTHING;

    Used(ConversationId by) {
      this.by = by;
    }
  }

  void made(DeviceId device, MeterId meter, ConversationId conversation) {
    meters.computeIfAbsent(device, d -> new HashMap<>()).put(meter, new Used(conversation));
  }

  void withdrawn(DeviceId device, MeterId meter) {
    meters.computeIfPresent(
        device,
        (d, used) -> {
          used.remove(meter);
          return used.isEmpty() ? null : used;
        });
  }

  /** A conversation is over. */
  void ended(ConversationId conversation) {
    totals.remove(conversation);
    for (DeviceId device : List.copyOf(meters.keySet())) {
      ofDevice(device).values().removeIf(used -> used.by.equals(conversation));
    }
    meters.values().removeIf(Map::isEmpty);
  }

  /** Where there is anything to read. */
  Set<DeviceId> devices() {
    return Set.copyOf(meters.keySet());
  }

  /** What the switch said of its meters. */
  void read(DeviceId device, Map<Long, MeterCount> counts) {
    ofDevice(device)
        .forEach(
            (meter, used) ->
                Optional.ofNullable(counts.get(meter.id()))
                    .ifPresent(
                        now -> {
                          totals.merge(used.by, now.since(used.last), MeterCount::plus);
                          used.last = now;
                        }));
  }

  /** What it has by a meter that others pass, too. */
  void add(ConversationId conversation, MeterCount part) {
    totals.merge(conversation, part, MeterCount::plus);
  }

  /** Who is counted by a meter of its own at this switch. */
  Collection<ConversationId> countedBy(DeviceId device) {
    return ofDevice(device).values().stream()
        .map(used -> used.by)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Empty where nothing was read yet. */
  Optional<MeterCount> of(ConversationId conversation) {
    return Optional.ofNullable(totals.get(conversation));
  }

  private Map<MeterId, Used> ofDevice(DeviceId device) {
    return Optional.ofNullable(meters.get(device)).orElseGet(HashMap::new);
  }
}
