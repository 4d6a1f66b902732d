package org.paceline.agent.application;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.SocketEnd;
import org.paceline.intents.document.DocumentGuard;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.Quoted;
import org.paceline.intents.tree.IntentPath;

/** Reads a line of JSON that an application has sent; whatever it is not sure of it refuses. */
final class RequestReader {
  private static final Pattern KPI = Pattern.compile("[a-z][a-z0-9_]{0,31}");

  private RequestReader() {}

  /**
   * @throws IllegalArgumentException where the line is no request
   */
  static Request parse(String line) {
    JsonObject object = object(line);
    String what = text(object, "do");
    return switch (what) {
      case "claim" -> {
        nothingElse(object, Set.of("do", "intent", "socket", "process"));
        yield claim(object);
      }
      case "report" -> {
        nothingElse(object, Set.of("do", "kpis"));
        yield new Request.Kpis(kpis(inner(object, "kpis")));
      }
      case "grants" -> {
        nothingElse(object, Set.of("do"));
        yield new Request.Grants();
      }
      default ->
          throw new IllegalArgumentException(
              "What to (do), (" + what + "), is unknown. Maybe you meant claim, report or grants.");
    };
  }

  private static JsonObject object(String line) {
    try {
      mustBeHarmless(line);
    } catch (IOException | IllegalStateException e) {
      throw new IllegalArgumentException(notAnObject(line), e);
    }
    JsonReader reader = new JsonReader(new StringReader(line));
    reader.setStrictness(Strictness.STRICT);
    try {
      JsonElement element = JsonParser.parseReader(reader);
      if (element instanceof JsonObject object && reader.peek() == JsonToken.END_DOCUMENT) {
        return object;
      }
    } catch (JsonParseException | IOException e) {
      throw new IllegalArgumentException(notAnObject(line), e);
    }
    throw new IllegalArgumentException(notAnObject(line));
  }

  /** A guard sees all of it before anything is made of it. */
  private static void mustBeHarmless(String line) throws IOException {
    JsonReader reader = new JsonReader(new StringReader(line));
    reader.setStrictness(Strictness.STRICT);
    DocumentGuard guard = new DocumentGuard(DocumentLimits.LINE);
    for (JsonToken token = reader.peek(); token != JsonToken.END_DOCUMENT; token = reader.peek()) {
      switch (token) {
        case BEGIN_OBJECT -> {
          reader.beginObject();
          guard.beginObject();
        }
        case BEGIN_ARRAY -> {
          reader.beginArray();
          guard.beginList();
        }
        case END_OBJECT -> {
          reader.endObject();
          guard.end();
        }
        case END_ARRAY -> {
          reader.endArray();
          guard.end();
        }
        case NAME -> guard.text(reader.nextName());
        case STRING -> guard.text(reader.nextString());
        case NUMBER -> {
          String digits = reader.nextString();
          guard.number(digits, digits.length());
        }
        default -> {
          reader.skipValue();
          guard.word();
        }
      }
    }
  }

  private static String notAnObject(String line) {
    return "The line "
        + Quoted.of(line)
        + " is no JSON object. Maybe you meant something like"
        + " {\"do\": \"claim\", \"intent\": \"class/intent\"}.";
  }

  private static Request.Claim claim(JsonObject object) {
    IntentPath intent = IntentPath.parse(text(object, "intent"));
    if (intent.isRoot()) {
      throw new IllegalArgumentException("The (intent) is empty. Maybe you meant class/intent.");
    }
    boolean one = object.has("socket");
    if (one && object.has("process")) {
      throw new IllegalArgumentException(
          "A claim names a (socket) or a (process), not both. Maybe leave (process) out.");
    }
    return new Request.Claim(
        intent,
        one ? Optional.of(socket(inner(object, "socket"))) : Optional.empty(),
        object.has("process") ? Optional.of(process(object)) : Optional.empty());
  }

  private static Flow socket(JsonObject socket) {
    nothingElse(socket, Set.of("protocol", "local", "remote"));
    String protocol = text(socket, "protocol");
    Transport transport =
        switch (protocol) {
          case "tcp" -> Transport.TCP;
          case "udp" -> Transport.UDP;
          default ->
              throw new IllegalArgumentException(
                  "The protocol (" + protocol + ") is unknown. Maybe you meant tcp or udp.");
        };
    InetSocketAddress local = SocketEnd.parse(text(socket, "local"));
    // Datagrams can be sent to many peers by one socket.
    boolean connected = transport == Transport.TCP || socket.has("remote");
    InetSocketAddress remote =
        connected ? SocketEnd.parse(text(socket, "remote")) : new InetSocketAddress(0);
    return new Flow(
        transport, local.getAddress(), local.getPort(), remote.getAddress(), remote.getPort());
  }

  private static int process(JsonObject object) {
    String text = object.get("process").toString();
    if (!text.matches("[1-9]\\d{0,8}")) {
      throw new IllegalArgumentException(
          "The process (" + text + ") is no process number. Maybe leave it out for your own.");
    }
    return Integer.parseInt(text);
  }

  private static Map<String, Double> kpis(JsonObject object) {
    Map<String, Double> kpis = new TreeMap<>();
    for (Map.Entry<String, JsonElement> one : object.entrySet()) {
      String name = one.getKey();
      String text = one.getValue().toString();
      boolean number =
          one.getValue().isJsonPrimitive() && one.getValue().getAsJsonPrimitive().isNumber();
      if (!KPI.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "The KPI (" + name + ") is no name. Maybe something like rtt_ms.");
      }
      if (!number || !Double.isFinite(Double.parseDouble(text))) {
        throw new IllegalArgumentException(
            "The value (" + text + ") of the KPI (" + name + ") is no finite number.");
      }
      kpis.put(name, Double.parseDouble(text));
    }
    return kpis;
  }

  private static String text(JsonObject object, String key) {
    if (!object.has(key)) {
      throw new IllegalArgumentException("The key (" + key + ") is missing.");
    }
    JsonElement value = object.get(key);
    if (!value.isJsonPrimitive() || !value.getAsJsonPrimitive().isString()) {
      throw new IllegalArgumentException("The value (" + value + ") of (" + key + ") is no text.");
    }
    return value.getAsString();
  }

  private static JsonObject inner(JsonObject object, String key) {
    if (object.get(key) instanceof JsonObject inner) {
      return inner;
    }
    throw new IllegalArgumentException("The key (" + key + ") must hold an object.");
  }

  private static void nothingElse(JsonObject object, Set<String> known) {
    for (String key : object.keySet()) {
      if (!known.contains(key)) {
        throw new IllegalArgumentException(
            "Nobody knows the key ("
                + key
                + ") here. Maybe you meant one of "
                + String.join(", ", known.stream().sorted().toList())
                + ".");
      }
    }
  }
}
