package org.paceline.allocator.elephant;

import com.google.auto.value.AutoValue;
import java.time.LocalDate;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.intents.address.IpAddress;

/**
 * The pairs of prefixes whose flows are taken for elephants on one day. What was found on a day is
 * in force from the next day on, as long as the last alpha flow is not too long ago; where there
 * are more than there is room for, the largest are in force. Yan et al. 2013, section II.
 */
@AutoValue
public abstract class ElephantList {
  public abstract ListRule rule();

  /** The day on which it is in force. */
  public abstract LocalDate day();

  /**
   * All pairs that are not too old, largest first. Those for which there is no room are among them:
   * they come into force when larger ones age.
   */
  public abstract List<ListedPair> known();

  /** For a quick match; the pairs of {@link #inForce}. */
  abstract Set<PrefixPair> pairs();

  /** An empty list, for the day before anything is found. */
  public static ElephantList empty(ListRule rule, LocalDate day) {
    return of(rule, day, List.of());
  }

  /**
   * A list as it was on a day.
   *
   * @throws IllegalArgumentException if a pair is known twice, is too old for that day, was last
   *     seen on that day or later, or has prefixes of other lengths than the rule's
   */
  public static ElephantList of(ListRule rule, LocalDate day, Collection<ListedPair> known) {
    List<ListedPair> sorted =
        known.stream().sorted(ListedPair.LARGEST_FIRST).collect(Collectors.toUnmodifiableList());
    for (ListedPair one : sorted) {
      PrefixPair pair = one.pair();
      if (!PrefixPair.of(pair.source().network(), pair.destination().network(), rule.lengths())
          .equals(pair)) {
        throw new IllegalArgumentException(
            "The pair " + pair + " has other prefixes than the list's: " + rule.lengths() + ".");
      }
      if (!isFresh(one, rule, day)) {
        throw new IllegalArgumentException(
            "The pair "
                + pair
                + " was last seen on "
                + one.lastSeen()
                + ", which puts it on no list of "
                + day
                + ". Maybe the list is of another day.");
      }
    }
    if (sorted.stream().map(ListedPair::pair).distinct().count() < sorted.size()) {
      throw new IllegalArgumentException("A pair stands on the list of " + day + " twice.");
    }
    return new AutoValue_ElephantList(
        rule,
        day,
        sorted,
        sorted.stream()
            .limit(rule.most())
            .map(ListedPair::pair)
            .collect(Collectors.toUnmodifiableSet()));
  }

  private static boolean isFresh(ListedPair one, ListRule rule, LocalDate day) {
    return one.lastSeen().isBefore(day)
        && !one.lastSeen().plusDays(rule.ageingDays()).isBefore(day);
  }

  /** What switches match by: the largest, at most as many as the rule allows. */
  public final List<ListedPair> inForce() {
    return known().subList(0, pairs().size());
  }

  /** Whether a flow between the two is taken for an elephant. */
  public final boolean matches(IpAddress source, IpAddress destination) {
    return pairs().contains(PrefixPair.of(source, destination, rule().lengths()));
  }

  /**
   * The list of the next day.
   *
   * @param found the alpha flows that ended on this list's day
   */
  public final ElephantList next(Collection<AlphaFlow> found) {
    return on(day().plusDays(1), found);
  }

  /** The list of a later day, if nothing is found until then. */
  public final ElephantList at(LocalDate later) {
    return on(later, List.of());
  }

  /**
   * The list of this day or a later one. O(n log n) in pairs.
   *
   * @param found the alpha flows that ended on the day before that one
   * @throws IllegalArgumentException if that day is before this list's
   */
  public final ElephantList on(LocalDate later, Collection<AlphaFlow> found) {
    if (later.isBefore(day())) {
      throw new IllegalArgumentException(
          "The list of " + day() + " cannot tell what was in force before, on " + later + ".");
    }
    Map<PrefixPair, ListedPair> all = new HashMap<>();
    known().forEach(one -> all.put(one.pair(), one));
    for (AlphaFlow flow : found) {
      PrefixPair pair = PrefixPair.of(flow.source(), flow.destination(), rule().lengths());
      all.merge(pair, ListedPair.of(pair, flow.bytes(), later.minusDays(1)), ListedPair::plus);
    }
    return of(
        rule(),
        later,
        all.values().stream()
            .filter(one -> isFresh(one, rule(), later))
            .collect(Collectors.toList()));
  }

  /** The same day's list by another rule. Pairs of prefixes of other lengths are forgotten. */
  public final ElephantList by(ListRule other) {
    return of(
        other,
        day(),
        other.lengths().equals(rule().lengths())
            ? known().stream()
                .filter(one -> isFresh(one, other, day()))
                .collect(Collectors.toList())
            : List.of());
  }
}
