package org.paceline.yang.restconf.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.internal.LazilyParsedNumber;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.paceline.intents.document.DocumentGuard;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.DocumentRefused;
import org.paceline.yang.restconf.message.RestconfError;

/** Reads exactly one JSON object; a {@link DocumentGuard} sees all of it first. */
public final class StrictJson {
  private static final Pattern PLACE = Pattern.compile("line (\\d+) column (\\d+)");

  private final JsonReader reader;
  private final DocumentGuard guard;

  private StrictJson(String text, DocumentLimits limits) {
    this.reader = new JsonReader(new StringReader(text));
    this.guard = new DocumentGuard(limits);
  }

  /**
   * @throws RestconfError if it is no such object, or holds more than it may
   */
  public static JsonObject read(String text, DocumentLimits limits) {
    try {
      return new StrictJson(text, limits).document();
    } catch (DocumentRefused e) {
      throw RestconfError.malformed(String.valueOf(e.getMessage()));
    } catch (IOException | IllegalStateException | NumberFormatException e) {
      throw RestconfError.malformed("The body is not JSON" + place(e) + ".");
    }
  }

  /** Gson says it in the midst of words about its own options. */
  private static String place(Exception refusal) {
    Matcher place = PLACE.matcher(String.valueOf(refusal.getMessage()));
    return place.find() ? " at line " + place.group(1) + ", column " + place.group(2) : "";
  }

  private JsonObject document() throws IOException {
    if (reader.peek() != JsonToken.BEGIN_OBJECT) {
      throw RestconfError.malformed("The body must be a JSON object.");
    }
    JsonObject read = object();
    if (reader.peek() != JsonToken.END_DOCUMENT) {
      throw RestconfError.malformed("Something follows the body's JSON object.");
    }
    return read;
  }

  private JsonObject object() throws IOException {
    JsonObject read = new JsonObject();
    guard.beginObject();
    reader.beginObject();
    while (reader.hasNext()) {
      String name = reader.nextName();
      guard.text(name);
      read.add(name, value());
    }
    reader.endObject();
    guard.end();
    return read;
  }

  private JsonArray list() throws IOException {
    JsonArray list = new JsonArray();
    guard.beginList();
    reader.beginArray();
    while (reader.hasNext()) {
      list.add(value());
    }
    reader.endArray();
    guard.end();
    return list;
  }

  private JsonElement value() throws IOException {
    switch (reader.peek()) {
      case BEGIN_OBJECT:
        return object();
      case BEGIN_ARRAY:
        return list();
      case STRING:
        String text = reader.nextString();
        guard.text(text);
        return new JsonPrimitive(text);
      case BOOLEAN:
        guard.word();
        return new JsonPrimitive(reader.nextBoolean());
      case NUMBER:
        String digits = reader.nextString();
        guard.number(digits, digits.length());
        return new JsonPrimitive(new LazilyParsedNumber(digits));
      default:
        guard.word();
        reader.nextNull();
        return JsonNull.INSTANCE;
    }
  }
}
