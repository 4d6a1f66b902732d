package org.paceline.yang.restconf;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.yang.restconf.message.EventStream;
import org.paceline.yang.restconf.message.Reply;
import org.paceline.yang.restconf.message.Request;
import org.paceline.yang.restconf.message.RestconfError;

/** All event streams of a server, below {root}/streams (RFC 8040, section 3.8). */
public final class EventStreams implements AutoCloseable {
  private static final Set<String> PARAMETERS = Set.of("start-time", "stop-time");
  private static final String METHODS = "GET, HEAD, OPTIONS";
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;

  private final List<EventStream> all;

  public EventStreams(List<EventStream> all) {
    this.all = List.copyOf(all);
  }

  /** For ietf-restconf-monitoring. */
  public JsonObject data(String root) {
    JsonArray list = new JsonArray();
    for (EventStream stream : all) {
      JsonObject access = new JsonObject();
      access.addProperty("encoding", "json");
      access.addProperty("location", root + "/streams/" + stream.name());
      JsonArray accesses = new JsonArray();
      accesses.add(access);
      JsonObject json = new JsonObject();
      json.addProperty("name", stream.name());
      json.addProperty("description", stream.description());
      json.addProperty("replay-support", true);
      json.addProperty("replay-log-creation-time", stream.since().toString());
      json.add("access", accesses);
      list.add(json);
    }
    JsonObject streams = new JsonObject();
    streams.add("stream", list);
    return streams;
  }

  public Reply answer(Request request, String name) {
    EventStream stream =
        all.stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    RestconfError.missing(
                        "There is no stream ("
                            + name
                            + "). Maybe one of "
                            + all.stream().map(EventStream::name).collect(Collectors.toList())
                            + "."));
    for (String parameter : request.query().keySet()) {
      if (!PARAMETERS.contains(parameter)) {
        throw RestconfError.invalid(
            "There is no query parameter (" + parameter + "). Maybe one of " + PARAMETERS + ".");
      }
    }
    switch (request.method()) {
      case "GET":
        return Reply.of(stream.listen(time(request, "start-time"), time(request, "stop-time")));
      case "HEAD":
        return Reply.of(OK);
      case "OPTIONS":
        return Reply.of(NO_CONTENT).with("Allow", METHODS);
      default:
        throw RestconfError.notSupported(METHODS, "A stream is only listened to.");
    }
  }

  private static Optional<Instant> time(Request request, String name) {
    try {
      return request.parameter(name).map(text -> OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      throw RestconfError.invalid(
          "The "
              + name
              + " ("
              + request.parameter(name).orElse("")
              + ") must be a time with its zone. Maybe 2026-12-01T20:00:00Z.");
    }
  }

  @Override
  public void close() {
    all.forEach(EventStream::close);
  }
}
