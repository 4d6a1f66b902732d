package org.paceline.yang.restconf;

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

/**
 * Reads exactly one JSON object. Gson's own reader takes the last of two members with one name, and
 * a deep enough nest of brackets would end in a full stack.
 */
final class StrictJson {
  private static final int DEPTH = 64;
  private static final Pattern PLACE = Pattern.compile("line (\\d+) column (\\d+)");

  private StrictJson() {}

  static JsonObject read(String text) {
    JsonReader reader = new JsonReader(new StringReader(text));
    try {
      if (reader.peek() != JsonToken.BEGIN_OBJECT) {
        throw RestconfError.malformed("The body must be a JSON object.");
      }
      JsonObject read = object(reader, 1);
      if (reader.peek() != JsonToken.END_DOCUMENT) {
        throw RestconfError.malformed("Something follows the body's JSON object.");
      }
      return read;
    } catch (IOException | IllegalStateException | NumberFormatException e) {
      throw RestconfError.malformed("The body is not JSON" + place(e) + ".");
    }
  }

  /** Gson says it in the midst of words about its own options. */
  private static String place(Exception refusal) {
    Matcher place = PLACE.matcher(String.valueOf(refusal.getMessage()));
    return place.find() ? " at line " + place.group(1) + ", column " + place.group(2) : "";
  }

  private static JsonObject object(JsonReader reader, int depth) throws IOException {
    JsonObject read = new JsonObject();
    reader.beginObject();
    while (reader.hasNext()) {
      String name = reader.nextName();
      if (read.has(name)) {
        throw RestconfError.malformed("The member (" + name + ") is given twice.");
      }
      read.add(name, value(reader, depth + 1));
    }
    reader.endObject();
    return read;
  }

  private static JsonElement value(JsonReader reader, int depth) throws IOException {
    if (depth > DEPTH) {
      throw RestconfError.malformed("The body is nested deeper than " + DEPTH + " levels.");
    }
    switch (reader.peek()) {
      case BEGIN_OBJECT:
        return object(reader, depth);
      case BEGIN_ARRAY:
        JsonArray list = new JsonArray();
        reader.beginArray();
        while (reader.hasNext()) {
          list.add(value(reader, depth + 1));
        }
        reader.endArray();
        return list;
      case STRING:
        return new JsonPrimitive(reader.nextString());
      case BOOLEAN:
        return new JsonPrimitive(reader.nextBoolean());
      case NUMBER:
        return new JsonPrimitive(new LazilyParsedNumber(reader.nextString()));
      default:
        reader.nextNull();
        return JsonNull.INSTANCE;
    }
  }
}
