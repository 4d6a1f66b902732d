package org.paceline.northbound.rest.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.DocumentText;
import org.paceline.intents.document.Quoted;
import org.paceline.intents.document.WholeNumber;
import org.paceline.intents.network.Path;
import org.paceline.intents.unit.DataRate;
import org.paceline.json.document.GuardedJson;

/** What the resources share: reading what was sent, and units as JSON numbers. */
public final class Json {
  private static final ObjectMapper MAPPER =
      new ObjectMapper(GuardedJson.FACTORY).enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private Json() {}

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /**
   * An object with no members but these; where the body is empty, one without any.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  public static JsonNode read(byte[] body, Set<String> members) {
    JsonNode node = body.length == 0 ? object() : read(text(body), DocumentLimits.COMMAND);
    if (!node.isObject()) {
      throw new IllegalArgumentException("The body must be a JSON object.");
    }
    node.fieldNames()
        .forEachRemaining(
            name -> {
              if (!members.contains(name)) {
                throw new IllegalArgumentException(
                    "There is no member "
                        + Quoted.of(name)
                        + ". Maybe one of "
                        + new TreeSet<>(members)
                        + ".");
              }
            });
    return node;
  }

  /**
   * What somebody sent, as text.
   *
   * @throws IllegalArgumentException if it is no JSON, or holds more than a request may
   */
  public static JsonNode read(String text) {
    return read(text, DocumentLimits.REQUEST);
  }

  private static JsonNode read(String text, DocumentLimits limits) {
    try {
      GuardedJson.check(text, limits);
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw notJson(e);
    }
  }

  /** What we wrote ourselves. */
  public static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw notJson(e);
    }
  }

  /** What we wrote ourselves, as maps, lists, texts and numbers, with the digits that it has. */
  public static Map<?, ?> asMap(String object) {
    try {
      return MAPPER
          .readerFor(Map.class)
          .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .readValue(object);
    } catch (JsonProcessingException e) {
      throw notJson(e);
    }
  }

  /** What we made ourselves, of maps, lists, texts and numbers. */
  public static String text(Map<String, Object> document) {
    return MAPPER.valueToTree(document).toString();
  }

  /**
   * Maps, lists, texts and numbers, as what somebody sent.
   *
   * @throws IllegalArgumentException if there is anything else among them
   */
  public static byte[] bytes(Object document) {
    try {
      return MAPPER.writeValueAsBytes(document);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "The body holds what JSON cannot: " + e.getOriginalMessage(), e);
    }
  }

  private static IllegalArgumentException notJson(JsonProcessingException e) {
    return new IllegalArgumentException("The body is not JSON: " + e.getOriginalMessage(), e);
  }

  /**
   * What somebody sent, as the log of changes keeps it.
   *
   * @throws IllegalArgumentException if it is too large, or no text
   */
  public static String text(byte[] body) {
    return DocumentText.of(body, DocumentLimits.REQUEST);
  }

  /**
   * A member's text, or none; "" counts as none.
   *
   * @throws IllegalArgumentException if it is no text
   */
  public static Optional<String> text(JsonNode json, String member) {
    JsonNode value = json.path(member);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      throw new IllegalArgumentException(
          "The "
              + member
              + " "
              + Quoted.of(value.toString())
              + " must be a text. Maybe put it in quotes.");
    }
    return Optional.of(value.textValue()).filter(text -> !text.isEmpty());
  }

  /**
   * Whether a member says true; a missing one says false.
   *
   * @throws IllegalArgumentException if it is something else than true or false
   */
  public static boolean flag(JsonNode json, String member) {
    JsonNode value = json.path(member);
    if (!value.isMissingNode() && !value.isBoolean()) {
      throw new IllegalArgumentException(
          "The " + member + " (" + value + ") must be true or false.");
    }
    return value.asBoolean();
  }

  /**
   * A member's whole number, or none.
   *
   * @throws IllegalArgumentException if it is no such number
   */
  public static Optional<Long> whole(JsonNode json, String member, long least, long greatest) {
    JsonNode value = json.path(member);
    return value.isMissingNode()
        ? Optional.empty()
        : Optional.of(WholeNumber.parse(member, value.toString(), least, greatest));
  }

  public static BigDecimal kbps(DataRate rate) {
    return plain(rate.kilobitsPerSecond());
  }

  /** Milliseconds since 1970, to the microsecond. */
  public static BigDecimal millis(Instant time) {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, time);
    return plain(BigDecimal.valueOf(micros, 3));
  }

  /**
   * Without an exponent, which is JSON but not what people read: 1795424400000, not 1.7954244E12.
   */
  private static BigDecimal plain(BigDecimal number) {
    BigDecimal shortest = number.stripTrailingZeros();
    return shortest.scale() < 0 ? shortest.setScale(0) : shortest;
  }

  public static ArrayNode path(Path path) {
    ArrayNode nodes = JsonNodeFactory.instance.arrayNode();
    path.nodes().forEach(nodes::add);
    return nodes;
  }
}
