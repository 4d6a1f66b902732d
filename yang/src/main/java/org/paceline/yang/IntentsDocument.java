package org.paceline.yang;

import com.google.gson.JsonParseException;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import com.google.gson.stream.MalformedJsonException;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.api.schema.stream.NormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.api.schema.stream.NormalizedNodeWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactory;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JsonParserStream;
import org.opendaylight.yangtools.yang.data.impl.schema.ImmutableNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.impl.schema.NormalizedNodeResult;
import org.opendaylight.yangtools.yang.data.tree.api.DataTree;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeConfiguration;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeModification;
import org.opendaylight.yangtools.yang.data.tree.api.DataValidationFailedException;
import org.opendaylight.yangtools.yang.data.tree.impl.di.InMemoryDataTreeFactory;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;
import org.paceline.intents.tree.IntentTree;

/**
 * The intent tree as a document of YANG data in JSON (RFC 7951): what a RESTCONF client sends and
 * gets, and what belongs in a repository.
 */
public final class IntentsDocument {
  private static final YangInstanceIdentifier INTENTS =
      YangInstanceIdentifier.create(NodeIdentifier.create(IntentsNames.INTENTS));

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
   * @throws IllegalArgumentException naming what is wrong, if it is not JSON of the model, lacks
   *     what is mandatory, or describes no tree
   */
  public IntentTree read(Reader source) throws IOException {
    NormalizedNodeResult result = new NormalizedNodeResult();
    try (NormalizedNodeStreamWriter nodes = ImmutableNormalizedNodeStreamWriter.from(result);
        JsonParserStream parser = JsonParserStream.create(nodes, codecs)) {
      parser.parse(new JsonReader(source));
    } catch (JsonParseException | IllegalStateException | MalformedJsonException e) {
      throw new IllegalArgumentException("This is no data of the model: " + e.getMessage(), e);
    }
    NormalizedNode data = result.getResult();
    if (!(data instanceof ContainerNode)
        || !data.getIdentifier().getNodeType().equals(IntentsNames.INTENTS)) {
      throw new IllegalArgumentException(
          "The document must hold \"paceline-intents:intents\" and nothing else.");
    }
    requireMandatory(data);
    return IntentsFromYang.of((ContainerNode) data);
  }

  /** The codec knows types and names; a data tree also what must be there. */
  private void requireMandatory(NormalizedNode data) {
    DataTree tree =
        new InMemoryDataTreeFactory().create(DataTreeConfiguration.DEFAULT_CONFIGURATION, model);
    try {
      DataTreeModification change = tree.takeSnapshot().newModification();
      change.write(INTENTS, data);
      change.ready();
      tree.validate(change);
      tree.commit(tree.prepare(change));
    } catch (DataValidationFailedException | IllegalArgumentException e) {
      throw new IllegalArgumentException("Something is missing: " + e.getMessage(), e);
    }
  }
}
