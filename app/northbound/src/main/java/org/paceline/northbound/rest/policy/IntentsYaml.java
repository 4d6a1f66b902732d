package org.paceline.northbound.rest.policy;

import javax.ws.rs.core.MediaType;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.tree.IntentTree;
import org.paceline.northbound.rest.view.Json;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** The whole policy as one YAML file, to be kept under version control. */
final class IntentsYaml {
  static final String MEDIA_TYPE = "application/yaml";

  private static final int WIDTH = 180;

  private IntentsYaml() {}

  static String write(IntentTree tree) {
    return new Dump(DumpSettings.builder().setWidth(WIDTH).build())
        .dumpToString(Json.asMap(IntentsText.brief(tree)));
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
      return IntentsText.read(Json.bytes(document));
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException("The body is not YAML: " + e.getMessage(), e);
    }
  }
}
