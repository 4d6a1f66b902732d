package org.paceline.onos.topology;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.onosproject.net.HostId;
import org.onosproject.net.config.InvalidFieldException;
import org.paceline.onos.netcfg.Settings;

/**
 * Who speaks for a host: network configuration {@code hosts/ID/paceline} with {@code agents}, the
 * hostIds of the agents that may, and nobody else.
 */
public final class HostSettings extends Settings<HostId> {
  private static final String AGENTS = "agents";

  public HostSettings() {
    super(List.of(AGENTS));
  }

  @Override
  protected void mustBeUsable() {
    agents();
  }

  /** By hostId; empty where the network says whose it is. */
  Set<String> agents() {
    JsonNode node = object.path(AGENTS);
    Set<String> agents = new TreeSet<>();
    if (node.isMissingNode()) {
      return agents;
    }
    for (JsonNode one : node) {
      if (!one.isTextual() || one.textValue().isBlank()) {
        throw notUsable(node);
      }
      agents.add(one.textValue());
    }
    if (!node.isArray() || agents.isEmpty()) {
      throw notUsable(node);
    }
    return agents;
  }

  private static InvalidFieldException notUsable(JsonNode node) {
    return new InvalidFieldException(
        AGENTS, "the " + AGENTS + " (" + node + ") must be a list of hostIds, such as [\"srv1\"]");
  }
}
