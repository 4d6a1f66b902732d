package org.paceline.allocator.network.prices;

import java.util.ArrayList;
import java.util.List;
import org.paceline.allocator.network.groups.Offers;
import org.paceline.allocator.network.groups.Profile;

/** How a great group divides itself over paths and steps at given prices, blurred. */
final class FractionalChoice {
  private final Offers offers;
  private final double[] prices;
  private final double softness;
  private final double blur;

  FractionalChoice(Offers offers, double[] prices, double softness, double blur) {
    this.offers = offers;
    this.prices = prices;
    this.softness = softness;
    this.blur = blur;
  }

  /** Path, step, and how many copies, rounded down. */
  List<long[]> of(int group) {
    int pair = offers.demands().group(group).pair();
    int paths = offers.ways().count(pair);
    double[][] blurred = new double[paths][3];
    double[] price = new double[paths];
    double best = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < paths; j++) {
      for (int e : offers.ways().path(pair, j)) {
        price[j] += prices[e];
      }
      if (offers.open(group, j)) {
        offers.profile(group, j).blurred(price[j], blur, blurred[j]);
        best = Math.max(best, blurred[j][0]);
      }
    }
    double total = 0;
    for (int j = 0; j < paths; j++) {
      total += offers.open(group, j) ? Math.exp((blurred[j][0] - best) / softness) : 0;
    }
    List<long[]> parts = new ArrayList<>();
    for (int j = 0; j < paths; j++) {
      if (offers.open(group, j)) {
        double share = Math.exp((blurred[j][0] - best) / softness) / total;
        split(group, j, share * offers.demands().group(group).count(), blurred[j][1], parts);
      }
    }
    return parts;
  }

  private void split(int group, int path, double copies, double rate, List<long[]> parts) {
    Profile profile = offers.profile(group, path);
    int step = 0;
    while (step < profile.size() - 1 && profile.rate(step + 1) <= rate * Profile.SCALE) {
      step++;
    }
    double above = 0;
    if (step < profile.size() - 1) {
      double width = profile.rate(step + 1) - profile.rate(step);
      above = Math.max(0, rate * Profile.SCALE - profile.rate(step)) / width;
      parts.add(new long[] {path, step + 1L, (long) (copies * above)});
    }
    parts.add(new long[] {path, step, (long) (copies * (1 - above))});
  }
}
