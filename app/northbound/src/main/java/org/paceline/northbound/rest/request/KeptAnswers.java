package org.paceline.northbound.rest.request;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.paceline.control.audit.Request;
import org.paceline.control.port.Records;
import org.paceline.northbound.rest.view.Json;

/**
 * Which answers are kept, by who asked: so many for each, of which the oldest goes first, so that
 * nobody's many writes take away what another's are answered with. O(1) a write on average, however
 * many are kept, as each is put in and taken out once; what is stored is read once.
 */
final class KeptAnswers {
  static final int MOST_OF_ONE = 1_000;

  /** By caller the names of the answers, oldest first, with their times. */
  private final Map<String, LinkedHashMap<String, Instant>> byCaller = new HashMap<>();

  private boolean isRead;

  /** One more is kept from now on; where there is no room, the caller's oldest is not any more. */
  synchronized void add(Records<String> answers, String caller, String name, Instant at) {
    read(answers);
    LinkedHashMap<String, Instant> own =
        byCaller.computeIfAbsent(caller, c -> new LinkedHashMap<>());
    own.remove(name);
    Instant oldest = at.minus(Request.REPEATABLE);
    Iterator<Map.Entry<String, Instant>> entries = own.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<String, Instant> first = entries.next();
      if (own.size() < MOST_OF_ONE && first.getValue().isAfter(oldest)) {
        break;
      }
      entries.remove();
      answers.remove(first.getKey());
    }
    own.put(name, at);
  }

  synchronized void remove(Records<String> answers, String caller, String name) {
    byCaller.getOrDefault(caller, new LinkedHashMap<>()).remove(name);
    answers.remove(name);
  }

  private void read(Records<String> answers) {
    if (isRead) {
      return;
    }
    isRead = true;
    Map<String, JsonNode> stored = new TreeMap<>();
    answers
        .keys()
        .forEach(name -> answers.find(name).map(Json::parse).ifPresent(r -> stored.put(name, r)));
    stored.entrySet().stream()
        .sorted(Comparator.comparing(entry -> at(entry.getValue())))
        .forEach(
            entry ->
                byCaller
                    .computeIfAbsent(
                        entry.getValue().path("by").asText(), c -> new LinkedHashMap<>())
                    .put(entry.getKey(), at(entry.getValue())));
  }

  private static Instant at(JsonNode record) {
    return Instant.parse(record.path("at").asText());
  }
}
