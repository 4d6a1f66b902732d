package org.paceline.yang.restconf.message;

import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a request is answered. */
public final class Reply {
  private static final int OK = 200;

  private final int status;
  private final Map<String, String> headers;
  private final Optional<JsonObject> body;
  private final Optional<EventStream.Listener> events;

  private Reply(
      int status,
      Map<String, String> headers,
      Optional<JsonObject> body,
      Optional<EventStream.Listener> events) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.events = events;
  }

  public static Reply of(int status) {
    return new Reply(status, Map.of(), Optional.empty(), Optional.empty());
  }

  public static Reply of(EventStream.Listener events) {
    return new Reply(OK, Map.of(), Optional.empty(), Optional.of(events));
  }

  public Reply with(JsonObject content) {
    return new Reply(status, headers, Optional.of(content), events);
  }

  public Reply with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Reply(status, more, body, events);
  }

  public Reply withoutBody() {
    return new Reply(status, headers, Optional.empty(), events);
  }

  public int status() {
    return status;
  }

  public Map<String, String> headers() {
    return headers;
  }

  /** In JSON as RFC 7951 has it. */
  public Optional<JsonObject> body() {
    return body;
  }

  /** What is sent as it happens, instead of a body; whoever takes it closes it. */
  public Optional<EventStream.Listener> events() {
    return events;
  }
}
