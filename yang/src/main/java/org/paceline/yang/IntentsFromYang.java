package org.paceline.yang;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.opendaylight.yangtools.yang.common.Decimal64;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.DataContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.LeafNode;
import org.opendaylight.yangtools.yang.data.api.schema.MapEntryNode;
import org.opendaylight.yangtools.yang.data.api.schema.MapNode;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** The intent tree that data of module paceline-intents describes; what must hold is checked. */
final class IntentsFromYang {
  private static final String INTENTS = "/paceline-intents:intents";

  private final Map<String, UtilityFunction> functions = new HashMap<>();

  private IntentsFromYang() {}

  /**
   * @throws Misfit if what the model's types allow contradicts itself: a table whose rates have
   *     different delays, an unknown utility function, bounds that are exchanged, no root
   */
  static IntentTree of(ContainerNode intents) {
    return new IntentsFromYang().tree(intents);
  }

  private IntentTree tree(ContainerNode intents) {
    for (MapEntryNode function : entries(intents, IntentsNames.UTILITY_FUNCTION)) {
      UtilityFunction table = function(function);
      functions.put(table.name(), table);
    }
    NavigableMap<IntentPath, Policy> policies = new TreeMap<>();
    for (MapEntryNode node : entries(intents, IntentsNames.INTENT)) {
      String path = this.<String>leaf(node, IntentsNames.PATH).orElseThrow();
      policies.put(parse(path), policy(path, node));
    }
    if (Optional.ofNullable(policies.get(IntentPath.ROOT))
        .flatMap(Policy::utilityFunction)
        .isEmpty()) {
      throw Misfit.value(
          INTENTS,
          INTENTS
              + " has no intent with the path / and a utility function. Maybe add one: it serves"
              + " every conversation without a known intent.");
    }
    return IntentTree.of(
        policies,
        (node, why) -> {
          throw Misfit.value(at("intent", "path", node.toString()), why);
        });
  }

  private static IntentPath parse(String path) {
    try {
      return IntentPath.parse(path);
    } catch (IllegalArgumentException e) {
      throw Misfit.value(at("intent", "path", path), String.valueOf(e.getMessage()));
    }
  }

  private Policy policy(String path, MapEntryNode node) {
    Policy.Builder policy = Policy.builder();
    try {
      known(path, node, IntentsNames.UTILITY_FUNCTION).ifPresent(policy::utilityFunction);
      known(path, node, IntentsNames.UPLOAD_UTILITY_FUNCTION).ifPresent(policy::uploadFunction);
      decimal(node, IntentsNames.MINIMUM_RATE)
          .ifPresent(rate -> policy.minimumRate(DataRate.ofKilobitsPerSecond(rate)));
      decimal(node, IntentsNames.MAXIMUM_RATE)
          .ifPresent(rate -> policy.maximumRate(DataRate.ofKilobitsPerSecond(rate)));
      this.<Integer>leaf(node, IntentsNames.PRIORITY).ifPresent(policy::priority);
      this.<String>leaf(node, IntentsNames.SCHEME)
          .ifPresent(word -> policy.scheme(SchemeName.parse(word)));
      this.<Integer>leaf(node, IntentsNames.CLASS_WEIGHT).ifPresent(policy::classWeight);
      this.<String>leaf(node, IntentsNames.KPI_MODEL)
          .ifPresent(word -> policy.kpiModel(KpiModel.parse(word)));
      return policy.build();
    } catch (Misfit named) {
      throw named;
    } catch (IllegalArgumentException e) {
      throw Misfit.value(at("intent", "path", path), path + ": " + e.getMessage());
    }
  }

  private Optional<UtilityFunction> known(String path, MapEntryNode node, QName leaf) {
    Optional<String> name = leaf(node, leaf);
    Optional<UtilityFunction> function = name.map(functions::get);
    if (name.isPresent() && function.isEmpty()) {
      throw Misfit.value(
          at("intent", "path", path) + "/" + leaf.getLocalName(),
          path
              + ": there is no utility function ("
              + name.get()
              + "). Maybe add it, or name one of "
              + functions.keySet()
              + ".");
    }
    return function;
  }

  private UtilityFunction function(MapEntryNode function) {
    String name = this.<String>leaf(function, IntentsNames.NAME).orElseThrow();
    NavigableMap<BigDecimal, NavigableMap<BigDecimal, Utility>> steps = new TreeMap<>();
    for (MapEntryNode step : entries(function, IntentsNames.STEP)) {
      NavigableMap<BigDecimal, Utility> cells = new TreeMap<>();
      for (MapEntryNode cell : entries(step, IntentsNames.WITHIN)) {
        cells.put(
            decimal(cell, IntentsNames.DELAY).orElseThrow(),
            Utility.of(decimal(cell, IntentsNames.UTILITY).orElseThrow()));
      }
      steps.put(decimal(step, IntentsNames.RATE).orElseThrow(), cells);
    }
    NavigableMap<BigDecimal, Utility> first = steps.firstEntry().getValue();
    List<DataRate> rates = new ArrayList<>();
    List<List<Utility>> rows = new ArrayList<>();
    steps.forEach(
        (rate, cells) -> {
          if (!cells.keySet().equals(first.keySet())) {
            throw Misfit.value(
                at("utility-function", "name", name),
                String.format(
                    "The utility function (%s): the step of rate %s has the delays %s, that of %s"
                        + " has %s. Maybe give each step the same.",
                    name, rate, cells.keySet(), steps.firstKey(), first.keySet()));
          }
          rates.add(DataRate.ofKilobitsPerSecond(rate));
          rows.add(List.copyOf(cells.values()));
        });
    List<Latency> delays = new ArrayList<>();
    first.keySet().forEach(delay -> delays.add(Latency.ofMillis(delay)));
    try {
      return UtilityFunction.of(name, rates, delays, rows);
    } catch (IllegalArgumentException e) {
      throw Misfit.value(at("utility-function", "name", name), String.valueOf(e.getMessage()));
    }
  }

  private static String at(String list, String key, String value) {
    return INTENTS + "/" + list + ModelNodes.predicate(key, value);
  }

  private static Collection<MapEntryNode> entries(DataContainerNode parent, QName list) {
    return parent
        .findChildByArg(NodeIdentifier.create(list))
        .map(node -> ((MapNode) node).body())
        .orElse(List.of());
  }

  // The model gives each leaf its Java type; the parser has checked it.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private <T> Optional<T> leaf(DataContainerNode parent, QName name) {
    return parent
        .findChildByArg(NodeIdentifier.create(name))
        .map(node -> (T) ((LeafNode<?>) node).body());
  }

  private Optional<BigDecimal> decimal(DataContainerNode parent, QName name) {
    return this.<Decimal64>leaf(parent, name).map(Decimal64::decimalValue);
  }
}
