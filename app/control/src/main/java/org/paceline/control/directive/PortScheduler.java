package org.paceline.control.directive;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Who divides ports of a switch between queues, and how they are divided. */
@AutoValue
public abstract class PortScheduler {
  /** The agent on the switch's machine, by its host. */
  public abstract String agent();

  /** By the names of the ports that it can divide, what is in force; empty for one queue. */
  public abstract SortedMap<String, Optional<QueueShares>> ports();

  public static PortScheduler of(String agent, Map<String, Optional<QueueShares>> ports) {
    return new AutoValue_PortScheduler(
        agent, Collections.unmodifiableSortedMap(new TreeMap<>(ports)));
  }

  /** As a person reads it. */
  @Override
  public final String toString() {
    return agent()
        + ": "
        + ports().entrySet().stream()
            .map(one -> one.getKey() + one.getValue().map(shares -> " (" + shares + ")").orElse(""))
            .collect(Collectors.joining(", "));
  }
}
