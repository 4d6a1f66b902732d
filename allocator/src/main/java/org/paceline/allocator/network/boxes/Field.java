package org.paceline.allocator.network.boxes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.paceline.allocator.path.AllPaths;
import org.paceline.allocator.path.Meetings;
import org.paceline.allocator.path.Topology;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Who chooses, and among which paths. A chooser takes one cell: a type where all of a type share
 * it, else a copy of an application. Its units each take one path: copies between the same ends are
 * one unit where there is only one path.
 */
final class Field {
  private static final int MOST_PATHS = 130;

  /** Links that may be looked at to list them. */
  private static final long MOST_EFFORT = 1_000_000;

  private static final int MOST_UNITS = 300;
  private static final int NONE = -1;

  /** Applications of the same function and ends. */
  static final class Group {
    final List<Application> members = new ArrayList<>();
    final List<Integer> units = new ArrayList<>();

    Application first() {
      return members.get(0);
    }

    long copies() {
      return members.stream().mapToLong(Application::count).sum();
    }
  }

  /** Takes one cell for all its units. */
  static final class Chooser {
    final UtilityFunction function;
    final List<Integer> units = new ArrayList<>();

    /** The chooser before that is just like this one, so that they may be put in order. */
    final int twin;

    long copies;

    private Chooser(UtilityFunction function, int twin) {
      this.function = function;
      this.twin = twin;
    }
  }

  /** Takes one path for its copies. */
  static final class Unit {
    final int chooser;
    final long copies;
    final int[][] paths;

    /** The unit before of the same chooser and ends, so that they may be put in order. */
    final int twin;

    private Unit(int chooser, long copies, int[][] paths, int twin) {
      this.chooser = chooser;
      this.copies = copies;
      this.paths = paths;
      this.twin = twin;
    }
  }

  /** By whom a unit is known outside: an application, and a number among those that are like it. */
  static final class Name {
    final String application;
    final int copy;

    private Name(String application, int copy) {
      this.application = application;
      this.copy = copy;
    }
  }

  final Topology topology;
  final List<Group> groups = new ArrayList<>();
  final List<Chooser> choosers = new ArrayList<>();
  final List<Unit> units = new ArrayList<>();

  private Field(Topology topology) {
    this.topology = topology;
  }

  /** Empty if there are too many paths or units to be listed. */
  static Optional<Field> of(Problem problem) {
    if (problem.sharing() == Sharing.FREE && problem.size() > MOST_UNITS) {
      return Optional.empty();
    }
    Field field = new Field(Topology.whenIdle(problem.network()));
    Map<List<String>, Group> alike = new TreeMap<>(Field::compare);
    for (Application a : problem.applications()) {
      alike
          .computeIfAbsent(List.of(a.utilityFunction().name(), a.from(), a.to()), k -> new Group())
          .members
          .add(a);
    }
    AllPaths listing = new AllPaths(field.topology, MOST_PATHS, MOST_EFFORT);
    Map<String, Integer> types = new HashMap<>();
    for (Group group : alike.values()) {
      group.members.sort((a, b) -> a.id().compareTo(b.id()));
      Optional<int[][]> paths = paths(listing, field.topology, group.first());
      if (paths.isEmpty()) {
        return Optional.empty();
      }
      if (problem.sharing() == Sharing.FREE) {
        field.addFree(group, paths.get());
      } else {
        int chooser =
            types.computeIfAbsent(
                group.first().utilityFunction().name(),
                name -> field.chooser(group.first().utilityFunction(), NONE));
        if (paths.get().length > 1 && field.units.size() + group.copies() > MOST_UNITS) {
          return Optional.empty();
        }
        field.addShared(group, chooser, paths.get());
      }
      field.groups.add(group);
    }
    return Optional.of(field);
  }

  private static int compare(List<String> a, List<String> b) {
    for (int i = 0; i < a.size(); i++) {
      int order = a.get(i).compareTo(b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static Optional<int[][]> paths(
      AllPaths listing, Topology topology, Application application) {
    UtilityFunction function = application.utilityFunction();
    long most = function.delayNanos(function.delayBins() - 1);
    return listing
        .between(topology.node(application.from()), topology.node(application.to()), most)
        .map(paths -> paths.toArray(new int[0][]));
  }

  private int chooser(UtilityFunction function, int twin) {
    choosers.add(new Chooser(function, twin));
    return choosers.size() - 1;
  }

  private int unit(Group group, int chooser, long copies, int[][] paths, int twin) {
    int number = units.size();
    units.add(new Unit(chooser, copies, paths, twin));
    choosers.get(chooser).units.add(number);
    choosers.get(chooser).copies += copies;
    group.units.add(number);
    return number;
  }

  private void addFree(Group group, int[][] paths) {
    int twin = NONE;
    for (long i = 0; i < group.copies(); i++) {
      twin = chooser(group.first().utilityFunction(), twin);
      unit(group, twin, 1, paths, NONE);
    }
  }

  private void addShared(Group group, int chooser, int[][] paths) {
    if (paths.length <= 1) {
      unit(group, chooser, group.copies(), paths, NONE);
      return;
    }
    int twin = NONE;
    for (long i = 0; i < group.copies(); i++) {
      twin = unit(group, chooser, 1, paths, twin);
    }
  }

  Name name(int unit) {
    for (Group group : groups) {
      int copy = group.units.indexOf(unit);
      if (copy >= 0) {
        return new Name(group.first().id(), copy);
      }
    }
    throw new IllegalArgumentException("There is no unit (" + unit + ").");
  }

  LinkDelay delay(int link) {
    return topology.link(link).delay();
  }

  /** Choosers that can meet on a link, over any path: each part is a problem of its own. */
  List<int[]> parts() {
    return Meetings.groups(
        topology.links(), choosers.stream().map(this::paths).collect(Collectors.toList()));
  }

  private int[][] paths(Chooser chooser) {
    return chooser.units.stream()
        .flatMap(unit -> Arrays.stream(units.get(unit).paths))
        .toArray(int[][]::new);
  }

  /** The utilities of all the choosers' cells in billionths, from the least. */
  long[] levels(int[] part) {
    TreeSet<Long> levels = new TreeSet<>();
    for (int c : part) {
      UtilityFunction function = choosers.get(c).function;
      for (int t = 0; t < function.throughputBins(); t++) {
        for (int d = 0; d < function.delayBins(); d++) {
          levels.add(function.utilityBillionths(t, d));
        }
      }
    }
    return levels.stream().mapToLong(Long::longValue).toArray();
  }
}
