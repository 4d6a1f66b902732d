package org.paceline.northbound.rest.policy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import javax.ws.rs.core.MediaType;
import org.paceline.control.naming.NamingDocument;
import org.paceline.control.naming.NamingRules;
import org.paceline.control.naming.NamingRulesStore;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.WholeNumber;
import org.paceline.northbound.rest.view.Json;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Naming rules as JSON and YAML. */
final class NamingRulesText {
  private static final String VERSION = "version";
  private static final int WIDTH = 180;

  final NamingRules rules;

  /** Which ones the sender has seen; empty for whichever are in force. */
  final OptionalLong version;

  private NamingRulesText(NamingRules rules, OptionalLong version) {
    this.rules = rules;
    this.version = version;
  }

  static String json(NamingRulesStore.Version version) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put(VERSION, version.number());
    document.putAll(NamingDocument.write(version.rules()));
    return Json.text(document);
  }

  static String yaml(NamingRules rules) {
    return new Dump(DumpSettings.builder().setWidth(WIDTH).build())
        .dumpToString(NamingDocument.write(rules));
  }

  /** Reads JSON where the type says so, else YAML. */
  static NamingRulesText read(byte[] body, MediaType type) {
    String text = Json.text(body);
    return MediaType.APPLICATION_JSON_TYPE.isCompatible(type)
        ? of(Json.read(text).isObject() ? Json.asMap(text) : text)
        : readYaml(text);
  }

  /**
   * @throws IllegalArgumentException with every fault
   */
  static NamingRulesText readYaml(String text) {
    try {
      return of(GuardedYaml.load(text, DocumentLimits.YAML_REQUEST));
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException("The body is not YAML: " + e.getMessage(), e);
    }
  }

  private static NamingRulesText of(Object document) {
    OptionalLong version = OptionalLong.empty();
    Object rules = document;
    if (document instanceof Map && ((Map<?, ?>) document).containsKey(VERSION)) {
      Map<Object, Object> rest = new LinkedHashMap<>((Map<?, ?>) document);
      String number = String.valueOf(rest.remove(VERSION));
      version = OptionalLong.of(WholeNumber.parse(VERSION, number, 0, Long.MAX_VALUE));
      rules = rest;
    }
    return new NamingRulesText(NamingDocument.read(rules), version);
  }
}
