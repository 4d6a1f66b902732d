package org.paceline.records;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.paceline.control.ingress.IngressDay;
import org.paceline.control.ingress.IngressList;
import org.paceline.control.ingress.IngressPair;
import org.paceline.intents.address.AddressPrefix;
import org.paceline.intents.address.IpAddress;

/** A list of elephants as JSON. */
public final class IngressListCodec extends JsonCodec<IngressList> {
  public IngressListCodec() {
    super(1);
  }

  @Override
  ObjectNode json(IngressList list) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("exporter", list.exporter().toString())
            .put("day", list.day().toString());
    ArrayNode pairs = json.putArray("pairs");
    for (IngressPair pair : list.pairs()) {
      pairs
          .addObject()
          .put("source", pair.source().toString())
          .put("destination", pair.destination().toString())
          .put("bytes", pair.bytes())
          .put("lastSeen", pair.lastSeen().toString());
    }
    ArrayNode days = json.putArray("days");
    for (IngressDay day : list.days()) {
      days.addObject()
          .put("day", day.day().toString())
          .put("pairs", day.pairs())
          .put("flows", day.flows())
          .put("alphaBytes", day.alphaBytes())
          .put("matchedBytes", day.matchedBytes());
    }
    return json;
  }

  @Override
  IngressList value(JsonNode json, int version) {
    List<IngressPair> pairs = new ArrayList<>();
    for (JsonNode pair : json.path("pairs")) {
      pairs.add(
          IngressPair.of(
              AddressPrefix.parse(pair.path("source").asText()),
              AddressPrefix.parse(pair.path("destination").asText()),
              pair.path("bytes").asLong(),
              LocalDate.parse(pair.path("lastSeen").asText())));
    }
    List<IngressDay> days = new ArrayList<>();
    for (JsonNode day : json.path("days")) {
      days.add(
          IngressDay.of(
              LocalDate.parse(day.path("day").asText()),
              day.path("pairs").asInt(),
              day.path("flows").asInt(),
              day.path("alphaBytes").asLong(),
              day.path("matchedBytes").asLong()));
    }
    return IngressList.of(
        IpAddress.parse(json.path("exporter").asText()),
        LocalDate.parse(json.path("day").asText()),
        pairs,
        days);
  }
}
