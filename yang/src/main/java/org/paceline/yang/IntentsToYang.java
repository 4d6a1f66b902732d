package org.paceline.yang;

import static org.opendaylight.yangtools.yang.data.impl.schema.ImmutableNodes.leafNode;
import static org.opendaylight.yangtools.yang.data.impl.schema.ImmutableNodes.mapEntryBuilder;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.TreeMap;
import org.opendaylight.yangtools.yang.common.Decimal64;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifierWithPredicates;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.MapEntryNode;
import org.opendaylight.yangtools.yang.data.api.schema.MapNode;
import org.opendaylight.yangtools.yang.data.api.schema.builder.CollectionNodeBuilder;
import org.opendaylight.yangtools.yang.data.api.schema.builder.DataContainerNodeBuilder;
import org.opendaylight.yangtools.yang.data.impl.schema.Builders;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.utility.UtilityFunction;

/** An intent tree as data of module paceline-intents, exact to the last digit. */
final class IntentsToYang {
  private static final int RATE_DIGITS = 6;
  private static final int UTILITY_DIGITS = 9;

  private IntentsToYang() {}

  /**
   * The container of the tree and the utility functions that it names.
   *
   * @throws IllegalArgumentException if two different utility functions have one name
   */
  static ContainerNode of(IntentTree tree) {
    Map<String, UtilityFunction> functions = new TreeMap<>();
    CollectionNodeBuilder<MapEntryNode, ? extends MapNode> intents = list(IntentsNames.INTENT);
    tree.policies()
        .forEach(
            (path, policy) -> {
              policy.functions().forEach(function -> put(functions, function));
              intents.withChild(intent(path, policy));
            });
    CollectionNodeBuilder<MapEntryNode, ? extends MapNode> tables =
        list(IntentsNames.UTILITY_FUNCTION);
    functions.values().forEach(function -> tables.withChild(function(function)));
    return Builders.containerBuilder()
        .withNodeIdentifier(NodeIdentifier.create(IntentsNames.INTENTS))
        .withChild(tables.build())
        .withChild(intents.build())
        .build();
  }

  /** In the order in which it is filled: equal trees are then equal texts, with one entity tag. */
  private static CollectionNodeBuilder<MapEntryNode, ? extends MapNode> list(QName name) {
    return Builders.orderedMapBuilder().withNodeIdentifier(NodeIdentifier.create(name));
  }

  private static void put(Map<String, UtilityFunction> functions, UtilityFunction function) {
    UtilityFunction other = functions.putIfAbsent(function.name(), function);
    if (other != null && !other.equals(function)) {
      throw new IllegalArgumentException(
          "Two different utility functions are called ("
              + function.name()
              + "). Maybe rename one.");
    }
  }

  private static MapEntryNode intent(IntentPath path, Policy policy) {
    var node = mapEntryBuilder(IntentsNames.INTENT, IntentsNames.PATH, path.toString());
    policy
        .utilityFunction()
        .ifPresent(f -> node.withChild(leafNode(IntentsNames.UTILITY_FUNCTION, f.name())));
    policy
        .uploadFunction()
        .ifPresent(f -> node.withChild(leafNode(IntentsNames.UPLOAD_UTILITY_FUNCTION, f.name())));
    policy
        .minimumRate()
        .ifPresent(rate -> decimal(node, IntentsNames.MINIMUM_RATE, rate.kilobitsPerSecond()));
    policy
        .maximumRate()
        .ifPresent(rate -> decimal(node, IntentsNames.MAXIMUM_RATE, rate.kilobitsPerSecond()));
    policy
        .priority()
        .ifPresent(priority -> node.withChild(leafNode(IntentsNames.PRIORITY, priority)));
    policy
        .scheme()
        .ifPresent(scheme -> node.withChild(leafNode(IntentsNames.SCHEME, scheme.word())));
    policy
        .classWeight()
        .ifPresent(weight -> node.withChild(leafNode(IntentsNames.CLASS_WEIGHT, weight)));
    policy
        .kpiModel()
        .ifPresent(model -> node.withChild(leafNode(IntentsNames.KPI_MODEL, model.word())));
    return node.build();
  }

  private static void decimal(DataContainerNodeBuilder<?, ?> node, QName leaf, BigDecimal value) {
    node.withChild(leafNode(leaf, exactly(value, RATE_DIGITS)));
  }

  private static MapEntryNode function(UtilityFunction function) {
    CollectionNodeBuilder<MapEntryNode, ? extends MapNode> steps = list(IntentsNames.STEP);
    for (int t = 0; t < function.throughputBins(); t++) {
      Decimal64 rate = exactly(function.throughput(t).kilobitsPerSecond(), RATE_DIGITS);
      CollectionNodeBuilder<MapEntryNode, ? extends MapNode> cells = list(IntentsNames.WITHIN);
      for (int d = 0; d < function.delayBins(); d++) {
        Decimal64 delay = exactly(function.delay(d).millis(), RATE_DIGITS);
        cells.withChild(
            mapEntryBuilder(IntentsNames.WITHIN, IntentsNames.DELAY, delay)
                .withChild(
                    leafNode(
                        IntentsNames.UTILITY,
                        exactly(function.utility(t, d).value(), UTILITY_DIGITS)))
                .build());
      }
      steps.withChild(
          mapEntryBuilder(IntentsNames.STEP, IntentsNames.RATE, rate)
              .withChild(cells.build())
              .build());
    }
    return Builders.mapEntryBuilder()
        .withNodeIdentifier(
            NodeIdentifierWithPredicates.of(
                IntentsNames.UTILITY_FUNCTION, IntentsNames.NAME, function.name()))
        .withChild(leafNode(IntentsNames.NAME, function.name()))
        .withChild(steps.build())
        .build();
  }

  /**
   * @throws ArithmeticException if the value needs more digits than the model has
   */
  private static Decimal64 exactly(BigDecimal value, int digits) {
    BigDecimal canonical = value.setScale(digits, RoundingMode.UNNECESSARY).stripTrailingZeros();
    // Only with no more digits than it needs is the text the canonical form of RFC 7950.
    return Decimal64.valueOf(canonical.setScale(Math.max(1, canonical.scale())));
  }
}
