package org.paceline.allocator.network.prices;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Offers;
import org.paceline.allocator.network.groups.Profile;

/**
 * The bound of link prices over the known paths, made smooth: in place of the best worth a group
 * has mu log sum exp(worth / mu) over its choices (a path and a corner of the hull), which divides
 * it over those that are worth nearly as much as the best.
 *
 * <p>Of no use where groups are few: then prices hang on the choices of single ones. With many,
 * each with ends of its own, somebody is undecided at any price, and the smooth bound's curvature
 * is that of the bound itself.
 *
 * <p>No column is stored: what a path costs is added up once for all groups of its pair, and the
 * corners near the best are looked up in the hull that groups of a function share. O(paths x length
 * + groups x paths x log corners) for a value with its derivatives by path.
 */
final class SmoothProgram {
  /** Choices worth so many mu less than the best have no share that counts. */
  private static final double FAR = 10;

  private static final int PARTS = 4;

  final int links;

  /** In units of 1e9 millibits per second. */
  final double[] limits;

  private final Offers offers;
  private final PathTable paths;
  private final int[] groups;
  private final double[] count;

  /** By pair: its first group; one more than pairs. */
  private final int[] firstGroup;

  /** By pair: where its paths-by-paths matrix begins; one more than pairs. */
  private final int[] firstBend;

  private final double[] bends;

  /** By part: its first pair; one more than parts. */
  private final int[] firstPair = new int[PARTS + 1];

  private final Part[] parts = new Part[PARTS];
  private final LinkSums sums;

  /** What there is at some prices. */
  static final class Point {
    final double[] prices;

    /** Smooth, and without smoothing; utilities in units of 1. */
    final double value;

    final double bound;

    /** What the shares are worth less than the best. */
    final double loss;

    final double[] load;

    private Point(double[] prices, double value, double bound, double loss, double[] load) {
      this.prices = prices;
      this.value = value;
      this.bound = bound;
      this.loss = loss;
      this.load = load;
    }
  }

  /**
   * @param every of how many groups one stands for all, a sample; 1 for all groups
   */
  SmoothProgram(Offers offers, int every) {
    Demands demands = offers.demands();
    this.offers = offers;
    links = offers.ways().topology().links();
    limits = new double[links];
    for (int e = 0; e < links; e++) {
      limits[e] = offers.ways().topology().limit(e) / Profile.SCALE;
    }
    int pairs = demands.pairs();
    groups =
        IntStream.range(0, demands.groups())
            .filter(g -> PriceProgram.mixed(g) % every == 0)
            .toArray();
    double copies = Arrays.stream(groups).mapToLong(g -> demands.group(g).count()).sum();
    double scale = demands.copies() / copies;
    count = new double[groups.length];
    firstGroup = new int[pairs + 1];
    for (int i = 0; i < groups.length; i++) {
      count[i] = demands.group(groups[i]).count() * scale;
      firstGroup[demands.group(groups[i]).pair() + 1] = i + 1;
    }
    paths = new PathTable(offers.ways(), pairs);
    firstBend = new int[pairs + 1];
    for (int p = 0; p < pairs; p++) {
      firstGroup[p + 1] = Math.max(firstGroup[p], firstGroup[p + 1]);
      firstBend[p + 1] = firstBend[p] + paths.paths(p) * paths.paths(p);
    }
    bends = new double[firstBend[pairs]];
    for (int part = 0, p = 0; part < PARTS; part++) {
      while (p < pairs && firstGroup[p] < (long) groups.length * part / PARTS) {
        p++;
      }
      firstPair[part] = p;
    }
    firstPair[PARTS] = pairs;
    int most = paths.mostPaths();
    Arrays.setAll(parts, part -> new Part(most));
    sums = new LinkSums(links, PARTS);
  }

  Point at(double[] prices, double mu) {
    IntStream.range(0, PARTS).parallel().forEach(part -> parts[part].evaluate(part, prices, mu));
    double value = 0;
    double bound = 0;
    double loss = 0;
    for (Part part : parts) {
      value += part.value;
      bound += part.bound;
      loss += part.loss;
    }
    for (int e = 0; e < links; e++) {
      value += prices[e] * limits[e];
      bound += prices[e] * limits[e];
    }
    return new Point(prices, value, bound, loss, sums.vector());
  }

  /** The second derivatives by link prices where it was evaluated last; the lower half. */
  double[][] curvature() {
    IntStream.range(0, PARTS)
        .parallel()
        .forEach(
            part -> {
              double[][] matrix = sums.matrix(part);
              for (int p = firstPair[part]; p < firstPair[part + 1]; p++) {
                paths.scatter(p, bends, firstBend[p], matrix);
              }
            });
    return sums.matrix();
  }

