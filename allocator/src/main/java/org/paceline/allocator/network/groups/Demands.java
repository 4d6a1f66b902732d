package org.paceline.allocator.network.groups;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.paceline.allocator.exact.Staircase;
import org.paceline.intents.problem.Application;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The applications of a problem in groups of the same function, source and destination, in the
 * order of these names: whoever is in a group is alike, so that only counts matter.
 */
public final class Demands {
  /**
   * Groups of which more are many. With fewer, smooth prices pay nothing, and levelling with all
   * that belongs to it has been seen to end far from the bound where there are many copies.
   */
  private static final int MANY = 12_000;

  /** Two nodes between which there are groups. */
  public static final class Pair {
    private final String from;
    private final String to;
    private final List<Integer> groups = new ArrayList<>();

    private Pair(String from, String to) {
      this.from = from;
      this.to = to;
    }

    public String from() {
      return from;
    }

    public String to() {
      return to;
    }

    public List<Integer> groups() {
      return Collections.unmodifiableList(groups);
    }
  }

  /** Identical applications. */
  public static final class Group {
    private final int pair;
    private final int function;
    private final List<Application> members;
    private final long count;

    private Group(int pair, int function, List<Application> members) {
      this.pair = pair;
      this.function = function;
      this.members = members;
      this.count = members.stream().mapToLong(Application::count).sum();
    }

    public int pair() {
      return pair;
    }

    public int function() {
      return function;
    }

    public List<Application> members() {
      return members;
    }

    /** Copies of all members. */
    public long count() {
      return count;
    }
  }

  private final List<Pair> pairs = new ArrayList<>();
  private final List<Group> groups = new ArrayList<>();
  private long copies;
  private final List<UtilityFunction> functions = new ArrayList<>();
  private final List<List<Optional<Staircase>>> staircases = new ArrayList<>();

  public static Demands of(List<Application> applications) {
    Demands demands = new Demands();
    Map<String, UtilityFunction> byName = new HashMap<>();
    Set<String> nodes = new HashSet<>();
    for (Application a : applications) {
      byName.put(a.utilityFunction().name(), a.utilityFunction());
      nodes.add(a.from());
      nodes.add(a.to());
    }
    Map<String, Integer> numbers = new HashMap<>();
    for (UtilityFunction function : new TreeMap<>(byName).values()) {
      numbers.put(function.name(), numbers.size());
      demands.functions.add(function);
      List<Optional<Staircase>> byBin = new ArrayList<>();
      for (int d = 0; d < function.delayBins(); d++) {
        byBin.add(Staircase.of(function, function.delayNanos(d)));
      }
      byBin.add(Optional.empty());
      demands.staircases.add(byBin);
    }
    List<String> names = new ArrayList<>(new TreeSet<>(nodes));
    Map<String, Integer> places = new HashMap<>();
    names.forEach(name -> places.put(name, places.size()));
    // Whoever is alike has the same key, and keys are in the order of the names.
    Map<Long, List<Application>> alike = new HashMap<>();
    for (Application a : applications) {
      long pair =
          (long) places.getOrDefault(a.from(), 0) * names.size() + places.getOrDefault(a.to(), 0);
      long key = pair * numbers.size() + numbers.getOrDefault(a.utilityFunction().name(), 0);
      alike.computeIfAbsent(key, k -> new ArrayList<>()).add(a);
    }
    long last = -1;
    for (long key : alike.keySet().stream().mapToLong(Long::longValue).sorted().toArray()) {
      List<Application> members = alike.getOrDefault(key, List.of());
      members.sort(Comparator.comparing(Application::id));
      long pair = key / numbers.size();
      if (pair != last) {
        demands.pairs.add(new Pair(members.get(0).from(), members.get(0).to()));
        last = pair;
      }
      Group group =
          new Group(
              demands.pairs.size() - 1,
              (int) (key % numbers.size()),
              Collections.unmodifiableList(members));
      demands.pairs.get(group.pair).groups.add(demands.groups.size());
      demands.groups.add(group);
      demands.copies += group.count;
    }
    return demands;
  }

  public int pairs() {
    return pairs.size();
  }

  public Pair pair(int pair) {
    return pairs.get(pair);
  }

  public int groups() {
    return groups.size();
  }

  public Group group(int group) {
    return groups.get(group);
  }

  public int functions() {
    return functions.size();
  }

  public UtilityFunction function(int function) {
    return functions.get(function);
  }

  /** The least delay bin that a path keeps; the number of bins where it keeps none. */
  public int delayBin(int function, long pathDelay) {
    UtilityFunction table = functions.get(function);
    int low = 0;
    int high = table.delayBins();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (table.delayNanos(middle) < pathDelay) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Empty beyond the last delay bin. */
  public Optional<Staircase> staircase(int function, int delayBin) {
    return staircases.get(function).get(delayBin);
  }

  /** The slowest path that anybody between the pair tolerates. */
  public long mostDelay(int pair) {
    long most = 0;
    for (int g : pairs.get(pair).groups) {
      UtilityFunction table = functions.get(groups.get(g).function);
      most = Math.max(most, table.delayNanos(table.delayBins() - 1));
    }
    return most;
  }

  public long copies() {
    return copies;
  }

  /** Whether there are so many groups that smooth prices and levelling pay. */
  public boolean areMany() {
    return groups.size() > MANY;
  }
}
