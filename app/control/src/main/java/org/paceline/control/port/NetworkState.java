package org.paceline.control.port;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.intents.network.Network;

/** Switches and hosts with their links, and which address is behind which node. */
@AutoValue
public abstract class NetworkState {
  /** Full capacities: what the planner keeps back is its own affair. */
  public abstract Network network();

  /** Node by host address. */
  public abstract Map<String, String> nodesByAddress();

  /** What is known to be wrong with the picture, such as a link without a capacity. */
  public abstract List<String> warnings();

  public static NetworkState of(
      Network network, Map<String, String> nodesByAddress, List<String> warnings) {
    return new AutoValue_NetworkState(
        network, Collections.unmodifiableMap(new TreeMap<>(nodesByAddress)), List.copyOf(warnings));
  }

  public Optional<String> nodeOf(String address) {
    return Optional.ofNullable(nodesByAddress().get(address));
  }
}
