package org.paceline.allocator.exact;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.paceline.intents.problem.Application;

/**
 * Draws who of a crowd gets which of its steps, where they are not all the same.
 *
 * <p>Every id has a number, which depends on nothing but the id, and the greatest numbers get the
 * best steps. So the order of the input changes nothing, no name is better off for sorting early,
 * and who was lucky in one solve is in the next. The numbers' first bits are the lot. O(n) for n
 * members: only those lots are put in order in which one step ends and the next begins.
 *
 * <p>All members are drawn, then the lots are settled, then those of mixed lots are gathered and
 * dealt their parts.
 */
final class Lots {
  private static final int MOST_BITS = 12;
  private static final int MIXED = -1;
  private static final Comparator<Application> GREATEST_FIRST =
      Comparator.<Application>comparingLong(a -> -number(a)).thenComparing(Application::id);

  private final int shift;
  private final long[] copiesOfLot;
  private final int[] stepOfLot;
  private final boolean alike;

  /** What is left of each step. */
  private final long[] left;

  private int step;
  private final Map<Integer, List<Application>> membersOfMixed = new HashMap<>();
  private final Map<Integer, List<long[]>> partsOfMixed = new HashMap<>();
  private final Map<String, List<int[]>> partsOfMember = new HashMap<>();

  /**
   * @param counts how many get each step; together as many as there are
   */
  Lots(int members, long[] counts) {
    this.left = counts.clone();
    this.step = counts.length - 1;
    while (counts[step] == 0) {
      step--;
    }
    int best = step;
    this.alike = IntStream.range(0, best).allMatch(lower -> counts[lower] == 0);
    int bits = alike ? 0 : Math.min(MOST_BITS, 32 - Integer.numberOfLeadingZeros(members));
    this.shift = 32 - bits;
    this.copiesOfLot = new long[1 << bits];
    this.stepOfLot = new int[1 << bits];
    stepOfLot[0] = best;
  }

  /** All get the same: all are of lot 0, there is nothing to draw. */
  boolean isAlike() {
    return alike;
  }

  private static long number(Application application) {
    // Scrambled, because ids that are counted through have hashes that are, too.
    return Integer.toUnsignedLong(application.id().hashCode() * 0x9E3779B9);
  }

  /** The lot of a member. */
  int draw(Application member) {
    int lot = (int) (number(member) >>> shift);
    copiesOfLot[lot] += member.count();
    return lot;
  }

  /** Says what each lot gets, once all are drawn. */
  void settle() {
    for (int lot = copiesOfLot.length - 1; lot >= 0; lot--) {
      List<long[]> parts = take(copiesOfLot[lot]);
      stepOfLot[lot] = parts.size() == 1 ? (int) parts.get(0)[0] : MIXED;
      if (parts.size() > 1) {
        partsOfMixed.put(lot, parts);
        membersOfMixed.put(lot, new ArrayList<>());
      }
    }
  }

  /** The next copies: how many get which step, best first. */
  private List<long[]> take(long copies) {
    List<long[]> parts = new ArrayList<>(1);
    long open = copies;
    while (open > 0) {
      while (left[step] == 0) {
        step--;
      }
      long taken = Math.min(open, left[step]);
      parts.add(new long[] {step, taken});
      left[step] -= taken;
      open -= taken;
    }
    return parts;
  }

  /** Whether the members of a lot get different steps and must be gathered and dealt them. */
  boolean isMixed(int lot) {
    return stepOfLot[lot] == MIXED;
  }

  void gather(int lot, Application member) {
    membersOfMixed.getOrDefault(lot, List.of()).add(member);
  }

  void deal() {
    membersOfMixed.forEach(
        (lot, members) -> {
          members.sort(GREATEST_FIRST);
          deal(members, new ArrayDeque<>(partsOfMixed.getOrDefault(lot, List.of())));
        });
  }

  private void deal(List<Application> members, Deque<long[]> parts) {
    for (Application member : members) {
      List<int[]> own = new ArrayList<>(1);
      int open = member.count();
      while (open > 0) {
        long[] part = parts.element();
        int taken = (int) Math.min(open, part[1]);
        own.add(new int[] {(int) part[0], taken});
        open -= taken;
        part[1] -= taken;
        if (part[1] == 0) {
          parts.remove();
        }
      }
      partsOfMember.put(member.id(), own);
    }
  }

  /** The step that all of a lot get, where it is not mixed. */
  int step(int lot) {
    return stepOfLot[lot];
  }

  /** Of a mixed lot's member: steps and how many of its copies get each, best first. */
  List<int[]> parts(Application member) {
    return partsOfMember.getOrDefault(member.id(), List.of());
  }
}
