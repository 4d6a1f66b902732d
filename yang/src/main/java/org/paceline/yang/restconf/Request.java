package org.paceline.yang.restconf;

import com.google.auto.value.AutoValue;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a client asks, as it came over the wire. */
@AutoValue
abstract class Request {
  abstract String method();

  /** The parts of the path below the API's root, decoded where no delimiter can be meant. */
  abstract List<String> segments();

  abstract Map<String, String> query();

  /** Names in any case. */
  abstract TreeMap<String, String> headers();

  abstract String body();

  /**
   * @param path below the API's root, percent-encoded
   * @param query percent-encoded, empty for none
   * @throws RestconfError if the query or the body's bytes are none
   */
  static Request of(
      String method, String path, String query, Map<String, String> headers, byte[] body) {
    List<String> segments = new ArrayList<>();
    for (String segment : path.split("/", -1)) {
      if (!segment.isEmpty()) {
        segments.add(segment);
      }
    }
    TreeMap<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(headers);
    return new AutoValue_Request(method, List.copyOf(segments), parse(query), anyCase, text(body));
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers().get(name));
  }

  Optional<String> parameter(String name) {
    return Optional.ofNullable(query().get(name));
  }

  private static Map<String, String> parse(String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : query.split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String name = decode(equals < 0 ? pair : pair.substring(0, equals));
      String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
      if (parameters.put(name, value) != null) {
        throw RestconfError.invalid("The query parameter (" + name + ") is given twice.");
      }
    }
    return parameters;
  }

  static String decode(String text) {
    try {
      // A plus is a plus: only forms write blanks so.
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw RestconfError.invalid(
          "(" + text + ") is not percent-encoded. Maybe write %25 for a percent sign.");
    }
  }

  private static String text(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw RestconfError.malformed("The body is not UTF-8.");
    }
  }
}
