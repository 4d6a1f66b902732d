package org.paceline.control.view;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.control.model.Proof;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.SchemeName;

/** A service class as its conversations have it: who is of it, and what they are given. */
@AutoValue
public abstract class ClassView {
  /** The intent that says its weight. */
  public abstract IntentPath serviceClass();

  public abstract int weight();

  public abstract ClassMembers all();

  /**
   * Its parts by how they were split off, the lowest first; without those that no split was made
   * of. Each bottleneck is split by itself: parts of the same name are one here.
   */
  public abstract SortedMap<String, ClassMembers> subClasses();

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
    // L before H.
    Map<String, List<Proof>> split = new TreeMap<>(Comparator.reverseOrder());
    for (Proof proof : members) {
      proof
          .subClass()
          .ifPresent(name -> split.computeIfAbsent(name, n -> new ArrayList<>()).add(proof));
    }
    SortedMap<String, ClassMembers> subClasses = new TreeMap<>(Comparator.reverseOrder());
    split.forEach((name, those) -> subClasses.put(name, ClassMembers.of(those)));
    return new AutoValue_ClassView(
        serviceClass,
        members.get(0).requested().classWeight().value(),
        ClassMembers.of(members),
        Collections.unmodifiableSortedMap(subClasses));
  }
}
