package org.paceline.control.assurance;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.paceline.control.model.Alarm;
import org.paceline.control.port.NetworkView;
import org.paceline.control.settings.SchemePlace;
import org.paceline.control.settings.SettingTable;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;

/**
 * Links of `schemePlaces` that are not in the network. A place with a typing error would rule
 * nobody, and nothing else would say so.
 */
public final class AbsentPlaces {
  /** Links come back one by one after a restart. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Supplier<List<SchemePlace>> places;
  private final NetworkView network;
  private final Clock clock;
  private Map<LinkId, Instant> since = Map.of();

  /**
   * @param places those that are set
   */
  public AbsentPlaces(Supplier<List<SchemePlace>> places, NetworkView network, Clock clock) {
    this.places = places;
    this.network = network;
    this.clock = clock;
  }

  /** One alarm for all of them; to be asked by one thread. */
  public List<Alarm> look() {
    Instant now = clock.instant();
    Map<LinkId, Instant> still = new HashMap<>();
    for (LinkId link : absent()) {
      still.put(link, since.getOrDefault(link, now));
    }
    since = still;
    Map<LinkId, Instant> late = new HashMap<>(still);
    late.values().removeIf(first -> first.plus(PATIENCE).isAfter(now));
    return late.values().stream()
        .min(Instant::compareTo)
        .map(
            first ->
                Alarm.ofSetting(SettingTable.SCHEME_PLACES.name(), sentence(late.keySet()), first))
        .map(List::of)
        .orElseGet(List::of);
  }

  private List<LinkId> absent() {
    List<LinkId> named =
        places.get().stream()
            .flatMap(place -> place.link().stream())
            .collect(Collectors.toUnmodifiableList());
    if (named.isEmpty()) {
      return named;
    }
    Network there = network.current().network();
    return named.stream()
        .filter(
            link ->
                there.link(link).isEmpty()
                    && there.link(LinkId.of(link.to(), link.from())).isEmpty())
        .collect(Collectors.toUnmodifiableList());
  }

  private static String sentence(Collection<LinkId> links) {
    return "No link of the network is ("
        + links.stream()
            .map(link -> link.from() + ">" + link.to())
            .sorted()
            .collect(Collectors.joining(", "))
        + "), so schemePlaces has it rule nobody. Maybe it is down; paceline:links shows those that"
        + " are there.";
  }
}
