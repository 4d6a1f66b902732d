package org.paceline.allocator.incremental;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.allocator.path.CandidatePaths;
import org.paceline.allocator.path.CheapestPaths;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.problem.Application;
import org.paceline.intents.utility.UtilityFunction;

/** The menus at frozen prices, each made when first asked for. */
final class Menus {
  private static final int WAYS = 4;

  private final Topology idle;
  private final Topology full;
  private final double[] prices;
  private final long floor;
  private final Map<String, Menu> menus = new HashMap<>();
  private final Map<Integer, List<List<CheapestPaths.Label>>> labels = new HashMap<>();
  private final Map<Integer, List<List<int[]>>> candidates = new HashMap<>();

  /** By function and the least delay bin that a path keeps. */
  private final Map<String, Map<Integer, Optional<Steps>>> steps = new HashMap<>();

  Menus(Topology idle, Topology full, double[] prices, long floor) {
    this.idle = idle;
    this.full = full;
    this.prices = prices;
    this.floor = floor;
  }

  Menu of(Application application) {
    return menus.computeIfAbsent(
        application.utilityFunction().name() + ' ' + application.from() + ' ' + application.to(),
        key -> menu(application));
  }

  private Menu menu(Application application) {
    int from = idle.node(application.from());
    int to = idle.node(application.to());
    Menu menu =
        new Menu(
            delay -> steps(application.utilityFunction(), delay),
            labels
                .computeIfAbsent(
                    from, f -> new CheapestPaths(idle).from(f, prices, Long.MAX_VALUE / 4))
                .get(to),
            full,
            prices);
    candidates
        .computeIfAbsent(from, f -> new CandidatePaths(full).from(f, WAYS, Long.MAX_VALUE / 4))
        .get(to)
        .forEach(menu::add);
    return menu;
  }

  private Optional<Steps> steps(UtilityFunction function, long delay) {
    int bin = 0;
    while (bin < function.delayBins() && function.delayNanos(bin) < delay) {
      bin++;
    }
    return steps
        .computeIfAbsent(function.name(), name -> new HashMap<>())
        .computeIfAbsent(bin, b -> Steps.of(function, delay, floor));
  }
}
