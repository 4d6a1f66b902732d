package org.paceline.intents.tree;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The application classes and intents of an enterprise, of any depth. A node inherits what it does
 * not set from its nearest ancestor that does; the root sets a utility function, so that whatever
 * is unidentified is served too. Sieber et al. 2020, section 4. The function of uploads is that of
 * the nearest node that names any function.
 */
public final class IntentTree {
  private static final int DEFAULT_PRIORITY = 0;
  private static final int DEFAULT_CLASS_WEIGHT = 1;
  private static final SchemeName DEFAULT_SCHEME = SchemeName.UTILITY_FAIR;

  private final NavigableMap<IntentPath, Policy> policies;

  private IntentTree(NavigableMap<IntentPath, Policy> policies) {
    this.policies = policies;
  }

  public static IntentTree withDefault(UtilityFunction fallback) {
    return new IntentTree(new TreeMap<>())
        .with(IntentPath.ROOT, Policy.builder().utilityFunction(fallback).build());
  }

  /**
   * The tree of these nodes; ancestors that are missing come into being and inherit all. O(n log n)
   * for n nodes.
   *
   * @param unusable told of each node whose bounds leave no bin of its function, and why: then the
   *     tree is not to be used
   * @throws IllegalArgumentException if the root has no utility function
   */
  public static IntentTree of(
      Map<IntentPath, Policy> policies, BiConsumer<IntentPath, String> unusable) {
    requireFunction(policies.getOrDefault(IntentPath.ROOT, Policy.INHERIT_ALL));
    NavigableMap<IntentPath, Policy> all = new TreeMap<>(policies);
    policies.keySet().forEach(path -> addAncestors(all, path));
    IntentTree tree = new IntentTree(all);
    for (IntentPath node : all.keySet()) {
      tree.whyUnusable(node).ifPresent(why -> unusable.accept(node, why));
    }
    return tree;
  }

  /**
   * The tree with this node set; ancestors that are missing come into being and inherit all.
   *
   * @throws IllegalArgumentException if the root would lose its utility function, or if bounds of
   *     this or a lower node leave no bin of its function
   */
  public IntentTree with(IntentPath path, Policy policy) {
    if (path.isRoot()) {
      requireFunction(policy);
    }
    NavigableMap<IntentPath, Policy> changed = new TreeMap<>(policies);
    changed.put(path, policy);
    addAncestors(changed, path);
    IntentTree tree = new IntentTree(changed);
    for (IntentPath node : changed.keySet()) {
      Optional<String> why = node.isWithin(path) ? tree.whyUnusable(node) : Optional.empty();
      if (why.isPresent()) {
        throw new IllegalArgumentException(why.get());
      }
    }
    return tree;
  }

  private static void requireFunction(Policy root) {
    if (root.utilityFunction().isEmpty()) {
      throw new IllegalArgumentException(
          "The root needs a utility function: it serves every conversation without one. Maybe give"
              + " it the most forgiving of the catalogue.");
    }
  }

  private static void addAncestors(Map<IntentPath, Policy> nodes, IntentPath path) {
    for (Optional<IntentPath> up = path.parent(); up.isPresent(); up = up.get().parent()) {
      nodes.putIfAbsent(up.get(), Policy.INHERIT_ALL);
    }
  }

  private Optional<String> whyUnusable(IntentPath node) {
    try {
      EffectivePolicy policy = resolve(node);
      policy.boundedFunction();
      policy.inDirection(TrafficDirection.UPLOAD).boundedFunction();
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of("The intent (" + node + "): " + e.getMessage());
    }
  }

  /**
   * The tree without this node and all below it.
   *
   * @throws IllegalArgumentException for the root or a node that is not there
   */
  public IntentTree without(IntentPath path) {
    if (path.isRoot()) {
      throw new IllegalArgumentException("The root cannot be removed. Maybe set its policy.");
    }
    if (!policies.containsKey(path)) {
      throw new IllegalArgumentException("There is no intent (" + path + ") to remove.");
    }
    NavigableMap<IntentPath, Policy> changed = new TreeMap<>(policies);
    changed.keySet().removeIf(node -> node.isWithin(path));
    return new IntentTree(changed);
  }

  /** Every node with what it sets itself, ordered by path. */
  public Map<IntentPath, Policy> policies() {
    return Collections.unmodifiableMap(policies);
  }

  /** The nodes that one of the trees lacks, or that set something else in each. */
  public SortedSet<IntentPath> differences(IntentTree other) {
    SortedSet<IntentPath> all = new TreeSet<>(policies().keySet());
    all.addAll(other.policies().keySet());
    all.removeIf(
        path ->
            Optional.ofNullable(policies().get(path))
                .equals(Optional.ofNullable(other.policies().get(path))));
    return all;
  }

  public boolean contains(IntentPath path) {
    return policies.containsKey(path);
  }

  /** What holds for a conversation; one with an intent that is not in the tree gets its nearest. */
  public EffectivePolicy resolve(IntentPath asked) {
    IntentPath node = asked;
    while (!policies.containsKey(node)) {
      node = node.parent().orElse(IntentPath.ROOT);
    }
    IntentPath at = node;
    return EffectivePolicy.builder()
        .asked(asked)
        .node(at)
        .utilityFunction(
            nearest(at, Policy::utilityFunction).orElseThrow(IntentTree::withoutFunction))
        // Who names one function names it for both directions, whatever stands above.
        .uploadFunction(
            nearest(at, policy -> policy.uploadFunction().or(policy::utilityFunction))
                .orElseThrow(IntentTree::withoutFunction))
        .minimumRate(nearest(at, Policy::minimumRate))
        .maximumRate(nearest(at, Policy::maximumRate))
        .priority(nearest(at, Policy::priority, DEFAULT_PRIORITY))
        .scheme(nearest(at, Policy::scheme, DEFAULT_SCHEME))
        .classWeight(nearest(at, Policy::classWeight, DEFAULT_CLASS_WEIGHT))
        .kpiModel(nearest(at, Policy::kpiModel))
        .build();
  }

  private static AssertionError withoutFunction() {
    return new AssertionError("a tree's root has a utility function");
  }

  /** As {@link #resolve(IntentPath)}, for an intent as it came in: unusable text is the root. */
  public EffectivePolicy resolve(String asked) {
    return resolve(IntentPath.tryParse(asked).orElse(IntentPath.ROOT));
  }

  private <T> Optional<Sourced<T>> nearest(IntentPath from, Function<Policy, Optional<T>> value) {
    for (Optional<IntentPath> at = Optional.of(from); at.isPresent(); at = at.get().parent()) {
      IntentPath node = at.get();
      Optional<T> set = Optional.ofNullable(policies.get(node)).flatMap(value);
      if (set.isPresent()) {
        return Optional.of(Sourced.of(set.get(), node));
      }
    }
    return Optional.empty();
  }

  private <T> Sourced<T> nearest(
      IntentPath from, Function<Policy, Optional<T>> value, T byDefault) {
    return nearest(from, value).orElse(Sourced.of(byDefault, IntentPath.ROOT));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IntentTree && policies.equals(((IntentTree) other).policies);
  }

  @Override
  public int hashCode() {
    return Objects.hash(policies);
  }

  @Override
  public String toString() {
    return policies.keySet().toString();
  }
}
