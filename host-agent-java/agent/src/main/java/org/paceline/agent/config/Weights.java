package org.paceline.agent.config;

import java.util.Map;
import org.paceline.intents.tree.IntentPath;

/**
 * How much what serves an intent counts, as a whole: on one host all conversations of an intent,
 * and of those below it that have no weight of their own, share by one weight.
 */
public record Weights(Map<IntentPath, Double> byIntent) {
  private static final double OF_THE_REST = 1;
  private static final double LEAST = 0.001;
  private static final double GREATEST = 1_000_000;

  public Weights {
    byIntent.forEach(
        (intent, weight) -> {
          if (!(weight >= LEAST && weight <= GREATEST)) {
            throw new IllegalArgumentException(
                "The weight ("
                    + weight
                    + ") of ("
                    + intent
                    + ") must be from 0.001 to 1000000. Maybe 1: only ratios matter.");
          }
        });
    byIntent = Map.copyOf(byIntent);
  }

  /** The nearest that has a weight of its own, from the intent up; the root has one always. */
  public IntentPath holder(IntentPath intent) {
    IntentPath at = intent;
    while (!at.isRoot() && !byIntent.containsKey(at)) {
      at = at.parent().orElseThrow();
    }
    return at;
  }

  public double of(IntentPath holder) {
    return byIntent.getOrDefault(holder, OF_THE_REST);
  }
}
