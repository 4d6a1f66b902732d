package org.paceline.allocator.network;

import java.util.List;
import java.util.Optional;
import org.paceline.allocator.exact.Staircase;
import org.paceline.allocator.path.CheapestPaths;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.unit.Utility;

/** Who can be reached at all, how well at best, and why not. */
final class Reachability {
  private final Problem problem;
  private final Demands demands;
  private final Topology idle;
  private long top = Utility.MAX.billionths();
  private final long[] fastest;
  private Optional<Infeasible> obstacle = Optional.empty();

  Reachability(Problem problem, Demands demands, Ways ways, Topology idle) {
    this.problem = problem;
    this.demands = demands;
    this.idle = idle;
    this.fastest = new long[demands.pairs()];
    String source = "";
    List<List<CheapestPaths.Label>> labels = List.of();
    for (int g = 0; g < demands.groups() && obstacle.isEmpty(); g++) {
      Demands.Pair pair = demands.pair(demands.group(g).pair);
      if (!pair.from.equals(source)) {
        source = pair.from;
        labels =
            new CheapestPaths(idle)
                .from(idle.node(source), new double[idle.links()], Long.MAX_VALUE / 4);
      }
      List<CheapestPaths.Label> here = labels.get(idle.node(pair.to));
      if (here.isEmpty()) {
        obstacle = Optional.of(noPath(g));
      } else {
        int function = demands.group(g).function;
        fastest[demands.group(g).pair] = here.get(0).delay();
        Optional<Staircase> best =
            demands.staircase(function, demands.delayBin(function, here.get(0).delay()));
        if (best.isEmpty()) {
          obstacle = Optional.of(tooSlow(g, here.get(0)));
        } else if (ways.count(demands.group(g).pair) == 0) {
          obstacle = Optional.of(tooSlowWhenFull(g));
        } else {
          top = Math.min(top, best.get().utilityBillionths(best.get().size() - 1));
        }
      }
    }
  }

  /** No level above this is within anybody's reach at once. */
  long top() {
    return top;
  }

  NodeCuts cuts() {
    return new NodeCuts(demands, idle, fastest);
  }

  Optional<Infeasible> obstacle() {
    return obstacle;
  }

  private String name(int group) {
    return demands.group(group).members.get(0).id();
  }

  private Infeasible noPath(int group) {
    Demands.Pair pair = demands.pair(demands.group(group).pair);
    return Infeasible.of(
        Infeasible.Reason.NO_PATH,
        name(group),
        Optional.empty(),
        String.format(
            "No way leads from (%s) to (%s) for the application (%s). Maybe a link is missing.",
            pair.from, pair.to, name(group)));
  }

  private Infeasible tooSlow(int group, CheapestPaths.Label fastest) {
    int slowest = -1;
    for (int e : fastest.path()) {
      slowest = slowest < 0 || idle.delay(e) > idle.delay(slowest) ? e : slowest;
    }
    int function = demands.group(group).function;
    int bins = demands.function(function).delayBins();
    return Infeasible.of(
        Infeasible.Reason.TOO_SLOW,
        name(group),
        Optional.of(idle.id(slowest)),
        String.format(
            "The application (%s) tolerates at most %.3f ms, but its fastest path %s takes %.3f ms,"
                + " most of it on (%s). Maybe give its utility function a greater delay bin.",
            name(group),
            demands.function(function).delayNanos(bins - 1) / 1e6,
            idle.path(fastest.path()),
            fastest.delay() / 1e6,
            idle.id(slowest)));
  }

  /** A path is fast enough only while its links are not full, which was not searched for. */
  private Infeasible tooSlowWhenFull(int group) {
    return Infeasible.of(
        Infeasible.Reason.UNDECIDED,
        name(group),
        Optional.empty(),
        String.format(
            "The application (%s) has a path that is fast enough, but none that stays so when its"
                + " links are full. Maybe give its utility function a greater delay bin.",
            name(group)));
  }

  /** Even the least of everybody is too much, by the prices of the trial or by a search. */
  Infeasible noRoom(LevelSearch.Trial trial) {
    int dearest = 0;
    double most = -1;
    for (int e = 0; e < trial.prices.length; e++) {
      double revenue = trial.prices[e] * idle.limit(e);
      if (revenue > most) {
        most = revenue;
        dearest = e;
      }
    }
    int group = userOf(dearest);
    if (!trial.refuted) {
      return Infeasible.of(
          Infeasible.Reason.UNDECIDED,
          name(group),
          Optional.empty(),
          "No allocation was found for ("
              + problem.name()
              + "), and no proof that there is none. Maybe give it more time, or admit fewer.");
    }
    return Infeasible.of(
        Infeasible.Reason.NO_ROOM,
        name(group),
        Optional.of(idle.id(dearest)),
        String.format(
            "Even at everybody's least rate the link (%s) must carry more than its %.3f kbit/s;"
                + " among those who need it is (%s). Maybe admit fewer by priority.",
            idle.id(dearest), idle.limit(dearest) / 1e6, name(group)));
  }

  /** The first whose every fast path crosses the link, else the first of all. */
  private int userOf(int link) {
    double[] prices = new double[idle.links()];
    prices[link] = 1;
    CheapestPaths search = new CheapestPaths(idle);
    for (int g = 0; g < demands.groups(); g++) {
      Demands.Pair pair = demands.pair(demands.group(g).pair);
      List<CheapestPaths.Label> labels =
          search
              .from(idle.node(pair.from), prices, demands.mostDelay(demands.group(g).pair))
              .get(idle.node(pair.to));
      if (!labels.isEmpty() && labels.get(labels.size() - 1).price() > 0) {
        return g;
      }
    }
    return 0;
  }
}
