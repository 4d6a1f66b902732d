package org.paceline.control.ingress;

import com.google.auto.value.AutoValue;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.paceline.allocator.elephant.AlphaFlow;
import org.paceline.allocator.elephant.ElephantList;
import org.paceline.allocator.elephant.ListRule;
import org.paceline.allocator.elephant.ListedPair;
import org.paceline.allocator.elephant.PrefixPair;
import org.paceline.intents.address.IpAddress;

/** The list of elephants of one ingress, as it is stored, with how good it was. */
@AutoValue
public abstract class IngressList {
  /** Two ageing intervals. */
  private static final int MOST_DAYS = 60;

  /** Who tells of the flows that come in there. */
  public abstract IpAddress exporter();

  /** The day since which it is in force. */
  public abstract LocalDate day();

  /** All that are not too old, largest first; those beyond the bound are not in force. */
  public abstract List<IngressPair> pairs();

  /** How good the lists of the last days were, oldest first; without days of no alpha flow. */
  public abstract List<IngressDay> days();

  public static IngressList of(
      IpAddress exporter, LocalDate day, List<IngressPair> pairs, List<IngressDay> days) {
    return new AutoValue_IngressList(exporter, day, List.copyOf(pairs), List.copyOf(days));
  }

  static IngressList empty(IpAddress exporter, LocalDate day) {
    return of(exporter, day, List.of(), List.of());
  }

  /** As it is on a day, if nothing was found meanwhile: by this rule, and without who has aged. */
  IngressList at(LocalDate later, ListRule rule) {
    return with(list(later, rule), days());
  }

  /**
   * The list of a day.
   *
   * @param found the alpha flows of the day before
   */
  IngressList next(LocalDate later, Collection<AlphaFlow> found, ListRule rule) {
    LocalDate before = later.minusDays(1);
    ElephantList inForce = list(before, rule);
    List<IngressDay> all = new ArrayList<>(days());
    if (!found.isEmpty()) {
      IngressDay day =
          IngressDay.of(
              before,
              inForce.inForce().size(),
              found.size(),
              bytes(found),
              bytes(
                  found.stream()
                      .filter(flow -> inForce.matches(flow.source(), flow.destination()))
                      .collect(Collectors.toList())));
      boolean isKnown = !all.isEmpty() && all.get(all.size() - 1).day().equals(before);
      all.add(isKnown ? all.remove(all.size() - 1).plus(day) : day);
    }
    ElephantList next = inForce.on(later.isBefore(day()) ? day() : later, found);
    return with(next, all.subList(Math.max(0, all.size() - MOST_DAYS), all.size()));
  }

  private static long bytes(Collection<AlphaFlow> flows) {
    return flows.stream().mapToLong(AlphaFlow::bytes).reduce(0, IngressDay::sum);
  }

  /** A clock that was set back makes no list older. */
  private ElephantList list(LocalDate wanted, ListRule rule) {
    List<ListedPair> known = new ArrayList<>();
    for (IngressPair one : pairs()) {
      PrefixPair pair = PrefixPair.of(one.source(), one.destination());
      if (PrefixPair.of(pair.source().network(), pair.destination().network(), rule.lengths())
          .equals(pair)) {
        known.add(ListedPair.of(pair, one.bytes(), one.lastSeen()));
      }
    }
    LocalDate on = wanted.isBefore(day()) ? day() : wanted;
    known.removeIf(one -> one.lastSeen().plusDays(rule.ageingDays()).isBefore(on));
    return ElephantList.of(rule, on, known);
  }

  private IngressList with(ElephantList list, List<IngressDay> days) {
    return of(
        exporter(),
        list.day(),
        list.known().stream()
            .map(
                one ->
                    IngressPair.of(
                        one.pair().source(), one.pair().destination(), one.bytes(), one.lastSeen()))
            .collect(Collectors.toUnmodifiableList()),
        days);
  }
}
