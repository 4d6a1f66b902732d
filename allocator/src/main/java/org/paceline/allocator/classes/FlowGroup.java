package org.paceline.allocator.classes;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.paceline.intents.unit.DataRate;

/**
 * Flows of a service class that are alike after all splits, and what they have together. The paper
 * names recursive splits in the last paragraph of section II and leaves them open; here each
 * sub-class is split by the same rule as the class, with what it was given as its share, until the
 * rule's depth or until its flows are alike. O(n log n) a level for n flows.
 */
@AutoValue
public abstract class FlowGroup {
  private static final char LOWER = 'L';
  private static final char UPPER = 'H';

  /** How it was split off: a letter a split, L or H; empty for a class that was not split. */
  public abstract String place();

  /** Its flows with what each was measured to get; never empty. */
  public abstract SortedMap<String, DataRate> throughput();

  /** For all of its flows together. */
  public abstract DataRate rate();

  /** For each of its flows, in millibits per second. */
  public final double each() {
    return (double) rate().millibitsPerSecond() / throughput().size();
  }

  /**
   * The groups of a class, the lowest first; together they have its share.
   *
   * @param share X_s, what the class has
   * @param throughput x_f, what each of its active flows was measured to get
   * @return none for a class without flows
   */
  public static List<FlowGroup> of(
      DataRate share, Map<String, DataRate> throughput, SplitRule rule) {
    List<FlowGroup> groups = new ArrayList<>();
    if (!throughput.isEmpty()) {
      add(groups, "", share, new TreeMap<>(throughput), rule);
    }
    return Collections.unmodifiableList(groups);
  }

  private static void add(
      List<FlowGroup> groups,
      String place,
      DataRate share,
      SortedMap<String, DataRate> flows,
      SplitRule rule) {
    SubClasses split = SubClasses.of(share, flows, rule);
    if (place.length() == rule.depth() || split.lower().isEmpty()) {
      groups.add(new AutoValue_FlowGroup(place, Collections.unmodifiableSortedMap(flows), share));
      return;
    }
    SortedMap<String, DataRate> lower = new TreeMap<>(flows);
    lower.keySet().retainAll(split.lower());
    SortedMap<String, DataRate> upper = new TreeMap<>(flows);
    upper.keySet().removeAll(split.lower());
    add(groups, place + LOWER, split.lowerRate(), lower, rule);
    add(groups, place + UPPER, split.upperRate(), upper, rule);
  }
}
