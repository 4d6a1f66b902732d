package org.paceline.control.reservations;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.paceline.control.ceiling.Ceiling;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/**
 * Holds a wish against ceilings, together with what is reserved under their branches already,
 * whoever reserved it. A smaller rate is above no ceiling that a greater is not above.
 */
final class CeilingCheck implements Admission.Rule {
  /** Whether a wish, beside others of its branch, fits into a part of each link. */
  interface Share {
    boolean hasRoom(Wish wish, Collection<Reservation> others, int percent);
  }

  private final List<Ceiling> ceilings;
  private final Collection<Reservation> reserved;
  private final Share share;

  CeilingCheck(List<Ceiling> ceilings, Collection<Reservation> reserved, Share share) {
    this.ceilings = ceilings;
    this.reserved = reserved;
    this.share = share;
  }

  @Override
  public Optional<String> refusal(Wish wish) {
    return ceilings.stream().flatMap(ceiling -> refusal(ceiling, wish).stream()).findFirst();
  }

  private Optional<String> refusal(Ceiling ceiling, Wish wish) {
    return tooLong(ceiling, wish)
        .or(() -> tooMuch(ceiling, wish))
        .or(() -> tooGreatAShare(ceiling, wish))
        .map(
            why ->
                "The ceiling of ("
                    + ceiling.branch()
                    + ") is "
                    + why
                    + " Maybe ask for less, or ask an admin for another ceiling.");
  }

  private Optional<String> tooLong(Ceiling ceiling, Wish wish) {
    List<Wish> all = between(ceiling, wish);
    all.add(wish);
    Duration together = Overlap.together(all);
    return ceiling
        .duration()
        .filter(most -> together.compareTo(most) > 0)
        .map(
            most ->
                most.toSeconds()
                    + " s of reserved time between two hosts: with this of "
                    + wish.duration().toSeconds()
                    + " s it would be "
                    + together.toSeconds()
                    + " s.");
  }

  private Optional<String> tooMuch(Ceiling ceiling, Wish wish) {
    long others = Overlap.most(wish, under(ceiling));
    return ceiling
        .rate()
        .filter(most -> wish.rate().millibitsPerSecond() > most.millibitsPerSecond() - others)
        .map(
            most ->
                most.toKbpsFloor()
                    + " kbit/s for all its reservations together: "
                    + DataRate.ofMillibitsPerSecond(others).toKbpsFloor()
                    + " kbit/s are reserved then, and this is "
                    + wish.rate().toKbpsFloor()
                    + " kbit/s.");
  }

  private Optional<String> tooGreatAShare(Ceiling ceiling, Wish wish) {
    List<Reservation> others = under(ceiling);
    return ceiling
        .sharePercent()
        .filter(percent -> !share.hasRoom(wish, others, percent))
        .map(
            percent ->
                percent
                    + " % of each link for all its reservations together: this of "
                    + wish.rate().toKbpsFloor()
                    + " kbit/s does not fit into that, beside "
                    + DataRate.ofMillibitsPerSecond(Overlap.most(wish, others)).toKbpsFloor()
                    + " kbit/s that are reserved then.");
  }

  /** How much longer at most; empty where no ceiling says, or the wish is not too long. */
  Optional<Duration> lengthLeft(Wish wish) {
    return ceilings.stream()
        .filter(ceiling -> tooLong(ceiling, wish).isPresent())
        .map(
            ceiling ->
                ceiling.duration().orElseThrow().minus(Overlap.together(between(ceiling, wish))))
        .min(Duration::compareTo);
  }

  private List<Wish> between(Ceiling ceiling, Wish wish) {
    return under(ceiling).stream()
        .map(Reservation::wish)
        .filter(other -> other.from().equals(wish.from()) && other.to().equals(wish.to()))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private List<Reservation> under(Ceiling ceiling) {
    return reserved.stream()
        .filter(one -> IntentPath.parse(one.wish().intent()).isWithin(ceiling.branch()))
        .collect(Collectors.toUnmodifiableList());
  }
}
