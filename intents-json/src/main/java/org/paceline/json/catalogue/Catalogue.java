package org.paceline.json.catalogue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The default catalogue: six application types as Sieber et al. measured them. The tables ship with
 * the product under the licence that stands beside them (LICENSE-appaware, MIT, TUM-LKN).
 */
public final class Catalogue {
  private static final List<String> NAMES = List.of("dl", "live", "ssh", "vod", "voip", "web");

  /** By which each table was made from what was measured. */
  private static final Map<String, KpiModel> MODELS =
      Map.of(
          "dl", KpiModel.DOWNLOAD,
          "live", KpiModel.VIDEO,
          "ssh", KpiModel.SSH,
          "vod", KpiModel.VIDEO,
          "voip", KpiModel.VOICE,
          "web", KpiModel.WEB);

  /**
   * Whatever is unidentified is treated as web browsing, the most forgiving of the six: it is
   * served from 100 kbit/s on, gains with every bin up to 12 Mbit/s instead of falling off a cliff,
   * and hardly minds delay. The video tables need 750 kbit/s before they are served at all; those
   * of the terminal and of calls end at 500 kbit/s and would starve an unknown download.
   */
  private static final String FALLBACK = "web";

  private Catalogue() {}

  /** The six measured tables by name: dl, live, ssh, vod, voip and web. */
  public static Map<String, UtilityFunction> load() {
    Map<String, UtilityFunction> functions = new LinkedHashMap<>();
    entries().forEach(entry -> functions.put(entry.function().name(), entry.function()));
    return Collections.unmodifiableMap(functions);
  }

  /**
   * One of the six tables.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  public static UtilityFunction function(String name) {
    return Optional.ofNullable(load().get(name))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The catalogue has no utility function ("
                        + name
                        + "). Maybe you meant one of "
                        + NAMES
                        + "."));
  }

  /**
   * A tree with each table at its own (class, intent), with the model of its KPIs, and the most
   * forgiving one at the root.
   */
  public static IntentTree defaultTree() {
    IntentTree tree = IntentTree.withDefault(function(FALLBACK));
    for (MeasuredTable entry : entries()) {
      tree =
          tree.with(
              entry.intent(),
              Policy.builder()
                  .utilityFunction(entry.function())
                  .kpiModel(Objects.requireNonNull(MODELS.get(entry.function().name())))
                  .build());
    }
    return tree;
  }

  private static List<MeasuredTable> entries() {
    List<MeasuredTable> entries = new ArrayList<>();
    for (String name : NAMES) {
      entries.add(read(name));
    }
    return entries;
  }

  static MeasuredTable read(String name) {
    String resource = name + ".json";
    try (InputStream in = Catalogue.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("The product lacks its resource (" + resource + ").");
      }
      return MeasuredTable.read(in, name).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
