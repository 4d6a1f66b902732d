package org.paceline.intents.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;

/**
 * For one source, the least price of any loop-free path to every node, for every delay that the
 * path may have at the least.
 *
 * <p>Labels are settled in the order of (delay, price); one is on a node's Pareto front exactly if
 * it is cheaper than all settled there before it (Martins 1984 with two criteria). Since no price
 * and no delay is negative, leaving a loop out never makes a path worse, so that searching all
 * walks is the same as searching all loop-free paths. O(F E log(F E)) for fronts of at most F.
 */
final class PricedPaths {
  private final Map<String, List<Label>> fronts = new HashMap<>();

  private static final class Label {
    final String node;
    final long delay;
    final double price;

    Label(String node, long delay, double price) {
      this.node = node;
      this.delay = delay;
      this.price = price;
    }
  }

  /**
   * @param prices what each link costs, from 0; absent links cost nothing
   * @param leastLimit links that carry less than this, in millibits per second, are left out
   * @param mostDelay paths slower than this, in nanoseconds, are left out
   */
  PricedPaths(
      Network network, String source, Map<LinkId, Double> prices, long leastLimit, long mostDelay) {
    PriorityQueue<Label> open =
        new PriorityQueue<>(
            (a, b) ->
                a.delay != b.delay
                    ? Long.compare(a.delay, b.delay)
                    : Double.compare(a.price, b.price));
    open.add(new Label(source, 0, 0));
    for (Label label = open.poll(); label != null; label = open.poll()) {
      List<Label> front = fronts.computeIfAbsent(label.node, n -> new ArrayList<>());
      if (!front.isEmpty() && front.get(front.size() - 1).price <= label.price) {
        continue;
      }
      front.add(label);
      for (Link link : network.outgoing(label.node)) {
        long least = link.delay().least().nanos();
        if (link.limitMillibits() >= leastLimit && least <= mostDelay - label.delay) {
          double price = label.price + prices.getOrDefault(link.id(), 0.0);
          open.add(new Label(link.to(), label.delay + least, price));
        }
      }
    }
  }

  /** Infinite where no path's least delay is within the budget. */
  double leastPrice(String destination, long budgetNanos) {
    double price = Double.POSITIVE_INFINITY;
    for (Label label : fronts.getOrDefault(destination, List.of())) {
      if (label.delay > budgetNanos) {
        break;
      }
      price = label.price;
    }
    return price;
  }
}
