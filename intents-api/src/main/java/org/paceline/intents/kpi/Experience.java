package org.paceline.intents.kpi;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.intents.unit.Utility;

/** What a user thinks of a conversation, by what its application measured. */
@AutoValue
public abstract class Experience {
  public abstract KpiModel model();

  /** What it was made from, by the KPIs' names; never empty. */
  public abstract Map<String, KpiReading> kpis();

  /** From 1 to 5; empty where the KPIs do not tell. */
  public abstract Optional<Utility> utility();

  /** The KPI that is missing, or cannot have the value that was reported; empty with a utility. */
  public abstract Optional<Kpi> unusable();

  /** For people: the KPIs, and which of them cannot be used. */
  public final String text() {
    String reported =
        kpis().entrySet().stream()
            .map(kpi -> kpi.getKey() + " " + kpi.getValue().text())
            .collect(Collectors.joining(", "));
    return unusable().map(kpi -> reported + ": " + why(kpi)).orElse(reported);
  }

  private String why(Kpi kpi) {
    return kpis().containsKey(kpi.name())
        ? kpi.name() + " must be from " + (long) kpi.least() + " to " + (long) kpi.greatest()
        : kpi.name() + " is missing";
  }

  static Experience of(
      KpiModel model,
      Map<String, KpiReading> kpis,
      Optional<Utility> utility,
      Optional<Kpi> unusable) {
    return new AutoValue_Experience(
        model, Collections.unmodifiableMap(new TreeMap<>(kpis)), utility, unusable);
  }

  /** When the oldest of its KPIs was reported. */
  public final Instant at() {
    return kpis().values().stream()
        .map(KpiReading::at)
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }
}
