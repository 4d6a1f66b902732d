package org.paceline.control.reservations;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.proof.ProofBook;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The most that is of use to the conversations that a wish is for. The plan grants a conversation
 * no rate above the last of its utility function, within the bounds of its policy, whatever is
 * reserved. So many conversations as share a reservation can use so many times that.
 *
 * <p>Where the utility ceases to grow before the table ends is not looked at: the plan grants such
 * a rate, and who reserves it gets it. O(n + p + c + k²) for n nodes of the tree, p proofs, c
 * reservations and k of those for the same.
 */
final class UsableRate {
  private final IntentPolicies policies;
  private final ProofBook proofs;

  UsableRate(IntentPolicies policies, ProofBook proofs) {
    this.policies = policies;
    this.proofs = proofs;
  }

  /**
   * What of the wish's rate is of use beside what is reserved for the very same, at all of its
   * times.
   */
  DataRate of(Wish wish, Collection<Reservation> reserved, Instant now) {
    List<Reservation> same =
        reserved.stream()
            .filter(other -> other.wish().isForTheSame(wish))
            .filter(other -> other.wish().start().isBefore(wish.end()))
            .filter(other -> other.wish().end().isAfter(wish.start()))
            .collect(Collectors.toUnmodifiableList());
    long room = Math.max(0, all(wish, same, now) - Overlap.most(wish, same));
    return DataRate.ofMillibitsPerSecond(Math.min(room, wish.rate().millibitsPerSecond()));
  }

  private long all(Wish wish, List<Reservation> same, Instant now) {
    long most = greatest(wish).millibitsPerSecond();
    long many =
        Math.max(
            same.stream().mapToInt(other -> other.wish().conversations()).max().orElse(1),
            sharing(wish, now));
    return most > Long.MAX_VALUE / many ? Long.MAX_VALUE : most * many;
  }

  /** As many as the wish says, or more that talk already where it begins now. */
  private long sharing(Wish wish, Instant now) {
    long present =
        wish.start().isAfter(now)
            ? 0
            : proofs.all().stream()
                .filter(proof -> DueRates.isFor(wish, proof.conversation()))
                .count();
    return Math.max(present, wish.conversations());
  }

  /** The last rate of any utility function under the wish's intent, within its policy's bounds. */
  private DataRate greatest(Wish wish) {
    IntentTree tree = policies.tree();
    IntentPath branch = IntentPath.parse(wish.intent());
    return Stream.concat(
            Stream.of(wish.intent()),
            tree.policies().keySet().stream()
                .filter(path -> path.isWithin(branch))
                .map(IntentPath::toString))
        .map(tree::resolve)
        .map(EffectivePolicy::boundedFunction)
        .map(UsableRate::last)
        .max(DataRate::compareTo)
        .orElseThrow();
  }

  private static DataRate last(UtilityFunction function) {
    return function.throughput(function.throughputBins() - 1);
  }

  /** Why the wish is refused, if not all of its rate is of use. */
  String refusal(Wish wish, Instant now) {
    long many = sharing(wish, now);
    return "Conversations of ("
        + wish.intent()
        + ") can use "
        + greatest(wish).toKbpsFloor()
        + " kbit/s at most each: there their utility function or their policy ends, and no plan"
        + " grants more. This is "
        + wish.rate().toKbpsFloor()
        + " kbit/s for "
        + (many == 1 ? "one" : Long.toString(many))
        + ", with what is reserved for the same already. Maybe ask for less, or say how many"
        + " conversations will share it.";
  }
}
