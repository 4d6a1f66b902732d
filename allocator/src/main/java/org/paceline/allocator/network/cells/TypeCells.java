package org.paceline.allocator.network.cells;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.paceline.allocator.network.core.CoreProblem;

/**
 * The cells that the types of a core can share, by rate: what each is worth for all of the type
 * together, and on which ways each of its groups can have it.
 */
final class TypeCells {
  /** A cell that every group of the type has a column of. */
  static final class Cell {
    /** As {@link CoreProblem#cell} has it. */
    final int number;

    final long rate;

    /** For all copies together. */
    final long utility;

    /** Which ways there are: one of the type's menus. */
    final int menu;

    private Cell(int number, long rate, long utility, int menu) {
      this.number = number;
      this.rate = rate;
      this.utility = utility;
      this.menu = menu;
    }
  }

  private final CoreProblem problem;
  private final List<int[]> groups = new ArrayList<>();
  private final List<Cell[]> cells = new ArrayList<>();

  /**
   * The ways that each group of a type may take, many cells having the same: links by group, way.
   */
  private final List<List<int[][][]>> menus = new ArrayList<>();

  private final List<BitSet[]> wider = new ArrayList<>();

  TypeCells(CoreProblem problem) {
    this.problem = problem;
    Map<Integer, List<Integer>> byType = new TreeMap<>();
    for (int g = 0; g < problem.groups(); g++) {
      byType.computeIfAbsent(problem.type(g), t -> new ArrayList<>()).add(g);
    }
    byType.values().forEach(this::add);
  }

  private void add(List<Integer> members) {
    int[] own = members.stream().mapToInt(Integer::intValue).toArray();
    List<Map<Integer, List<Integer>>> columns = new ArrayList<>();
    TreeSet<Integer> shared = new TreeSet<>();
    for (int i = 0; i < own.length; i++) {
      Map<Integer, List<Integer>> byCell = new HashMap<>();
      for (int c = 0; c < problem.columns(own[i]); c++) {
        byCell.computeIfAbsent(problem.cell(own[i], c), k -> new ArrayList<>()).add(c);
      }
      columns.add(byCell);
      if (i == 0) {
        shared.addAll(byCell.keySet());
      } else {
        shared.retainAll(byCell.keySet());
      }
    }
    Map<String, Integer> known = new HashMap<>();
    List<int[][][]> menusOfType = new ArrayList<>();
    List<Cell> found = new ArrayList<>();
    for (int number : shared) {
      int[][][] ways = new int[own.length][][];
      long utility = 0;
      long rate = 0;
      for (int i = 0; i < own.length; i++) {
        int group = own[i];
        List<Integer> of = columns.get(i).getOrDefault(number, List.of());
        rate = problem.rate(group, of.get(0));
        utility += problem.count(group) * problem.utility(group, of.get(0));
        ways[i] = of.stream().map(c -> problem.links(group, c)).toArray(int[][]::new);
      }
      int menu = known.computeIfAbsent(Arrays.deepToString(ways), k -> known.size());
      if (menu == menusOfType.size()) {
        menusOfType.add(ways);
      }
      found.add(new Cell(number, rate, utility, menu));
    }
    found.sort((a, b) -> Long.compare(a.rate, b.rate));
    groups.add(own);
    cells.add(found.toArray(new Cell[0]));
    menus.add(menusOfType);
    wider.add(wider(menusOfType));
  }

  int types() {
    return cells.size();
  }

  int cells(int type) {
    return cells.get(type).length;
  }

  Cell cell(int type, int cell) {
    return cells.get(type)[cell];
  }

  int links() {
    return problem.links();
  }

  long limit(int link) {
    return problem.limit(link);
  }

  /** What a unit of rate costs the whole type, by menu. */
  double[] costs(int type, double[] prices) {
    double[] costs = new double[menus.get(type).size()];
    for (int m = 0; m < costs.length; m++) {
      int[][][] ways = menus.get(type).get(m);
      for (int i = 0; i < ways.length; i++) {
        costs[m] += problem.count(groups.get(type)[i]) * price(cheapest(ways[i], prices), prices);
      }
    }
    return costs;
  }

  /** How many copies use each link, where all take the cheapest ways of the menu. */
  double[] users(int type, int menu, double[] prices) {
    double[] users = new double[links()];
    int[][][] ways = menus.get(type).get(menu);
    for (int i = 0; i < ways.length; i++) {
      for (int link : cheapest(ways[i], prices)) {
        users[link] += problem.count(groups.get(type)[i]);
      }
    }
    return users;
  }

  private static int[] cheapest(int[][] ways, double[] prices) {
    int[] best = ways[0];
    for (int[] way : ways) {
      best = price(way, prices) < price(best, prices) ? way : best;
    }
    return best;
  }

  private static double price(int[] way, double[] prices) {
    double price = 0;
    for (int link : way) {
      price += prices[link];
    }
    return price;
  }

  /** The cells that need at least as much rate as this one and have no way that it has not. */
  BitSet asHard(int type, int cell) {
    BitSet hard = new BitSet();
    Cell least = cell(type, cell);
    for (int c = 0; c < cells(type); c++) {
      Cell other = cell(type, c);
      if (other.rate >= least.rate && wider.get(type)[other.menu].get(least.menu)) {
        hard.set(c);
      }
    }
    return hard;
  }

  /** By menu, which menus have all its ways. */
  private static BitSet[] wider(List<int[][][]> menus) {
    BitSet[] wider = new BitSet[menus.size()];
    for (int menu = 0; menu < wider.length; menu++) {
      wider[menu] = new BitSet();
      for (int of = 0; of < wider.length; of++) {
        wider[menu].set(of, isWithin(menus.get(menu), menus.get(of)));
      }
    }
    return wider;
  }

  private static boolean isWithin(int[][][] ways, int[][][] more) {
    for (int i = 0; i < ways.length; i++) {
      for (int[] way : ways[i]) {
        if (Arrays.stream(more[i]).noneMatch(other -> Arrays.equals(other, way))) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * The columns of these cells, one for each type, for a search that finds out whether they fit.
   *
   * @param kept is given, by group, which columns of the whole problem these are
   */
  CoreProblem only(int[] chosen, List<int[]> kept) {
    long[] limits = new long[links()];
    Arrays.setAll(limits, problem::limit);
    CoreProblem.Builder builder = CoreProblem.builder(limits);
    int[] number = new int[problem.groups()];
    for (int t = 0; t < types(); t++) {
      for (int group : groups.get(t)) {
        number[group] = cell(t, chosen[t]).number;
      }
    }
    for (int g = 0; g < problem.groups(); g++) {
      builder.group(problem.count(g), CoreProblem.FREE);
      int[] columns = new int[problem.columns(g)];
      int size = 0;
      for (int c = 0; c < columns.length; c++) {
        if (problem.cell(g, c) == number[g]) {
          columns[size++] = c;
          builder.column(problem.links(g, c), problem.rate(g, c), 0, 0);
        }
      }
      kept.add(Arrays.copyOf(columns, size));
    }
    return builder.build();
  }
}
