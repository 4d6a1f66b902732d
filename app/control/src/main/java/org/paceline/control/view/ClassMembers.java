package org.paceline.control.view;

import com.google.auto.value.AutoValue;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.paceline.control.model.Proof;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;

/** Conversations of one service class, or of one of its sub-classes, and what they are given. */
@AutoValue
public abstract class ClassMembers {
  public abstract int conversations();

  /** What each of those has that have a grant, least first. */
  public abstract List<DataRate> grants();

  /** What they sent together, by their enforcers' last reports. */
  public abstract DataRate measured();

  /** All grants together. */
  public final DataRate granted() {
    return sum(grants());
  }

  /** Empty where nobody has a grant. */
  public final Optional<DataRate> least() {
    return grants().stream().findFirst();
  }

  /** Empty where nobody has a grant. */
  public final Optional<DataRate> greatest() {
    return grants().stream().reduce((first, second) -> second);
  }

  static ClassMembers of(Collection<Proof> members) {
    return new AutoValue_ClassMembers(
        members.size(),
        known(members, proof -> proof.computed().map(Grant::rate)),
        sum(known(members, Proof::measured)));
  }

  private static List<DataRate> known(
      Collection<Proof> members, Function<Proof, Optional<DataRate>> rate) {
    return members.stream()
        .flatMap(proof -> rate.apply(proof).stream())
        .sorted()
        .collect(Collectors.toUnmodifiableList());
  }

  private static DataRate sum(List<DataRate> rates) {
    return rates.stream().reduce(DataRate.ZERO, DataRate::plus);
  }
}
