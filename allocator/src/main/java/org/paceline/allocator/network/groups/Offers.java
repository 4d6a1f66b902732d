package org.paceline.allocator.network.groups;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.allocator.exact.Staircase;
import org.paceline.allocator.path.CheapestPaths;

/**
 * What each group may choose on each path: the steps of its staircase at or above its floor, or,
 * when a level is tried out, to be served at that level or not at all.
 */
public final class Offers {
  private enum Kind {
    ALL,
    CHEAPEST,
    SERVED_OR_NOT,
    ABOVE_OR_NOT
  }

  private final Demands demands;
  private final Ways ways;
  private final long[] floors;
  private final Kind kind;
  private final long above;
  private final boolean tight;

  /** By group and delay bin; groups of the same function and floor share theirs. */
  private final List<List<Optional<Profile>>> byBin = new ArrayList<>();

  private Profile[][] profiles = new Profile[0][];

  private Offers(Demands demands, Ways ways, long[] floors, Kind kind, long above, boolean tight) {
    this.above = above;
    this.tight = tight && ways.complete();
    this.demands = demands;
    this.ways = ways;
    this.floors = floors;
    this.kind = kind;
    List<Map<Long, List<Optional<Profile>>>> byFloor = new ArrayList<>();
    for (int f = 0; f < demands.functions(); f++) {
      byFloor.add(new HashMap<>());
    }
    for (int g = 0; g < demands.groups(); g++) {
      int function = demands.group(g).function();
      byBin.add(byFloor.get(function).computeIfAbsent(floors[g], f -> profiles(function, f)));
    }
    refresh();
  }

  public static Offers from(Demands demands, Ways ways, long floor) {
    long[] floors = new long[demands.groups()];
    Arrays.fill(floors, floor);
    return new Offers(demands, ways, floors, Kind.ALL, 0, false);
  }

  /** The same with a lower bound, where all paths are known. */
  public Offers tight() {
    return new Offers(demands, ways, floors, kind, above, true);
  }

  /** Whether only what is offered on known paths may count towards a bound. */
  public boolean isTight() {
    return tight;
  }

  /** To be served at the level, worth 1, or not at all, worth nothing. */
  public static Offers served(Demands demands, Ways ways, long[] levels) {
    return new Offers(demands, ways, levels.clone(), Kind.SERVED_OR_NOT, 0, true);
  }

  /** To be above the level is worth 1, to be between the floor and the level nothing. */
  public static Offers above(Demands demands, Ways ways, long floor, long level) {
    long[] floors = new long[demands.groups()];
    Arrays.fill(floors, floor);
    return new Offers(demands, ways, floors, Kind.ABOVE_OR_NOT, level, true);
  }

  /** The cheapest step at the level and nothing else. */
  public static Offers exactly(Demands demands, Ways ways, long[] levels) {
    return new Offers(demands, ways, levels.clone(), Kind.CHEAPEST, 0, true);
  }

  /**
   * Takes in paths that were added. Tight offers have no step that a link of the path could not
   * carry even alone: the linear programme would take a fraction of it.
   */
  public void refresh() {
    Profile[][] fresh = new Profile[demands.groups()][];
    for (int g = 0; g < fresh.length; g++) {
      int pair = demands.group(g).pair();
      Profile[] before = g < profiles.length ? profiles[g] : new Profile[0];
      fresh[g] =
          before.length == ways.count(pair) ? before : Arrays.copyOf(before, ways.count(pair));
      for (int j = before.length; j < fresh[g].length; j++) {
        fresh[g][j] = offered(g, j);
      }
    }
    profiles = fresh;
  }

  private Profile offered(int group, int path) {
    int pair = demands.group(group).pair();
    Optional<Profile> offered = atDelay(group, ways.delay(pair, path));
    if (tight) {
      long narrowest = ways.narrowest(pair, path);
      offered =
          kind == Kind.SERVED_OR_NOT
              ? offered.filter(profile -> profile.rate(profile.size() - 1) <= narrowest)
              : offered.flatMap(profile -> profile.upTo(narrowest));
    }
    return offered.orElse(Profile.NONE);
  }

  public Demands demands() {
    return demands;
  }

  public Ways ways() {
    return ways;
  }

  /** Whether the path can serve the group at all. */
  public boolean open(int group, int path) {
    return !profile(group, path).isNone();
  }

