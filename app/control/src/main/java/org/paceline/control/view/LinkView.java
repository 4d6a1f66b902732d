package org.paceline.control.view;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.paceline.control.explain.LinkUse;
import org.paceline.control.model.LinkPorts;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.NodeNames;
import org.paceline.control.telemetry.LinkMeasurement;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.DataRate;

/** A link that the planner reckons with, what is granted on it, and what it carries. */
@AutoValue
public abstract class LinkView {
  public abstract Link link();

  /** What people call the node that it leaves. */
  public abstract String fromName();

  /** What people call the node that it leads to. */
  public abstract String toName();

  /** What conversations may send over it; the rest is headroom. */
  public abstract DataRate usable();

  public abstract LinkPorts ports();

  public abstract LinkUse use();

  /** What its switch counts, where one does. */
  public abstract Optional<LinkMeasurement> measured();

  /** Smoothed, as a part of its capacity; empty where nothing is counted, or it has none. */
  public final OptionalDouble utilisation() {
    double capacity = link().capacity().millibitsPerSecond();
    return measured().isPresent() && capacity > 0
        ? OptionalDouble.of(measured().get().smoothed().millibitsPerSecond() / capacity)
        : OptionalDouble.empty();
  }

  /**
   * In the network's order.
   *
   * @param usable the same network with what conversations may send
   */
  public static List<LinkView> of(
      NetworkState network,
      Network usable,
      NodeNames names,
      Map<LinkId, LinkUse> uses,
      Map<LinkId, LinkMeasurement> measured) {
    return network.network().links().stream()
        .map(
            link ->
                new AutoValue_LinkView(
                    link,
                    names.of(link.from()),
                    names.of(link.to()),
                    usable.link(link.id()).map(Link::capacity).orElse(DataRate.ZERO),
                    network.ports().getOrDefault(link.id(), LinkPorts.NONE),
                    uses.getOrDefault(link.id(), LinkUse.NONE),
                    Optional.ofNullable(measured.get(link.id()))))
        .collect(Collectors.toUnmodifiableList());
  }
}
