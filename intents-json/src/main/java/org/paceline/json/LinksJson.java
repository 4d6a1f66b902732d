package org.paceline.json;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

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

  LinksJson(JsonCursor json) {
    this.json = json;
  }

  void read() throws IOException {
    json.array(MAX_LINKS, FEWER_LINKS, index -> new Entry(index).read());
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

  private final class Entry {
    private final int index;
    private final String place = json.place();
    private final Members found = new Members();
    private Optional<String> from = Optional.empty();
    private Optional<String> to = Optional.empty();
    private Optional<DataRate> capacity = Optional.empty();
    private Optional<List<DataRate>> usage = Optional.empty();
    private Optional<List<Latency>> delay = Optional.empty();

    Entry(int index) {
      this.index = index;
    }

    void read() throws IOException {
      if (!json.object(this::member)) {
        return;
      }
      found.require(json, place, "from", "to", "capacityKbps", "usageKbps", "delayMs");
      ends.add(new String[] {from.orElse(null), to.orElse(null)});
      endsAt.add(index);
      Optional<LinkDelay> shape = shape();
      if (from.isPresent() && to.isPresent()) {
        complete(from.get(), to.get(), shape);
      }
    }

    private void complete(String from, String to, Optional<LinkDelay> shape) throws IOException {
      if (from.equals(to)) {
        json.faultAt(place, "leads from " + Quoted.of(from) + " back to itself.");
        return;
      }
      Integer first = known.putIfAbsent(LinkId.of(from, to), index);
      if (first != null) {
        json.faultAt(
            place,
            "has the same ends as /links/"
                + first
                + ". Maybe join parallel links into one with the sum of their capacities.");
      } else if (capacity.isPresent() && shape.isPresent()) {
        links.add(Link.of(from, to, capacity.get(), shape.get()));
      }
    }

    private boolean member(String member) throws IOException {
      found.add(member);
      switch (member) {
        case "from":
          from = json.name();
          return true;
        case "to":
          to = json.name();
          return true;
        case "capacityKbps":
          capacity = Quantities.rate(json);
          return true;
        case "usageKbps":
          usage = Quantities.list(json, MAX_POINTS, FEWER_POINTS, Quantities::rate);
          return true;
        case "delayMs":
          delay = Quantities.list(json, MAX_POINTS, FEWER_POINTS, Quantities::delay);
          return true;
        case "description":
          json.skip();
          return true;
        default:
          return false;
      }
    }

    private Optional<LinkDelay> shape() throws IOException {
      if (usage.isEmpty() || delay.isEmpty()) {
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
}
