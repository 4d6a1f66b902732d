package org.paceline.control.view;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.paceline.control.model.Proof;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** A service class as its conversations have it: who is of it, and what they are given. */
@AutoValue
public abstract class ClassView {
  /** The intent that says its weight. */
  public abstract IntentPath serviceClass();

  public abstract int weight();

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

  /** Those that conversations are of, by the paths of their intents. */
  public static List<ClassView> of(Collection<Proof> proofs) {
    Map<IntentPath, List<Proof>> members = new TreeMap<>();
    for (Proof proof : proofs) {
      EffectivePolicy policy = proof.requested();
      if (policy.scheme().value() == SchemeName.SERVICE_CLASSES) {
        members.computeIfAbsent(policy.classWeight().origin(), o -> new ArrayList<>()).add(proof);
      }
    }
    return members.entrySet().stream()
        .map(one -> of(one.getKey(), one.getValue()))
        .collect(Collectors.toUnmodifiableList());
  }

  private static ClassView of(IntentPath serviceClass, List<Proof> members) {
    return new AutoValue_ClassView(
        serviceClass,
        members.get(0).requested().classWeight().value(),
        members.size(),
        known(members, proof -> proof.computed().map(Grant::rate)),
        sum(known(members, Proof::measured)));
  }

  private static List<DataRate> known(
      List<Proof> members, Function<Proof, Optional<DataRate>> rate) {
    return members.stream()
        .flatMap(proof -> rate.apply(proof).stream())
        .sorted()
        .collect(Collectors.toUnmodifiableList());
  }

  private static DataRate sum(List<DataRate> rates) {
    return rates.stream().reduce(DataRate.ZERO, DataRate::plus);
  }
}
