package org.paceline.northbound.rest.request;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.paceline.control.audit.Request;
import org.paceline.control.port.Records;
import org.paceline.northbound.rest.view.Json;

/**
 * Which answers are kept, by who asked: so many for each, and so much text, of which the oldest
 * goes first, so that nobody's many writes take away what another's are answered with, or fill the
 * store. O(1) a write on average, however many are kept, as each is put in and taken out once; what
 * is stored is read once.
 */
final class KeptAnswers {
  static final int MOST_OF_ONE = 1_000;

  /** Two of the longest documents. The newest answer stays, however long it is. */
  static final int MOST_CHARACTERS_OF_ONE = 8_000_000;

  private final Map<String, Own> byCaller = new HashMap<>();

  private boolean isRead;

  /** When an answer was asked for first, and how long it is. */
  private static final class Kept {
    final Instant at;
    final int characters;

    Kept(Instant at, int characters) {
      this.at = at;
      this.characters = characters;
    }
  }

  /** Of one caller, by the answers' names, the oldest first. */
  private static final class Own {
    private final Map<String, Kept> kept = new LinkedHashMap<>();
    private long characters;

    void put(String name, Kept one) {
      Kept before = kept.put(name, one);
      characters += one.characters - (before == null ? 0 : before.characters);
    }

    void remove(String name) {
      Kept before = kept.remove(name);
      characters -= before == null ? 0 : before.characters;
    }

    /** Takes out the oldest while there is too much or it is too old, but for this one. */
    void trim(Records<String> answers, String butFor, Instant oldest) {
      Iterator<Map.Entry<String, Kept>> entries = kept.entrySet().iterator();
      while (entries.hasNext()) {
        Map.Entry<String, Kept> first = entries.next();
        boolean fits = kept.size() <= MOST_OF_ONE && characters <= MOST_CHARACTERS_OF_ONE;
        if (fits && first.getValue().at.isAfter(oldest)) {
          break;
        }
        if (!first.getKey().equals(butFor)) {
          entries.remove();
          characters -= first.getValue().characters;
          answers.remove(first.getKey());
        }
      }
    }
  }

  /** One more is kept from now on; where there is no room, the caller's oldest is not any more. */
  synchronized void add(Records<String> answers, String caller, String name, Instant at) {
    read(answers);
    Own own = byCaller.computeIfAbsent(caller, c -> new Own());
    own.remove(name);
    own.put(name, new Kept(at, 0));
    own.trim(answers, name, at.minus(Request.REPEATABLE));
  }

  /** Its answer is there. What had to make room meanwhile is kept no more. */
  void answer(Records<String> answers, String caller, String name, String answer) {
    if (measure(answers, caller, name, answer.length())) {
      answers.replace(name, answer);
    }
  }

  private synchronized boolean measure(
      Records<String> answers, String caller, String name, int characters) {
    Own own = byCaller.getOrDefault(caller, new Own());
    Kept asked = own.kept.get(name);
    if (asked == null) {
      return false;
    }
    own.put(name, new Kept(asked.at, characters));
    own.trim(answers, name, Instant.MIN);
    return true;
  }

  synchronized void remove(Records<String> answers, String caller, String name) {
    byCaller.getOrDefault(caller, new Own()).remove(name);
    answers.remove(name);
  }

  private void read(Records<String> answers) {
    if (isRead) {
      return;
    }
    Map<String, Kept> stored = new HashMap<>();
    Map<String, String> callers = new HashMap<>();
    for (String name : answers.keys()) {
      Optional<String> text = answers.find(name);
      if (text.isPresent()) {
        JsonNode record = Json.parse(text.get());
        stored.put(name, new Kept(at(record), text.get().length()));
        callers.put(name, record.path("by").asText());
      }
    }
    stored.entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getValue().at))
        .forEach(
            entry ->
                byCaller
                    .computeIfAbsent(callers.getOrDefault(entry.getKey(), ""), c -> new Own())
                    .put(entry.getKey(), entry.getValue()));
    isRead = true;
  }

  private static Instant at(JsonNode record) {
    return Instant.parse(record.path("at").asText());
  }
}
