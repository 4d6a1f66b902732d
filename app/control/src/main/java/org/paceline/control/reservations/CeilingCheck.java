package org.paceline.control.reservations;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.paceline.control.policy.Ceiling;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/**
 * Holds a request against ceilings, together with what is reserved under their branches already,
 * whoever reserved it. A smaller rate is above no ceiling that a greater is not above.
 */
final class CeilingCheck implements Admission.Rule {
  /** Whether a request, beside others of its branch, fits into a part of each link. */
  interface Share {
    boolean hasRoom(ReservationRequest requested, Collection<Reservation> others, int percent);
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
  public Optional<String> refusal(ReservationRequest requested) {
    return ceilings.stream().flatMap(ceiling -> refusal(ceiling, requested).stream()).findFirst();
  }

  private Optional<String> refusal(Ceiling ceiling, ReservationRequest requested) {
    return tooLong(ceiling, requested)
        .or(() -> tooMuch(ceiling, requested))
        .or(() -> tooGreatAShare(ceiling, requested))
        .map(
            why ->
                "The ceiling of ("
                    + ceiling.branch()
                    + ") is "
                    + why
                    + " Maybe ask for less, or ask an admin for another ceiling.");
  }

  private Optional<String> tooLong(Ceiling ceiling, ReservationRequest requested) {
    List<ReservationRequest> all = between(ceiling, requested);
    all.add(requested);
    Duration together = Overlap.together(all);
    return ceiling
        .duration()
        .filter(most -> together.compareTo(most) > 0)
        .map(
            most ->
                most.toSeconds()
                    + " s of reserved time between two hosts: with this of "
                    + requested.duration().toSeconds()
                    + " s it would be "
                    + together.toSeconds()
                    + " s.");
  }

  private Optional<String> tooMuch(Ceiling ceiling, ReservationRequest requested) {
    long others = Overlap.most(requested, under(ceiling));
    return ceiling
        .rate()
        .filter(most -> requested.rate().millibitsPerSecond() > most.millibitsPerSecond() - others)
        .map(
            most ->
                most.toKbpsFloor()
                    + " kbit/s for all its reservations together: "
                    + DataRate.ofMillibitsPerSecond(others).toKbpsFloor()
                    + " kbit/s are reserved then, and this is "
                    + requested.rate().toKbpsFloor()
                    + " kbit/s.");
  }

  private Optional<String> tooGreatAShare(Ceiling ceiling, ReservationRequest requested) {
    List<Reservation> others = under(ceiling);
    return ceiling
        .sharePercent()
        .filter(percent -> !share.hasRoom(requested, others, percent))
        .map(
            percent ->
                percent
                    + " % of each link for all its reservations together: this of "
                    + requested.rate().toKbpsFloor()
                    + " kbit/s does not fit into that, beside "
                    + DataRate.ofMillibitsPerSecond(Overlap.most(requested, others)).toKbpsFloor()
                    + " kbit/s that are reserved then.");
  }

  /** How much longer at most; empty where no ceiling says, or the request is not too long. */
  Optional<Duration> lengthLeft(ReservationRequest requested) {
    return ceilings.stream()
        .filter(ceiling -> tooLong(ceiling, requested).isPresent())
        .map(
            ceiling ->
                ceiling
                    .duration()
                    .orElseThrow()
                    .minus(Overlap.together(between(ceiling, requested))))
        .min(Duration::compareTo);
  }

  private List<ReservationRequest> between(Ceiling ceiling, ReservationRequest requested) {
    return under(ceiling).stream()
        .map(Reservation::requested)
        .filter(other -> other.from().overlaps(requested.from()))
        .filter(other -> other.to().overlaps(requested.to()))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private List<Reservation> under(Ceiling ceiling) {
    return reserved.stream()
        .filter(one -> IntentPath.parse(one.requested().intent()).isWithin(ceiling.branch()))
        .collect(Collectors.toUnmodifiableList());
  }
}
