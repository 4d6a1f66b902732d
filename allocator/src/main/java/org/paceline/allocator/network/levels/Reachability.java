package org.paceline.allocator.network.levels;

import java.util.List;
import java.util.Optional;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Ways;
import org.paceline.allocator.path.CheapestPaths;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.unit.Utility;

/** Who can be reached at all, how well at best, and why not. */
public final class Reachability {
  private final Problem problem;
  private final Demands demands;
  private final Topology idle;
  private long top = Utility.MAX.billionths();
  private final long[] fastest;
  private Optional<Infeasible> obstacle = Optional.empty();

  public Reachability(Problem problem, Demands demands, Ways ways, Topology idle) {
    this.problem = problem;
    this.demands = demands;
    this.idle = idle;
    this.fastest = new long[demands.pairs()];
    boolean sameDelays = ways.topology().sameDelays(idle);
    int source = -1;
    List<List<CheapestPaths.Label>> labels = List.of();
    for (int p = 0; p < demands.pairs() && obstacle.isEmpty(); p++) {
      fastest[p] = sameDelays && ways.count(p) > 0 ? ways.delay(p, 0) : Long.MAX_VALUE;
      if (tooSlowFor(p).isPresent()) {
        if (idle.node(demands.pair(p).from()) != source) {
          source = idle.node(demands.pair(p).from());
          labels =
              new CheapestPaths(idle).from(source, new double[idle.links()], Long.MAX_VALUE / 4);
        }
        obstacle = obstacle(p, labels.get(idle.node(demands.pair(p).to())), ways.count(p) == 0);
      }
      for (int g : demands.pair(p).groups()) {
        int function = demands.group(g).function();
        demands
            .staircase(function, demands.delayBin(function, fastest[p]))
            .ifPresent(best -> lower(best.utilityBillionths(best.size() - 1)));
      }
    }
  }

  private void lower(long reachable) {
    top = Math.min(top, reachable);
  }

  /** Sets the delay of the fastest path. */
  private Optional<Infeasible> obstacle(
      int pair, List<CheapestPaths.Label> labels, boolean wayless) {
    int first = demands.pair(pair).groups().get(0);
    if (labels.isEmpty()) {
      return Optional.of(noPath(first));
    }
    fastest[pair] = labels.get(0).delay();
    Optional<Infeasible> slow = tooSlowFor(pair).map(g -> tooSlow(g, labels.get(0)));
    return slow.isPresent() || !wayless ? slow : Optional.of(tooSlowWhenFull(first));
  }

  /** The first of the pair's groups for which its fastest path is too slow. */
  private Optional<Integer> tooSlowFor(int pair) {
    for (int g : demands.pair(pair).groups()) {
      int function = demands.group(g).function();
      if (demands.staircase(function, demands.delayBin(function, fastest[pair])).isEmpty()) {
        return Optional.of(g);
      }
    }
    return Optional.empty();
  }

  /** No level above this is within anybody's reach at once. */
  public long top() {
    return top;
  }

  public NodeCuts cuts() {
    return new NodeCuts(demands, idle, fastest);
  }

  public Optional<Infeasible> obstacle() {
    return obstacle;
  }

  private String name(int group) {
    return demands.group(group).members().get(0).id();
  }

  private Infeasible noPath(int group) {
    Demands.Pair pair = demands.pair(demands.group(group).pair());
    return Infeasible.of(
        Infeasible.Reason.NO_PATH,
        name(group),
        Optional.empty(),
        String.format(
            "No way leads from (%s) to (%s) for the application (%s). Maybe a link is missing.",
            pair.from(), pair.to(), name(group)));
  }

  private Infeasible tooSlow(int group, CheapestPaths.Label fastest) {
    int slowest = -1;
    for (int e : fastest.path()) {
      slowest = slowest < 0 || idle.delay(e) > idle.delay(slowest) ? e : slowest;
    }
    int function = demands.group(group).function();
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
  public Infeasible noRoom(LevelSearch.Trial trial) {
    int dearest = 0;
    double most = -1;
    for (int e = 0; e < trial.prices().length; e++) {
      double revenue = trial.prices()[e] * idle.limit(e);
      if (revenue > most) {
        most = revenue;
        dearest = e;
      }
    }
    if (!trial.isRefuted()) {
      return Infeasible.of(
          Infeasible.Reason.UNDECIDED,
          name(greediest()),
          Optional.empty(),
          "No allocation was found for ("
              + problem.name()
              + "), and no proof that there is none. Maybe give it more time, or admit fewer.");
    }
    int group = userOf(dearest);
    return Infeasible.of(
        Infeasible.Reason.NO_ROOM,
        name(group),
        Optional.of(idle.id(dearest)),
        String.format(
            "Even at everybody's least rate the link (%s) must carry more than its %.3f kbit/s;"
                + " among those who need it is (%s). Maybe admit fewer by priority.",
            idle.id(dearest), idle.limit(dearest) / 1e6, name(group)));
  }

  /** The one that needs most at least: the hardest to find room for. */
  private int greediest() {
    int greediest = 0;
    long most = -1;
    for (int g = 0; g < demands.groups(); g++) {
      int function = demands.group(g).function();
      long least =
          demands
              .staircase(function, demands.delayBin(function, fastest[demands.group(g).pair()]))
              .map(stairs -> stairs.rateMillibits(0))
              .orElse(0L);
      greediest = least > most ? g : greediest;
      most = Math.max(most, least);
    }
    return greediest;
  }

  /** The first whose every fast path crosses the link, else the first of all. */
  private int userOf(int link) {
    double[] prices = new double[idle.links()];
    prices[link] = 1;
    CheapestPaths search = new CheapestPaths(idle);
    int source = -1;
    List<List<CheapestPaths.Label>> labels = List.of();
    for (int p = 0; p < demands.pairs(); p++) {
      if (idle.node(demands.pair(p).from()) != source) {
        source = idle.node(demands.pair(p).from());
        labels = search.from(source, prices, Long.MAX_VALUE / 4);
      }
      long bears = demands.mostDelay(p);
      List<CheapestPaths.Label> here = labels.get(idle.node(demands.pair(p).to()));
      if (here.stream().filter(l -> l.delay() <= bears).allMatch(l -> l.price() > 0)) {
        return demands.pair(p).groups().get(0);
      }
    }
    return 0;
  }
}