  /** The groups divided as the shares say, in whole copies. */
  Allocation divided(double[] prices, double mu) {
    Dealing dealing = new Dealing(offers);
    Part part = parts[0];
    for (int p = 0; p < firstGroup.length - 1; p++) {
      double[] cost = paths.prices(p, prices);
      for (int i = firstGroup[p]; i < firstGroup[p + 1]; i++) {
        Profile[] profiles = offers.profiles(groups[i]);
        double least = part.best(profiles, cost) - FAR * mu;
        double sum = 0;
        // Twice: first for what all shares add up to.
        for (int round = 0; round < 2; round++) {
          for (int j = 0; j < cost.length; j++) {
            for (int k = 0; part.worth[j] >= least && k < profiles[j].hullSize(); k++) {
              double below = profiles[j].hullWorth(k, cost[j]) - least;
              if (below >= 0 && round == 0) {
                sum += Math.exp(below / mu - FAR);
              } else if (below >= 0) {
                dealing.give(
                    j, profiles[j].hullStep(k), count[i] * Math.exp(below / mu - FAR) / sum);
              }
            }
          }
          if (round == 0) {
            dealing.begin(groups[i]);
          }
        }
        dealing.end();
      }
    }
    return dealing.dealt();
  }

  /** Works on some pairs, in arrays of its own. */
  private final class Part {
    final double[] worth;
    private final double[] cost;
    private final double[] onPath;
    private final int[] corner;

    /** By path: the rates of a group's choices on it by their shares, and their squares. */
    private final double[] first;

    private final double[] second;
    private double sum;
    private double away;
    double value;
    double bound;
    double loss;

    Part(int paths) {
      worth = new double[paths];
      cost = new double[paths];
      onPath = new double[paths];
      corner = new int[paths];
      first = new double[paths];
      second = new double[paths];
    }

    void evaluate(int part, double[] prices, double mu) {
      double[] onLinks = sums.vector(part);
      value = 0;
      bound = 0;
      loss = 0;
      for (int p = firstPair[part]; p < firstPair[part + 1]; p++) {
        Arrays.fill(bends, firstBend[p], firstBend[p + 1], 0);
        if (firstGroup[p] == firstGroup[p + 1]) {
          continue;
        }
        paths.prices(p, prices, cost);
        Arrays.fill(onPath, 0);
        for (int i = firstGroup[p]; i < firstGroup[p + 1]; i++) {
          group(i, p, mu);
        }
        paths.load(p, onPath, onLinks);
      }
    }

    /** The best worth of all; by path, the best worth and its corner of the hull. */
    double best(Profile[] profiles, double[] at) {
      double top = Double.NEGATIVE_INFINITY;
      for (int j = 0; j < profiles.length; j++) {
        if (profiles[j].isNone()) {
          worth[j] = Double.NEGATIVE_INFINITY;
          continue;
        }
        corner[j] = profiles[j].corner(at[j]);
        worth[j] = profiles[j].hullWorth(corner[j], at[j]);
        top = Math.max(top, worth[j]);
      }
      return top;
    }

    private void group(int i, int pair, double mu) {
      Profile[] profiles = offers.profiles(groups[i]);
      double top = best(profiles, cost);
      sum = 0;
      away = 0;
      int near = 0;
      for (int j = 0; j < profiles.length; j++) {
        first[j] = 0;
        second[j] = 0;
        if (worth[j] >= top - FAR * mu) {
          near += shares(profiles[j], j, top, mu);
        }
      }
      double many = count[i];
      value += many * (top + mu * Math.log(sum));
      bound += many * top;
      loss += many * away / sum;
      double share = many / sum;
      for (int j = 0; j < profiles.length; j++) {
        onPath[j] += share * first[j];
      }
      if (near > 1) {
        bend(firstBend[pair], profiles.length, share / mu);
      }
    }

    /** Adds the shares of a path's choices; how many there are. Worth falls from its best on. */
    private int shares(Profile profile, int j, double top, double mu) {
      int near = 0;
      for (int turn = -1; turn <= 1; turn += 2) {
        int k = turn < 0 ? corner[j] : corner[j] + 1;
        for (; k >= 0 && k < profile.hullSize(); k += turn) {
          double below = top - profile.hullWorth(k, cost[j]);
          if (below > FAR * mu) {
            break;
          }
          double weight = below == 0 ? 1 : Math.exp(-below / mu);
          double rate = profile.hullRate(k);
          sum += weight;
          away += weight * below;
          first[j] += weight * rate;
          second[j] += weight * rate * rate;
          near++;
        }
      }
      return near;
    }

    private void bend(int at, int paths, double weight) {
      for (int j = 0; j < paths; j++) {
        if (first[j] > 0) {
          int row = at + j * paths;
          double own = weight * first[j] / sum;
          for (int k = 0; k <= j; k++) {
            bends[row + k] -= own * first[k];
          }
          bends[row + j] += weight * second[j];
        }
      }
    }
  }
}
