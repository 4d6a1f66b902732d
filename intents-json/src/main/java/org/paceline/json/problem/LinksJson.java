package org.paceline.json.problem;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.intents.document.Quoted;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.json.document.Fields;
import org.paceline.json.document.JsonCursor;
import org.paceline.json.document.Quantities;

/** A problem's directed links. */
final class LinksJson {
  private static final int MAX_LINKS = 2_000_000;
  private static final int MAX_POINTS = 1_000;
  private static final String FEWER_LINKS = "Maybe leave out what carries no traffic.";
  private static final String FEWER_POINTS = "Maybe draw the delay with fewer points.";

  private final JsonCursor json;
  private final List<Link> links = new ArrayList<>();

  /** Where each end of a link stands, for looking it up once all nodes are known. */
  private final List<String[]> ends = new ArrayList<>();

  private final List<Integer> endsAt = new ArrayList<>();
  private final Map<LinkId, Integer> known = new HashMap<>();
  private final Fields fields;
  private final Fields.Field<String> from;
  private final Fields.Field<String> to;
  private final Fields.Field<DataRate> capacity;
  private final Fields.Field<List<DataRate>> usage;
  private final Fields.Field<List<Latency>> delay;

  LinksJson(JsonCursor json) {
    this.json = json;
    this.fields = new Fields(json).remark("description");
    this.from = fields.needed("from", JsonCursor::name);
    this.to = fields.needed("to", JsonCursor::name);
    this.capacity = fields.needed("capacityKbps", Quantities::rate);
    this.usage =
        fields.needed(
            "usageKbps",
            cursor -> Quantities.list(cursor, MAX_POINTS, FEWER_POINTS, Quantities::rate));
    this.delay =
        fields.needed(
            "delayMs",
            cursor -> Quantities.list(cursor, MAX_POINTS, FEWER_POINTS, Quantities::delay));
  }

  void read() throws IOException {
    json.array(MAX_LINKS, FEWER_LINKS, this::entry);
  }

  /** The links, with those whose ends are no nodes logged. */
  List<Link> between(Set<String> nodes, boolean nodesAreKnown) throws IOException {
    for (int i = 0; nodesAreKnown && i < ends.size(); i++) {
      for (int end = 0; end < 2; end++) {
        String node = ends.get(i)[end];
        if (node != null && !nodes.contains(node)) {
          json.faultAt(
              "/links/" + endsAt.get(i) + (end == 0 ? "/from" : "/to"),
              "names " + Quoted.of(node) + ", which is no node. Maybe add it to the nodes.");
        }
      }
    }
    return links;
  }

  private void entry(int index) throws IOException {
    String place = json.place();
    if (!fields.read()) {
      return;
    }
    ends.add(new String[] {from.value().orElse(null), to.value().orElse(null)});
    endsAt.add(index);
    Optional<LinkDelay> shape = shape(place);
    if (!Fields.have(from, to)) {
      return;
    }
    if (from.get().equals(to.get())) {
      json.faultAt(place, "leads from " + Quoted.of(from.get()) + " back to itself.");
      return;
    }
    Integer first = known.putIfAbsent(LinkId.of(from.get(), to.get()), index);
    if (first != null) {
      json.faultAt(
          place,
          "has the same ends as /links/"
              + first
              + ". Maybe join parallel links into one with the sum of their capacities.");
    } else if (Fields.have(capacity) && shape.isPresent()) {
      links.add(Link.of(from.get(), to.get(), capacity.get(), shape.get()));
    }
  }

  private Optional<LinkDelay> shape(String place) throws IOException {
    if (!Fields.have(usage, delay)) {
      return Optional.empty();
    }
    if (usage.get().isEmpty() || usage.get().size() != delay.get().size()) {
      json.faultAt(
          place,
          String.format(
              "needs as many delays as loads and at least one, but has %d usageKbps and %d"
                  + " delayMs.",
              usage.get().size(), delay.get().size()));
      return Optional.empty();
    }
    boolean loadsIncrease = Quantities.increases(json, place + "/usageKbps", usage.get(), true);
    boolean delaysIncrease = Quantities.increases(json, place + "/delayMs", delay.get(), false);
    return loadsIncrease && delaysIncrease
        ? Optional.of(LinkDelay.piecewise(usage.get(), delay.get()))
        : Optional.empty();
  }
}
