package org.paceline.control.view;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.paceline.control.explain.LinkUse;
import org.paceline.control.model.LinkPorts;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.NodeNames;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** A link that the planner reckons with, what is granted on it, and what it carries. */
@AutoValue
public abstract class LinkView {
  public abstract Link link();

  /** What people call the node that it leaves. */
  public abstract String fromName();

  /** What people call the node that it leads to. */
  public abstract String toName();

  public abstract LinkPorts ports();

  public abstract LinkUse use();

  /** What its switch counts, where one does. */
  public abstract Optional<DataRate> measured();

  /** In the network's order. */
  public static List<LinkView> of(
      NetworkState network,
      NodeNames names,
      Map<LinkId, LinkUse> uses,
      Map<LinkId, DataRate> measured) {
    return network.network().links().stream()
        .map(
            link ->
                new AutoValue_LinkView(
                    link,
                    names.of(link.from()),
                    names.of(link.to()),
                    network.ports().getOrDefault(link.id(), LinkPorts.NONE),
                    uses.getOrDefault(link.id(), LinkUse.NONE),
                    Optional.ofNullable(measured.get(link.id()))))
        .collect(Collectors.toUnmodifiableList());
  }
}
