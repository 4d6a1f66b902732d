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

  /** By the names of divided ports, what came to their queues of late, where that is counted. */
  public abstract SortedMap<String, QueueTraffic> traffic();

  public static PortScheduler of(
      String agent, Map<String, Optional<QueueShares>> ports, Map<String, QueueTraffic> traffic) {
    return new AutoValue_PortScheduler(
        agent,
        Collections.unmodifiableSortedMap(new TreeMap<>(ports)),
        Collections.unmodifiableSortedMap(new TreeMap<>(traffic)));
  }

  /** As a person reads it. */
  @Override
  public final String toString() {
    return agent()
        + ": "
        + ports().entrySet().stream()
            .map(
                one ->
                    one.getKey() + one.getValue().map(held -> shown(one.getKey(), held)).orElse(""))
            .collect(Collectors.joining(", "));
  }

  private String shown(String port, QueueShares shares) {
    return " ("
        + shares
        + Optional.ofNullable(traffic().get(port)).map(came -> "; " + came).orElse("")
        + ")";
  }
}
