package org.paceline.intents.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.BoxNode;
import org.paceline.intents.problem.BoxSplit;
import org.paceline.intents.problem.BoxTree;
import org.paceline.intents.problem.Problem;

/**
 * Goes after a search in boxes: from the problem alone it lists cells and paths, parts boxes as the
 * tree says, takes away what cannot be, and asks whether each box without halves is closed by its
 * prices.
 *
 * <p>Who is not in a tree is left out. Loads can only be greater with them, and no link gets faster
 * with load, so that the bound holds all the same.
 */
final class BoxChecker {
  private final Problem problem;

  BoxChecker(Problem problem) {
    this.problem = problem;
  }

  /** Whether the tree shows that its applications cannot all have the level, in billionths. */
  boolean isRefuted(BoxTree tree, long level) {
    return BoxWorld.of(problem)
        .filter(world -> isClosed(world, tree, level, false, BoxTree.NOTHING))
        .isPresent();
  }

  /**
   * Whether the trees show that their applications have no sum above that of their bounds.
   *
   * @param floor the least utility that anybody may have
   */
  boolean areBounded(List<BoxTree> trees, long floor) {
    return trees.isEmpty()
        || BoxWorld.of(problem)
            .filter(world -> isNobodyTwice(world, trees))
            .filter(
                world -> trees.stream().allMatch(t -> isClosed(world, t, floor, true, t.bound())))
            .isPresent();
  }

  private static boolean isNobodyTwice(BoxWorld world, List<BoxTree> trees) {
    List<Integer> all =
        trees.stream().flatMap(t -> unitsOf(world, t).stream()).collect(Collectors.toList());
    return new TreeSet<>(all).size() == all.size();
  }

  private static Set<Integer> unitsOf(BoxWorld world, BoxTree tree) {
    return tree.applications().stream()
        .flatMap(application -> world.unitsOf(application).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean isClosed(
      BoxWorld world, BoxTree tree, long floor, boolean isValued, long bound) {
    Set<Integer> units = unitsOf(world, tree);
    List<Integer> choosers =
        units.stream().map(u -> world.units.get(u).chooser).distinct().collect(Collectors.toList());
    boolean isWhole =
        choosers.stream().allMatch(c -> units.containsAll(world.choosers.get(c).units));
    if (choosers.isEmpty() || !isWhole) {
      return false;
    }
    BoxQuestion question = new BoxQuestion(world, choosers, floor, isValued, bound);
    return new Walk(question).isClosed(tree.boxes());
  }

  /** A box that is still to be looked at, with the prices of the one that it is a half of. */
  private static final class Step {
    final OpenBox box;
    final double[] prices;

    Step(OpenBox box, double[] prices) {
      this.box = box;
      this.prices = prices;
    }
  }

  /** Through one tree. */
  private static final class Walk {
    private final BoxQuestion question;

    Walk(BoxQuestion question) {
      this.question = question;
    }

    boolean isClosed(List<BoxNode> nodes) {
      Deque<Step> steps = new ArrayDeque<>();
      steps.push(new Step(OpenBox.all(question), new double[question.world.links.length]));
      Iterator<BoxNode> next = nodes.iterator();
      while (!steps.isEmpty()) {
        if (!next.hasNext()) {
          return false;
        }
        Step step = steps.pop();
        BoxNode node = next.next();
        double[] prices = node.prices().map(this::prices).orElse(step.prices);
        if (Arrays.stream(prices).anyMatch(p -> !(p >= 0 && p < Double.POSITIVE_INFINITY))) {
          return false;
        }
        boolean isLeft = step.box.reduce(prices);
        if (node.split().isEmpty() && isLeft) {
          return false;
        }
        if (node.split().isPresent()) {
          List<OpenBox> halves = halves(step.box, node.split().get());
          if (halves.isEmpty()) {
            return false;
          }
          steps.push(new Step(halves.get(1), prices));
          steps.push(new Step(halves.get(0), prices));
        }
      }
      return !next.hasNext();
    }

    private double[] prices(Map<LinkId, Double> byLink) {
      double[] prices = new double[question.world.links.length];
      for (int e = 0; e < prices.length; e++) {
        prices[e] = byLink.getOrDefault(question.world.links[e].id(), 0.0);
      }
      return prices;
    }

    /** Empty where the split names nobody of the question. */
    private List<OpenBox> halves(OpenBox box, BoxSplit split) {
      OptionalInt unit = question.world.unit(split.application(), split.copy());
      if (unit.isEmpty() || !question.units.contains(unit.getAsInt())) {
        return List.of();
      }
      int u = unit.getAsInt();
      int c = question.world.units.get(u).chooser;
      BoxQuestion.Cell[] menu = question.menus[c];
      List<OpenBox> halves = new ArrayList<>();
      for (boolean isFirst : new boolean[] {true, false}) {
        split
            .rate()
            .map(most -> most.millibitsPerSecond())
            .map(most -> box.withCells(c, i -> menu[i].rate <= most == isFirst))
            .ifPresent(halves::add);
        split
            .delay()
            .map(least -> least.nanos())
            .map(least -> box.withCells(c, i -> menu[i].delay >= least == isFirst))
            .ifPresent(halves::add);
        split
            .link()
            .map(link -> box.withPaths(u, p -> crosses(u, p, link) != isFirst))
            .ifPresent(halves::add);
      }
      return halves;
    }

    private boolean crosses(int u, int p, LinkId link) {
      for (int e : question.world.units.get(u).paths[p]) {
        if (question.world.links[e].id().equals(link)) {
          return true;
        }
      }
      return false;
    }
  }
}
