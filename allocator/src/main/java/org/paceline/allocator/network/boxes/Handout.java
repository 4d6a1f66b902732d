package org.paceline.allocator.network.boxes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.utility.UtilityFunction;

/** Turns choices into grants of applications: of a group the best to the first by id. */
final class Handout {
  private final Field field;
  private final int[][] cells;
  private final int[] paths;

  Handout(Field field) {
    this.field = field;
    this.cells = new int[field.choosers.size()][];
    this.paths = new int[field.units.size()];
  }

  /** Each chooser must be added once, with its part. */
  void add(Question question, Choice choice) {
    for (int c : question.choosers) {
      cells[c] = question.menus[c].cell[choice.cells[c]];
    }
    for (int u : question.units) {
      paths[u] = choice.paths[u];
    }
  }

  /** When all parts were added; in the order of the applications' ids. */
  List<Grant> grants() {
    List<Grant> grants = new ArrayList<>();
    for (Field.Group group : field.groups) {
      grants.addAll(grants(group));
    }
    grants.sort(
        Comparator.comparing(Grant::applicationId)
            .thenComparing(Comparator.comparing(Grant::utility).reversed()));
    return grants;
  }

  private List<Grant> grants(Field.Group group) {
    List<Integer> units = new ArrayList<>(group.units);
    UtilityFunction function = group.first().utilityFunction();
    units.sort(
        Comparator.<Integer>comparingLong(u -> -utility(function, u))
            .thenComparing(u -> cells[field.units.get(u).chooser][0])
            .thenComparing(u -> cells[field.units.get(u).chooser][1])
            .thenComparing(u -> paths[u]));
    List<Grant> grants = new ArrayList<>();
    int at = 0;
    long left = field.units.get(units.get(0)).copies;
    for (Application member : group.members) {
      long wanted = member.count();
      while (wanted > 0) {
        if (left == 0) {
          at++;
          left = field.units.get(units.get(at)).copies;
        }
        long given = Math.min(wanted, left);
        add(grants, grant(member, (int) given, units.get(at)));
        wanted -= given;
        left -= given;
      }
    }
    return grants;
  }

  private long utility(UtilityFunction function, int u) {
    int[] cell = cells[field.units.get(u).chooser];
    return function.utilityBillionths(cell[0], cell[1]);
  }

  private Grant grant(Application member, int count, int u) {
    Field.Unit unit = field.units.get(u);
    UtilityFunction function = member.utilityFunction();
    int[] cell = cells[unit.chooser];
    return Grant.of(
        member.id(),
        count,
        function.throughput(cell[0]),
        function.delay(cell[1]),
        function.utility(cell[0], cell[1]),
        field.topology.path(unit.paths[paths[u]]));
  }

  /** Equal ones that follow each other are one. */
  private static void add(List<Grant> grants, Grant grant) {
    int last = grants.size() - 1;
    if (last >= 0 && withCount(grants.get(last), grant.count()).equals(grant)) {
      grants.set(last, withCount(grant, grants.get(last).count() + grant.count()));
    } else {
      grants.add(grant);
    }
  }

  private static Grant withCount(Grant grant, int count) {
    return Grant.of(
        grant.applicationId(), count, grant.rate(), grant.delay(), grant.utility(), grant.path());
  }
}
