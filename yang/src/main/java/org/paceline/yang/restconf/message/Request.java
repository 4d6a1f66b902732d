package org.paceline.yang.restconf.message;

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
public abstract class Request {
  /** Of bodies, of a request as of its answer. */
  public static final String MEDIA_TYPE = "application/yang-data+json";

  private static final int UNSUPPORTED_MEDIA_TYPE = 415;

  public abstract String method();

  /** The parts of the path below the API's root, decoded where no delimiter can be meant. */
  public abstract List<String> segments();

  public abstract Map<String, String> query();

  /** Names in any case. */
  abstract TreeMap<String, String> headers();

  public abstract String body();

  /**
   * @param path below the API's root, percent-encoded
   * @param query percent-encoded, empty for none
   * @throws RestconfError if the query or the body's bytes are none
   */
  public static Request of(
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

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers().get(name));
  }

  /**
   * @throws RestconfError if the body is of another type than {@link #MEDIA_TYPE}
   */
  public void mustBeOfMediaType() {
    String type = MediaRange.name(header("Content-Type").orElse(""));
    if (!type.equals(MEDIA_TYPE)) {
      throw new RestconfError(
          UNSUPPORTED_MEDIA_TYPE,
          "protocol",
          "invalid-value",
          "The body's type (" + type + ") is not served. Maybe send " + MEDIA_TYPE + ".");
    }
  }

  public Optional<String> parameter(String name) {
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

  public static String decode(String text) {
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
