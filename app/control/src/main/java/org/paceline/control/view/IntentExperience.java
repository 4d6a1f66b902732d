package org.paceline.control.view;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.paceline.control.model.Proof;
import org.paceline.intents.kpi.Experience;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.Utility;

/** What the users of an intent experience, beside what was predicted for the same ones. */
@AutoValue
public abstract class IntentExperience {
  /** Those that most conversations report of: each is some lines of every reading of metrics. */
  private static final int MOST = 50;

  /** The node that names the model of their KPIs. */
  public abstract IntentPath intent();

  /** Whose KPIs tell. */
  public abstract int conversations();

  /** Whose KPIs were reported and cannot be used. */
  public abstract int unusable();

  /** Empty where nobody's tell. */
  public abstract Optional<Utility> least();

  /** Empty where nobody's tell. */
  public abstract Optional<Utility> mean();

  /** By the grants of the same conversations, as far as they have any. */
  public abstract Optional<Utility> predictedMean();

  /** Those that applications report of, by their paths. */
  public static List<IntentExperience> of(Collection<Proof> proofs) {
    Map<IntentPath, List<Proof>> members = new TreeMap<>();
    for (Proof proof : proofs) {
      if (proof.experience().isPresent()) {
        proof
            .requested()
            .kpiModel()
            .ifPresent(
                model ->
                    members.computeIfAbsent(model.origin(), o -> new ArrayList<>()).add(proof));
      }
    }
    return members.entrySet().stream()
        .sorted(Comparator.comparingInt(one -> -one.getValue().size()))
        .limit(MOST)
        .sorted(Map.Entry.comparingByKey())
        .map(one -> of(one.getKey(), one.getValue()))
        .collect(Collectors.toUnmodifiableList());
  }

  private static IntentExperience of(IntentPath intent, List<Proof> members) {
    List<Proof> telling =
        members.stream()
            .filter(proof -> proof.experience().flatMap(Experience::utility).isPresent())
            .collect(Collectors.toUnmodifiableList());
    List<Utility> felt = known(telling, p -> p.experience().flatMap(Experience::utility));
    return new AutoValue_IntentExperience(
        intent,
        telling.size(),
        members.size() - telling.size(),
        felt.stream().min(Comparator.naturalOrder()),
        mean(felt),
        mean(known(telling, p -> p.computed().map(Grant::utility))));
  }

  private static List<Utility> known(
      List<Proof> members, Function<Proof, Optional<Utility>> utility) {
    return members.stream()
        .flatMap(proof -> utility.apply(proof).stream())
        .collect(Collectors.toUnmodifiableList());
  }

  private static Optional<Utility> mean(List<Utility> all) {
    long sum = all.stream().mapToLong(Utility::billionths).sum();
    return all.isEmpty() ? Optional.empty() : Optional.of(Utility.ofBillionths(sum / all.size()));
  }
}
