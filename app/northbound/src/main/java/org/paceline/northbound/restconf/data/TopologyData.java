package org.paceline.northbound.restconf.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import org.paceline.control.api.NetworkService;
import org.paceline.control.view.LinkView;
import org.paceline.intents.network.Link;

/** The network as data of RFC 8345, with what module paceline-network adds to its links. */
public final class TopologyData {
  private TopologyData() {}

  /** Rates are in kbit/s, delays in ms. */
  public static JsonObject of(NetworkService use) {
    JsonObject one = new JsonObject();
    one.addProperty("network-id", "paceline");
    JsonArray nodes = new JsonArray();
    for (String node : use.current().network().nodes()) {
      JsonObject json = new JsonObject();
      json.addProperty("node-id", node);
      nodes.add(json);
    }
    if (!nodes.isEmpty()) {
      one.add("node", nodes);
    }
    JsonArray links = new JsonArray();
    use.links().forEach(view -> links.add(link(view)));
    if (!links.isEmpty()) {
      one.add("ietf-network-topology-state:link", links);
    }
    JsonArray networks = new JsonArray();
    networks.add(one);
    JsonObject data = new JsonObject();
    data.add("network", networks);
    return data;
  }

  private static JsonObject link(LinkView view) {
    Link link = view.link();
    JsonObject json = new JsonObject();
    json.addProperty("link-id", link.id().toString());
    JsonObject source = new JsonObject();
    source.addProperty("source-node", link.from());
    json.add("source", source);
    JsonObject destination = new JsonObject();
    destination.addProperty("dest-node", link.to());
    json.add("destination", destination);
    json.addProperty("paceline-network:capacity", Leaf.rate(link.capacity()));
    json.addProperty("paceline-network:usable", Leaf.rate(view.usable()));
    json.addProperty("paceline-network:granted", Leaf.rate(view.use().granted()));
    json.addProperty("paceline-network:delay", Leaf.delay(link.delay().delay(0)));
    view.measured()
        .ifPresent(
            measured -> {
              json.addProperty("paceline-network:measured", Leaf.rate(measured.rate()));
              json.addProperty("paceline-network:smoothed", Leaf.rate(measured.smoothed()));
              json.addProperty("paceline-network:measured-at", measured.at().toString());
              json.addProperty(
                  "paceline-network:dropped-packets", String.valueOf(measured.droppedEver()));
            });
    return json;
  }
}
