package org.paceline.yang.restconf;

import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a request is answered. */
public final class Reply {
  private final int status;
  private final Map<String, String> headers;
  private final Optional<JsonObject> body;

  private Reply(int status, Map<String, String> headers, Optional<JsonObject> body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  static Reply of(int status) {
    return new Reply(status, Map.of(), Optional.empty());
  }

  Reply with(JsonObject content) {
    return new Reply(status, headers, Optional.of(content));
  }

  Reply with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Reply(status, more, body);
  }

  Reply withoutBody() {
    return new Reply(status, headers, Optional.empty());
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
}
