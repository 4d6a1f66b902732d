package org.paceline.yang.restconf;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.Map;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.schema.stream.NormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactory;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JsonParserStream;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;

/** Data in JSON, held against the model by yangtools and written anew in the canonical form. */
final class ModelData {
  private final EffectiveModelContext model;
  private final JSONCodecFactory codecs;

  ModelData(EffectiveModelContext model) {
    this.model = model;
    this.codecs = JSONCodecFactorySupplier.RFC7951.getShared(model);
  }

  EffectiveModelContext model() {
    return model;
  }

  /**
   * @param within what the data's members are children of; none for the top
   * @throws RestconfError if a name or a value is none of the model's
   */
  JsonObject canonical(JsonObject data, QName... within) {
    SchemaInferenceStack stack = SchemaInferenceStack.of(model);
    for (QName step : within) {
      stack.enterSchemaTree(step);
    }
    StringWriter written = new StringWriter();
    JsonWriter json = new JsonWriter(written);
    try {
      json.beginObject();
      try (NormalizedNodeStreamWriter nodes =
              JSONNormalizedNodeStreamWriter.createNestedWriter(
                  codecs, stack.toInference(), null, json);
          JsonParserStream parser = JsonParserStream.create(nodes, codecs, stack.toInference())) {
        parser.parse(new JsonReader(new StringReader(data.toString())));
      }
      json.endObject();
    } catch (IOException e) {
      throw new IllegalStateException("A string could not be read or written.", e);
    } catch (RuntimeException e) {
      // Whatever the codec stumbles over in checked JSON is the data's fault: it has no one type
      // for that.
      throw RestconfError.invalidData("This is no data of the model: " + e.getMessage());
    }
    JsonObject read = StrictJson.read(written.toString());
    requireValues(read);
    return read;
  }

  /** Of an empty list in the place of a value the codec makes no value at all, and no error. */
  private static void requireValues(JsonObject members) {
    for (Map.Entry<String, JsonElement> member : members.entrySet()) {
      JsonElement held = member.getValue();
      if (held.isJsonNull()) {
        throw RestconfError.invalidData("(" + member.getKey() + ") has no value.");
      }
      if (held.isJsonObject()) {
        requireValues(held.getAsJsonObject());
      } else if (held.isJsonArray()) {
        for (JsonElement entry : held.getAsJsonArray()) {
          if (entry.isJsonObject()) {
            requireValues(entry.getAsJsonObject());
          }
        }
      }
    }
  }
}
