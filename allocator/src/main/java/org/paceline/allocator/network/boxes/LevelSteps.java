package org.paceline.allocator.network.boxes;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.paceline.intents.problem.BoxTree;
import org.paceline.intents.unit.Utility;

/**
 * The greatest level that all choosers of a part can have, by bisection over the levels of their
 * tables: who can have a level can have every lower one.
 */
final class LevelSteps {
  private final Field field;
  private final int[] part;
  private final long[] levels;

  /** The greatest level that was reached; -1 if none. */
  private int reached = -1;

  /** The least level that nobody can reach; as many as there are levels if none is known. */
  private int refuted;

  private @Nullable Choice choice;

  private Optional<BoxTree> refuting = Optional.empty();

  LevelSteps(Field field, int[] part) {
    this.field = field;
    this.part = part;
    this.levels = field.levels(part);
    this.refuted = levels.length;
  }

  /**
   * @param enough a level, in billionths, above which nothing is gained: another part cannot reach
   *     it
   * @param turns the end of a search that begins, by the number of searches that may follow
   */
  LevelSteps run(long enough, LongFunction<BooleanSupplier> turns) {
    int top = Arrays.binarySearch(levels, enough);
    int open = Math.min(levels.length, top < 0 ? -top : top + 1);
    int next = 0;
    while (open - reached > 1) {
      Question question = Question.ofLevel(field, part, levels[next]);
      int searches = 33 - Integer.numberOfLeadingZeros(open - reached);
      Search search = Search.forAny(question, turns.apply(searches));
      if (search.best().isPresent()) {
        choice = search.best().get();
        reached = Math.max(next, Arrays.binarySearch(levels, leastOf(choice)));
      } else {
        open = next;
        if (search.bound() < 0) {
          refuted = next;
          refuting = search.tree();
        }
      }
      next = (open + reached) >>> 1;
    }
    return this;
  }

  /** What all have at least with the choice, if each takes the best cell at its loads. */
  private long leastOf(Choice found) {
    long least = Utility.MAX.billionths();
    for (int c : part) {
      least = Math.min(least, found.regraded(c));
    }
    return least;
  }

  boolean isReached() {
    return choice != null;
  }

  /** Whether not even the least level can be had. */
  boolean isRefuted() {
    return refuted == 0;
  }

  /** Billionths. */
  long theta() {
    return levels[reached];
  }

  /** The greatest level, in billionths, that was not refuted. */
  long bound() {
    return levels[refuted - 1];
  }

  /** How the least level was refuted; empty if none was, or by too many boxes. */
  Optional<BoxTree> refuting() {
    return refuting;
  }

  /** Has the level that was reached. */
  Choice choice() {
    if (choice == null) {
      throw new IllegalStateException("No level was reached.");
    }
    return choice;
  }
}
