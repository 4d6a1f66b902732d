package org.paceline.yang.restconf.data;

import com.google.gson.JsonObject;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import org.opendaylight.yangtools.yang.data.api.schema.stream.NormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactory;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JsonParserStream;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.RpcDefinition;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.yang.Conformance;
import org.paceline.yang.Misfit;
import org.paceline.yang.restconf.message.RestconfError;

/** Data in JSON, held against the model by yangtools and written anew in the canonical form. */
public final class ModelData {
  private final EffectiveModelContext model;
  private final JSONCodecFactory codecs;

  public ModelData(EffectiveModelContext model) {
    this.model = model;
    this.codecs = JSONCodecFactorySupplier.RFC7951.getShared(model);
  }

  public EffectiveModelContext model() {
    return model;
  }

  /**
   * @throws RestconfError if a name or a value is none of the model's
   */
  JsonObject canonical(JsonObject data) {
    try {
      Conformance.requireNodes(model, data);
    } catch (Misfit e) {
      throw RestconfError.of(e);
    }
    return written(data, SchemaInferenceStack.of(model));
  }

  /**
   * @param input the members of an operation's input
   * @param path of the input
   * @throws RestconfError if a name or a value is none of the model's, or something is missing
   */
  public JsonObject canonicalInput(RpcDefinition operation, JsonObject input, String path) {
    try {
      Conformance.requireInput(model, operation, input, path);
    } catch (Misfit e) {
      throw RestconfError.of(e);
    }
    SchemaInferenceStack stack = SchemaInferenceStack.of(model);
    stack.enterSchemaTree(operation.getQName());
    stack.enterSchemaTree(operation.getInput().getQName());
    return written(input, stack);
  }

  private JsonObject written(JsonObject data, SchemaInferenceStack stack) {
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
    }
    return StrictJson.read(written.toString(), DocumentLimits.FILE);
  }
}
