package org.paceline.intents.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.paceline.intents.network.Link;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Who chooses, and among which paths, for a {@link BoxChecker}. A chooser takes one cell: a type
 * where all of a type share it, else a copy of an application. Its units each take one path: copies
 * between the same ends are one unit where only one path leads there.
 */
final class BoxWorld {
  private static final int MOST_PATHS = 200;
  private static final int MOST_UNITS = 10_000;
  private static final long MOST_EFFORT = 4_000_000;
  private static final int NONE = -1;

  /** Takes one cell for its units. */
  static final class Chooser {
    final UtilityFunction function;
    final List<Integer> units = new ArrayList<>();

    /** The one before that is alike, or -1: their cells need only be looked at in order. */
    final int before;

    long copies;

    private Chooser(UtilityFunction function, int before) {
      this.function = function;
      this.before = before;
    }
  }

  /** Takes one path for its copies. */
  static final class Unit {
    final int chooser;
    final long copies;

    /** Links of each path. */
    final int[][] paths;

    /** The one before that is alike, or -1: their paths need only be looked at in order. */
    final int before;

    private Unit(int chooser, long copies, int[][] paths, int before) {
      this.chooser = chooser;
      this.copies = copies;
      this.paths = paths;
      this.before = before;
    }
  }

  final Link[] links;
  final List<Chooser> choosers = new ArrayList<>();
  final List<Unit> units = new ArrayList<>();
  private final Map<String, List<Integer>> unitsOf = new HashMap<>();
  private final Map<String, Map<String, Long>> delaysTo = new HashMap<>();
  private long effort = MOST_EFFORT;

  private BoxWorld(Problem problem) {
    this.links = problem.network().links().toArray(new Link[0]);
    Arrays.sort(links, Comparator.comparing(Link::id));
  }

  /** Empty where there are too many paths to be listed. */
  static Optional<BoxWorld> of(Problem problem) {
    BoxWorld world = new BoxWorld(problem);
    Map<String, List<Application>> alike = new TreeMap<>();
    for (Application a : problem.applications()) {
      String key = a.utilityFunction().name() + "\n" + a.from() + "\n" + a.to();
      alike.computeIfAbsent(key, k -> new ArrayList<>()).add(a);
    }
    Map<String, Integer> types = new HashMap<>();
    for (List<Application> group : alike.values()) {
      if (!world.add(group, problem.sharing(), types) || world.units.size() > MOST_UNITS) {
        return Optional.empty();
      }
    }
    return Optional.of(world);
  }

  /** False if there are too many paths. */
  private boolean add(List<Application> group, Sharing sharing, Map<String, Integer> types) {
    Application first = group.get(0);
    UtilityFunction function = first.utilityFunction();
    Optional<int[][]> paths = paths(first);
    long copies = group.stream().mapToLong(Application::count).sum();
    if (paths.isEmpty() || units.size() + copies > MOST_UNITS && paths.get().length > 1) {
      return false;
    }
    List<Integer> own = new ArrayList<>();
    if (sharing == Sharing.FREE) {
      int before = NONE;
      for (long i = 0; i < copies && units.size() <= MOST_UNITS; i++) {
        before = chooser(function, before);
        own.add(unit(before, 1, paths.get(), NONE));
      }
    } else {
      int chooser = types.computeIfAbsent(function.name(), name -> chooser(function, NONE));
      long each = paths.get().length > 1 ? 1 : copies;
      int before = NONE;
      for (long i = 0; i < copies; i += each) {
        before = unit(chooser, each, paths.get(), before);
        own.add(before);
      }
    }
    group.forEach(a -> unitsOf.put(a.id(), own));
    return true;
  }

  private int chooser(UtilityFunction function, int before) {
    choosers.add(new Chooser(function, before));
    return choosers.size() - 1;
  }

  private int unit(int chooser, long copies, int[][] paths, int before) {
    units.add(new Unit(chooser, copies, paths, before));
    choosers.get(chooser).units.add(units.size() - 1);
    choosers.get(chooser).copies += copies;
    return units.size() - 1;
  }

  /** Of all that are like the application; empty if there is none of the name. */
  List<Integer> unitsOf(String application) {
    return unitsOf.getOrDefault(application, List.of());
  }

  OptionalInt unit(String application, int copy) {
    List<Integer> own = unitsOf(application);
    return copy >= 0 && copy < own.size() ? OptionalInt.of(own.get(copy)) : OptionalInt.empty();
  }

  /**
   * All loop-free ones that an idle network lets within the greatest delay of the table: the
   * fastest first, then the shortest, then in the order of their links.
   */
  private Optional<int[][]> paths(Application application) {
    UtilityFunction function = application.utilityFunction();
    List<int[]> found = new ArrayList<>();
    long most = function.delayNanos(function.delayBins() - 1);
    List<String> visited = new ArrayList<>(List.of(application.from()));
    if (!extend(found, visited, new ArrayList<>(), application.to(), most)) {
      return Optional.empty();
    }
    found.sort(
        Comparator.<int[]>comparingLong(this::idleDelay)
            .thenComparing(path -> path.length)
            .thenComparing(Arrays::compare));
    return Optional.of(found.toArray(new int[0][]));
  }

  private boolean extend(
      List<int[]> found, List<String> visited, List<Integer> hops, String to, long room) {
    String at = visited.get(visited.size() - 1);
    if (at.equals(to)) {
      found.add(hops.stream().mapToInt(Integer::intValue).toArray());
      return found.size() <= MOST_PATHS;
    }
    Map<String, Long> rest = delaysTo.computeIfAbsent(to, this::leastDelaysTo);
    for (int e = 0; e < links.length; e++) {
      String next = links[e].to();
      Long delay = rest.get(next);
      if (--effort < 0) {
        return false;
      }
      if (!links[e].from().equals(at)
          || delay == null
          || visited.contains(next)
          || idleDelay(e) + delay > room) {
        continue;
      }
      visited.add(next);
      hops.add(e);
      boolean few = extend(found, visited, hops, to, room - idleDelay(e));
      visited.remove(visited.size() - 1);
      hops.remove(hops.size() - 1);
      if (!few) {
        return false;
      }
    }
    return true;
  }

  /** Nodes from which no way leads there are absent. */
  private Map<String, Long> leastDelaysTo(String node) {
    Map<String, Long> least = new HashMap<>(Map.of(node, 0L));
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int e = 0; e < links.length; e++) {
        Long rest = least.get(links[e].to());
        if (rest != null
            && rest + idleDelay(e) < least.getOrDefault(links[e].from(), Long.MAX_VALUE)) {
          least.put(links[e].from(), rest + idleDelay(e));
          changed = true;
        }
      }
    }
    return least;
  }

  private long idleDelay(int link) {
    return links[link].delay().nanosAt(0);
  }

  private long idleDelay(int[] path) {
    return Arrays.stream(path).mapToLong(this::idleDelay).sum();
  }

  static boolean has(int[] path, int link) {
    return Arrays.stream(path).anyMatch(e -> e == link);
  }
}
