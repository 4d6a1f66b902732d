package org.paceline.northbound.restconf.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import org.paceline.control.api.ReservationService;
import org.paceline.control.ingress.ExporterCounts;
import org.paceline.control.ingress.IngressDay;
import org.paceline.control.ingress.IngressLists;
import org.paceline.control.ingress.IngressPair;
import org.paceline.control.ingress.IngressState;
import org.paceline.control.view.ElephantView;
import org.paceline.intents.network.LinkId;

/** Data of module paceline-elephants. Numbers of 64 bits are texts (RFC 7951). */
public final class ElephantData {
  private ElephantData() {}

  /** What was sent is in bytes, rates are in kbit/s, moments and days are in UTC. */
  public static JsonObject of(IngressLists use, ReservationService circuits) {
    JsonObject data = new JsonObject();
    data.addProperty("applied", use.isApplied());
    data.addProperty("due", use.due().toString());
    add(data, "refused-datagrams", use.refused());
    JsonArray apart = new JsonArray();
    circuits.elephants().forEach(one -> apart.add(json(one)));
    add(data, "apart", apart);
    JsonArray ingresses = new JsonArray();
    use.states().forEach(state -> ingresses.add(json(state)));
    add(data, "ingress", ingresses);
    return data;
  }

  private static void add(JsonObject json, String name, long number) {
    json.addProperty(name, Long.toString(number));
  }

  /** RESTCONF has no empty lists. */
  private static void add(JsonObject json, String name, JsonArray list) {
    if (!list.isEmpty()) {
      json.add(name, list);
    }
  }

  private static JsonObject json(ElephantView one) {
    JsonObject json = new JsonObject();
    json.addProperty("host", one.id().host());
    json.addProperty("id", one.id().local());
    json.addProperty("intent", one.proof().requested().asked().toString());
    json.addProperty("from", one.proof().conversation().localAddress());
    json.addProperty("to", one.proof().conversation().remoteAddress());
    JsonArray links = new JsonArray();
    one.path().hops().stream().map(LinkId::toString).forEach(links::add);
    json.add("link", links);
    json.addProperty("granted", Leaf.rate(one.granted()));
    json.addProperty("paced", one.isPaced());
    one.proof().measured().ifPresent(rate -> json.addProperty("measured", Leaf.rate(rate)));
    one.circuit().ifPresent(rate -> json.addProperty("circuit", Leaf.rate(rate)));
    return json;
  }

  private static JsonObject json(IngressState state) {
    JsonObject json = new JsonObject();
    json.addProperty("exporter", state.exporter().toString());
    json.addProperty("day", state.list().day().toString());
    state.heardAt().ifPresent(at -> json.addProperty("heard-at", at.toString()));
    state.counts().ifPresent(counts -> json.add("received", received(counts, state)));
    JsonArray pairs = new JsonArray();
    for (IngressPair pair : state.list().pairs()) {
      JsonObject one = new JsonObject();
      one.addProperty("source", pair.source().toString());
      one.addProperty("destination", pair.destination().toString());
      add(one, "sent", pair.bytes());
      one.addProperty("last-seen", pair.lastSeen().toString());
      one.addProperty("ages-out-on", state.agesOutOn(pair).toString());
      one.addProperty("in-force", pairs.size() < state.inForce());
      pairs.add(one);
    }
    add(json, "pair", pairs);
    JsonArray days = new JsonArray();
    for (IngressDay day : state.list().days()) {
      JsonObject one = new JsonObject();
      one.addProperty("day", day.day().toString());
      one.addProperty("pairs", day.pairs());
      one.addProperty("flows", day.flows());
      add(one, "alpha", day.alphaBytes());
      add(one, "matched", day.matchedBytes());
      days.add(one);
    }
    add(json, "effectiveness", days);
    return json;
  }

  private static JsonObject received(ExporterCounts counts, IngressState state) {
    JsonObject json = new JsonObject();
    add(json, "datagrams", counts.datagrams());
    add(json, "records", counts.records());
    add(json, "malformed", counts.malformed());
    add(json, "unknown-templates", counts.unknownTemplates());
    add(json, "incomplete", counts.incomplete());
    add(json, "lost-records", counts.lostRecords());
    add(json, "lost-datagrams", counts.lostDatagrams());
    add(json, "untimely", state.untimely());
    add(json, "let-go", state.letGoBytes());
    return json;
  }
}
