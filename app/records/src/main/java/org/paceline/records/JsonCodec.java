package org.paceline.records;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.Map;
import java.util.Optional;

/** A value as a JSON object. */
abstract class JsonCodec<T> implements RecordCodec<T> {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final int version;

  JsonCodec(int version) {
    this.version = version;
  }

  @Override
  public final int version() {
    return version;
  }

  @Override
  public final String write(T value) {
    return json(value).toString();
  }

  @Override
  public final T read(String text, int version) throws IOException {
    try {
      return value(MAPPER.readTree(text), version);
    } catch (DateTimeException e) {
      throw new IOException("a time that is none", e);
    }
  }

  abstract ObjectNode json(T value);

  abstract T value(JsonNode json, int version) throws IOException;

  /** Maps, lists, texts and numbers. */
  static ObjectNode object(Map<String, Object> map) {
    return MAPPER.valueToTree(map);
  }

  static Map<?, ?> asMap(JsonNode object) {
    return MAPPER.convertValue(object, Map.class);
  }

  /** A member's text; empty where it is lacking, or "". */
  static Optional<String> maybe(JsonNode json, String member) {
    return Optional.of(json.path(member).asText("")).filter(text -> !text.isEmpty());
  }

  /** A member that is a number. */
  static Optional<JsonNode> number(JsonNode json, String member) {
    return Optional.of(json.path(member)).filter(JsonNode::isNumber);
  }
}
