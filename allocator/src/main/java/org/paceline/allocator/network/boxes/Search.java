package org.paceline.allocator.network.boxes;

import java.util.Arrays;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.paceline.intents.problem.BoxTree;

/**
 * Branch and bound over boxes: the choice that is worth most, or a bound of it when the time is
 * over.
 *
 * <p>A box is closed when nothing feasible is left in it, or nothing that is worth more than what
 * is known; else it is parted in two, which together hold all of it ({@link Parting}). The box with
 * the greatest bound is next, and of its halves again the better one until it is closed, so that
 * choices are found early. Menus and lists of paths are finite, so the search ends.
 */
final class Search {
  private static final int FIRST_ROUNDS = 200;
  private static final int ROUNDS = 10;
  private static final int MOST_OPEN = 150_000;

  /** A settled box with the bound of what is in it. */
  private static final class Node implements Comparable<Node> {
    final Box box;
    final Trace.Entry entry;
    double[] prices;
    long bound;
    int number;

    /** Best if links only have prices. */
    Choice relaxed;

    Node(Box box, Trace.Entry entry, double[] prices, long bound) {
      this.box = box;
      this.entry = entry;
      this.prices = prices;
      this.bound = bound;
      this.relaxed = box.first();
    }

    @Override
    public int compareTo(Node other) {
      int byBound = Long.compare(other.bound, bound);
      return byBound != 0 ? byBound : Integer.compare(other.number, number);
    }
  }

  private final Question question;
  private final BooleanSupplier isOver;
  private final boolean anyWillDo;
  private final Trace trace;
  private final PriorityQueue<Node> open = new PriorityQueue<>();
  private @Nullable Choice best;
  private long known;
  private long bound;
  private int numbers;
  private double[] prices;

  private Search(Question question, boolean anyWillDo, BooleanSupplier isOver) {
    this.question = question;
    this.anyWillDo = anyWillDo;
    this.isOver = isOver;
    this.known = BoxTree.NOTHING;
    this.trace = new Trace(question);
    this.prices = new double[question.links()];
  }

  /**
   * Any feasible choice. Bounded by 0 if the time was over before one was found, {@link
   * BoxTree#NOTHING} if none is.
   */
  static Search forAny(Question question, BooleanSupplier isOver) {
    return new Search(question, true, isOver).run();
  }

  /**
   * @param start a feasible choice of the question
   */
  static Search forBest(Question question, Choice start, BooleanSupplier isOver) {
    Search search = new Search(question, false, isOver);
    search.keep(start);
    return search.run();
  }

  Optional<Choice> best() {
    return Optional.ofNullable(best);
  }

  /** Those of the first box. */
  double[] prices() {
    return prices;
  }

  /** Nothing is worth more, in billionths; what is known, if the search came to its end. */
  long bound() {
    return bound;
  }

  /** How the bound was found, for those who go after it; empty if it took too many boxes. */
  Optional<BoxTree> tree() {
    return trace.tree(bound);
  }

  private Search run() {
    if (!question.isAnswerable()) {
      bound = known;
      return this;
    }
    Node root =
        new Node(Box.all(question), trace.root(), new double[question.links()], Long.MAX_VALUE);
    if (stays(root, FIRST_ROUNDS)) {
      open.add(root);
    }
    prices = root.prices;
    while (!open.isEmpty() && !isDone()) {
      dive(open.remove());
    }
    bound = Math.max(known, open.isEmpty() ? known : open.peek().bound);
    return this;
  }

  private boolean isDone() {
    return (anyWillDo && best != null) || open.size() > MOST_OPEN || isOver.getAsBoolean();
  }

  /** Parts the box, the better one of its halves and so on, until one is closed. */
  private void dive(Node from) {
    Node node = from;
    while (node.bound > known) {
      if (isDone()) {
        open.add(node);
        return;
      }
      Parting.Halves halves = Parting.of(question, node.box, node.relaxed);
      Trace.Entry[] entries = trace.part(node.entry, halves.split);
      Node first = new Node(halves.first, entries[0], node.prices, node.bound);
      Node second = new Node(halves.second, entries[1], node.prices, node.bound);
      boolean firstStays = stays(first, ROUNDS);
      boolean secondStays = stays(second, ROUNDS);
      if (!firstStays && !secondStays) {
        return;
      }
      boolean firstIsNext = firstStays && (!secondStays || first.bound >= second.bound);
      node = firstIsNext ? first : second;
      if (firstStays && secondStays) {
        open.add(firstIsNext ? second : first);
      }
    }
  }

  /** Whether the box may hold something that is worth more than what is known. */
  private boolean stays(Node node, int rounds) {
    boolean stays = mayHoldMore(node, rounds);
    node.entry.priced(node.prices);
    return stays;
  }

  private boolean mayHoldMore(Node node, int rounds) {
    node.number = numbers++;
    if (!node.box.settle() || !dropWorthless(node)) {
      return false;
    }
    tune(node, rounds);
    while (true) {
      PriceBound relaxed = new PriceBound(question, node.box, node.prices);
      node.relaxed = relaxed.choice;
      node.bound = Math.min(node.bound, relaxed.bound());
      if (node.bound <= known) {
        return false;
      }
      if (relaxed.choice.isFeasible()) {
        keep(relaxed.choice);
        if (anyWillDo || node.bound <= known) {
          return false;
        }
      }
      if (!relaxed.drop(known)) {
        return true;
      }
      if (!node.box.settle() || !dropWorthless(node)) {
        return false;
      }
    }
  }

  /** By what all choosers' best cells are worth, as if links were free. */
  private boolean dropWorthless(Node node) {
    PriceBound free = new PriceBound(question, node.box, new double[question.links()]);
    node.bound = Math.min(node.bound, free.bound());
    while (node.bound > known && free.drop(known)) {
      if (!node.box.settle()) {
        return false;
      }
      free = new PriceBound(question, node.box, new double[question.links()]);
      node.bound = Math.min(node.bound, free.bound());
    }
    return node.bound > known;
  }

  private void keep(Choice choice) {
    Choice better = choice.improved();
    if (best == null || better.worth() > known) {
      best = better;
      known = better.worth();
    }
  }

  /** Subgradient steps after Polyak towards what is known; the best prices are kept. */
  private void tune(Node node, int rounds) {
    double[] prices = node.prices;
    double least = Double.POSITIVE_INFINITY;
    double share = 1;
    for (int i = 0; i < rounds; i++) {
      PriceBound at = new PriceBound(question, node.box, prices);
      if (at.value() < least) {
        least = at.value();
        node.prices = prices;
        node.bound = Math.min(node.bound, at.bound());
      } else {
        share *= 0.9;
      }
      if (at.bound() <= known || isOver.getAsBoolean()) {
        return;
      }
      double[] room = at.room();
      double length = 0;
      for (int e = 0; e < room.length; e++) {
        room[e] = prices[e] == 0 && room[e] > 0 ? 0 : room[e];
        length += room[e] * room[e];
      }
      if (length == 0) {
        return;
      }
      double goal = Math.max(known, 0) - (anyWillDo ? 1e9 : 0);
      double step = share * (at.value() - goal) / length;
      prices = prices.clone();
      for (int e = 0; e < prices.length; e++) {
        prices[e] = Math.max(0, prices[e] - step * room[e]);
      }
    }
    // The last ones were not looked at.
    node.prices = Arrays.copyOf(node.prices, node.prices.length);
  }
}
