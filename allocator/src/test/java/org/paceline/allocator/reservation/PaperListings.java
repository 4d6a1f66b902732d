package org.paceline.allocator.reservation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Algorithms 2 to 4 of Boley et al. 2017 word for word, on one link, to show what they do. What the
 * listings leave open is what this project does: the thresholds of {@link DemandEstimate}.
 */
final class PaperListings {
  /** A flow as the listings see it, in kbit/s. */
  static final class Flow {
    final String id;
    final int priority;
    final long reserved;
    long tracking;
    long rate;
    boolean isDecreasing;
    boolean isFlagged;

    Flow(String id, int priority, long reserved, long tracking, long rate) {
      this.id = id;
      this.priority = priority;
      this.reserved = reserved;
      this.tracking = tracking;
      this.rate = rate;
    }

    Flow shrinking() {
      isDecreasing = true;
      return this;
    }
  }

  long available;
  private final List<Flow> flows = new ArrayList<>();

  PaperListings(long capacity, Flow... flows) {
    this.flows.addAll(List.of(flows));
    available = capacity - tracked();
  }

  long tracked() {
    return flows.stream().mapToLong(flow -> flow.tracking).sum();
  }

  /** Algorithm 2. */
  void seize() {
    for (Flow flow : flows) {
      long lowerBound = flow.tracking * 95 / 100;
      if (flow.isDecreasing && flow.rate < lowerBound) {
        long decrease = flow.tracking - flow.rate * 11 / 10;
        flow.tracking -= decrease;
        available += decrease;
        // The text: "under-performing QoS flows are flagged". The listing has no such line.
      }
    }
  }

  /** Algorithm 3. */
  void giveBack() {
    for (Flow flow : flows) {
      if (flow.isFlagged
          || flow.tracking >= flow.reserved
          || flow.rate < flow.tracking * 95 / 100) {
        continue;
      }
      long optimal = flow.reserved - flow.tracking;
      long returned = Math.min(available, optimal);
      flow.tracking += returned;
      available -= returned;
      long remaining = optimal - returned;
      List<Flow> others = new ArrayList<>(flows);
      others.remove(flow);
      others.sort(Comparator.comparingInt(other -> other.priority));
      for (Flow other : others) {
        if (remaining <= 0) {
          break;
        }
        returned = returned + take(other, remaining);
        flow.tracking += returned;
        remaining = remaining - returned;
      }
      flow.isFlagged = true;
    }
  }

  private static long take(Flow other, long remaining) {
    long taken = Math.min(Math.max(0, other.tracking - other.reserved), remaining);
    other.tracking -= taken;
    return taken;
  }

  /** Algorithm 4. CLAIM-BW has no amount in the listing, so nothing is claimed. */
  void share() {
    List<Flow> byPriority = new ArrayList<>(flows);
    byPriority.sort(Comparator.comparingInt((Flow flow) -> flow.priority).reversed());
    for (Flow flow : byPriority) {
      long lowerBound = flow.reserved - flow.reserved * 5 / 100;
      if (!flow.isFlagged && flow.tracking > lowerBound) {
        long optimal = flow.tracking;
        flow.tracking += Math.min(available, optimal);
      }
    }
  }
}