  /**
   * Other offers among the same ways may have added paths since {@link #refresh}: what those offer
   * is worked out each time it is asked for.
   */
  public Profile profile(int group, int path) {
    Profile[] known = profiles[group];
    return path < known.length ? known[path] : offered(group, path);
  }

  /** By path; {@link Profile#isNone} for one that is too slow. */
  public Profile[] profiles(int group) {
    return profiles[group];
  }

  /** Whether the group has a path at all. */
  public boolean hasWay(int group) {
    for (Profile profile : profiles[group]) {
      if (!profile.isNone()) {
        return true;
      }
    }
    return false;
  }

  private List<Optional<Profile>> profiles(int function, long floor) {
    List<Optional<Profile>> profiles = new ArrayList<>();
    for (int bin = 0; bin <= demands.function(function).delayBins(); bin++) {
      profiles.add(demands.staircase(function, bin).flatMap(s -> profile(s, floor)));
    }
    return profiles;
  }

  public Optional<Profile> atDelay(int group, long delay) {
    return byBin.get(group).get(demands.delayBin(demands.group(group).function(), delay));
  }

  private Optional<Profile> profile(Staircase staircase, long floor) {
    int first = staircase.firstAtLeast(floor);
    if (first == staircase.size()) {
      return Optional.empty();
    }
    if (kind == Kind.SERVED_OR_NOT) {
      long rate = staircase.rateMillibits(first);
      return Optional.of(
          rate == 0
              ? new Profile(new long[] {0}, new long[] {(long) Profile.SCALE})
              : new Profile(new long[] {0, rate}, new long[] {0, (long) Profile.SCALE}));
    }
    if (kind == Kind.ABOVE_OR_NOT) {
      int rising = staircase.firstAtLeast(above + 1);
      long least = staircase.rateMillibits(first);
      long one = (long) Profile.SCALE;
      return Optional.of(
          rising == staircase.size()
              ? new Profile(new long[] {least}, new long[] {0})
              : rising == first
                  ? new Profile(new long[] {least}, new long[] {one})
                  : new Profile(
                      new long[] {least, staircase.rateMillibits(rising)}, new long[] {0, one}));
    }
    if (kind == Kind.CHEAPEST) {
      // What the step is worth beyond the level is not asked for: all paths are as good.
      return Optional.of(
          new Profile(new long[] {staircase.rateMillibits(first)}, new long[] {floor}));
    }
    int steps = staircase.size() - first;
    long[] rates = new long[steps];
    long[] utilities = new long[steps];
    for (int s = 0; s < steps; s++) {
      rates[s] = staircase.rateMillibits(first + s);
      utilities[s] = staircase.utilityBillionths(first + s);
    }
    return Optional.of(new Profile(rates, utilities));
  }

  /** What more utility costs in rate, on average: the scale of a price. */
  public double typicalSlope() {
    double sum = 0;
    long count = 0;
    for (int g = 0; g < demands.groups(); g++) {
      for (int j = 0; j < ways.count(demands.group(g).pair()); j++) {
        Profile profile = profile(g, j);
        int last = profile.size() - 1;
        if (open(g, j) && last > 0) {
          sum +=
              (double) (profile.utility(last) - profile.utility(0))
                  / (profile.rate(last) - profile.rate(0));
          count++;
        }
      }
    }
    return count == 0 ? 1 : sum / count;
  }

  /** What a group is worth that gets nothing, where it may. */
  private double least() {
    return kind == Kind.SERVED_OR_NOT ? 0 : Double.NEGATIVE_INFINITY;
  }

  /** The best worth among paths that no other beats; minus infinity where there is none. */
  public double worth(int group, List<CheapestPaths.Label> labels) {
    double best = least();
    for (CheapestPaths.Label label : labels) {
      Optional<Profile> profile = atDelay(group, label.delay());
      if (profile.isPresent()) {
        best = Math.max(best, profile.get().worth(label.price()));
      }
    }
    return best;
  }

  /**
   * The best worth among the paths known when they were taken in, of which each costs that much.
   */
  public double worth(int group, double[] pathPrices) {
    double best = least();
    for (int j = 0; j < profiles[group].length; j++) {
      if (open(group, j)) {
        best = Math.max(best, profiles[group][j].worth(pathPrices[j]));
      }
    }
    return best;
  }
}
