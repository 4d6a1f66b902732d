package org.paceline.json.catalogue;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The tables that a policy may name without giving them: those of the {@link Catalogue}, and
 * further ones that Paceline's own {@code tools/paceline measure-utility} has measured. No intent
 * of the default tree has one of the latter.
 */
public final class NamedTables {
  private static final List<String> FURTHER = List.of("backup", "desktop", "g711", "update");

  private static final Map<String, UtilityFunction> ALL = load();

  private NamedTables() {}

  /** All of them by name. */
  public static Map<String, UtilityFunction> all() {
    return ALL;
  }

  private static Map<String, UtilityFunction> load() {
    Map<String, UtilityFunction> tables = new LinkedHashMap<>(Catalogue.load());
    FURTHER.forEach(name -> tables.put(name, Catalogue.read(name).function()));
    return Collections.unmodifiableMap(tables);
  }
}
