package org.paceline.northbound.rest.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import javax.ws.rs.core.MediaType;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.tree.IntentTree;
import org.paceline.json.document.GuardedJson;
import org.paceline.northbound.rest.view.Json;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** The whole policy as one YAML file, to be kept under version control. */
final class IntentsYaml {
  static final String MEDIA_TYPE = "application/yaml";

  private static final int WIDTH = 180;
  private static final ObjectMapper MAPPER =
      new ObjectMapper(GuardedJson.FACTORY)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private IntentsYaml() {}

  static String write(IntentTree tree) {
    try {
      Object document = MAPPER.readValue(IntentsText.brief(tree), Map.class);
      return new Dump(DumpSettings.builder().setWidth(WIDTH).build()).dumpToString(document);
    } catch (JsonProcessingException e) {
      throw new AssertionError("what we write is JSON", e);
    }
  }

  /** Reads JSON where the type says so, else YAML. */
  static IntentTree read(byte[] body, MediaType type) {
    return MediaType.APPLICATION_JSON_TYPE.isCompatible(type) ? IntentsText.read(body) : read(body);
  }

  /**
   * @throws IllegalArgumentException with every fault
   */
  static IntentTree read(byte[] body) {
    try {
      Object document = GuardedYaml.load(Json.text(body), DocumentLimits.YAML_REQUEST);
      return IntentsText.read(MAPPER.writeValueAsBytes(document));
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException("The body is not YAML: " + e.getMessage(), e);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "The body holds what no policy can: " + e.getOriginalMessage(), e);
    }
  }
}
