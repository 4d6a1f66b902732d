package org.paceline.yang;

import com.google.gson.JsonObject;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Set;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.stream.NormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.api.schema.stream.NormalizedNodeWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactory;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JsonParserStream;
import org.opendaylight.yangtools.yang.data.impl.schema.ImmutableNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.impl.schema.NormalizedNodeResult;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;
import org.paceline.intents.tree.IntentTree;

/**
 * The intent tree as a document of YANG data in JSON (RFC 7951): what a RESTCONF client sends and
 * gets, and what belongs in a repository.
 */
public final class IntentsDocument {
  private static final String TOP = "paceline-intents:intents";

  private final EffectiveModelContext model;
  private final JSONCodecFactory codecs;

  public IntentsDocument(EffectiveModelContext model) {
    this.model = model;
    this.codecs = JSONCodecFactorySupplier.RFC7951.getShared(model);
  }

  /** Writes the tree with every utility function that it uses. */
  public void write(IntentTree tree, Writer target) throws IOException {
    JsonWriter json = new JsonWriter(target);
    json.setIndent(" ");
    json.beginObject();
    try (NormalizedNodeWriter nodes =
        NormalizedNodeWriter.forStreamWriter(
            JSONNormalizedNodeStreamWriter.createNestedWriter(
                codecs, SchemaInferenceStack.of(model).toInference(), null, json))) {
      nodes.write(IntentsToYang.of(tree));
    }
    json.endObject();
    json.flush();
  }

  /**
   * @throws Misfit if it is no data of the model, lacks what is mandatory, or describes no tree
   */
  public IntentTree read(JsonObject document) {
    Conformance.requireNodes(model, document);
    if (!document.keySet().equals(Set.of(TOP))) {
      throw Misfit.value("", "The document must hold (" + TOP + ") and nothing else.");
    }
    Conformance.requireComplete(model, document);
    NormalizedNodeResult result = new NormalizedNodeResult();
    try (NormalizedNodeStreamWriter nodes = ImmutableNormalizedNodeStreamWriter.from(result);
        JsonParserStream parser = JsonParserStream.create(nodes, codecs)) {
      parser.parse(new JsonReader(new StringReader(document.toString())));
    } catch (IOException e) {
      throw new UncheckedIOException("A string could not be read.", e);
    }
    return IntentsFromYang.of((ContainerNode) result.getResult());
  }
}
