package org.paceline.control.reservations;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.tree.TrafficDirection;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The most that is of use to the conversations that a request is for. The plan grants a
 * conversation no rate above the last of its utility function, within the bounds of its policy,
 * whatever is reserved. So many conversations as share a reservation can use so many times that.
 *
 * <p>Where the utility ceases to grow before the table ends is not looked at: the plan grants such
 * a rate, and who reserves it gets it. O(n + p + c + k²) for n nodes of the tree, p proofs, c
 * reservations and k of those for the same.
 */
final class UsableRate {
  private final IntentPolicies policies;
  private final ProofBook proofs;
  private final BiFunction<ReservationRequest, EffectivePolicy, EffectivePolicy> ruling;

  /**
   * @param ruling the policy of an intent under the scheme of the place that a request is for
   */
  UsableRate(
      IntentPolicies policies,
      ProofBook proofs,
      BiFunction<ReservationRequest, EffectivePolicy, EffectivePolicy> ruling) {
    this.policies = policies;
    this.proofs = proofs;
    this.ruling = ruling;
  }

  /**
   * What of the request's rate is of use beside what is reserved for the very same, at all of its
   * times. Elephants send as they like, so that they can use whatever there is.
   */
  DataRate of(ReservationRequest requested, Collection<Reservation> reserved, Instant now) {
    if (ruling.apply(requested, policies.resolve(requested.intent())).scheme().value()
        == SchemeName.ELEPHANT_ISOLATION) {
      return requested.rate();
    }
    List<Reservation> same =
        reserved.stream()
            .filter(other -> other.requested().isForTheSame(requested))
            .filter(other -> other.requested().start().isBefore(requested.end()))
            .filter(other -> other.requested().end().isAfter(requested.start()))
            .collect(Collectors.toUnmodifiableList());
    long room = Math.max(0, all(requested, same, now) - Overlap.most(requested, same));
    return DataRate.ofMillibitsPerSecond(Math.min(room, requested.rate().millibitsPerSecond()));
  }

  private long all(ReservationRequest requested, List<Reservation> same, Instant now) {
    long most = greatest(requested).millibitsPerSecond();
    long many =
        Math.max(
            same.stream().mapToInt(other -> other.requested().conversations()).max().orElse(1),
            sharing(requested, now));
    return most > Long.MAX_VALUE / many ? Long.MAX_VALUE : most * many;
  }

  /** As many as the request says, or more that talk already where it begins now. */
  private long sharing(ReservationRequest requested, Instant now) {
    long present =
        requested.start().isAfter(now)
            ? 0
            : proofs.all().stream().filter(proof -> DueRates.isFor(requested, proof)).count();
    return Math.max(present, requested.conversations());
  }

  /**
   * The last rate of any utility function under the request's intent, within its policy's bounds.
   */
  private DataRate greatest(ReservationRequest requested) {
    IntentTree tree = policies.tree();
    IntentPath branch = IntentPath.parse(requested.intent());
    return Stream.concat(
            Stream.of(requested.intent()),
            tree.policies().keySet().stream()
                .filter(path -> path.isWithin(branch))
                .map(IntentPath::toString))
        .map(tree::resolve)
        .map(policy -> ruling.apply(requested, policy))
        // Whether a client or a server is to send, a request does not say.
        .flatMap(policy -> Stream.of(policy, policy.inDirection(TrafficDirection.UPLOAD)))
        .map(EffectivePolicy::boundedFunction)
        .map(UsableRate::last)
        .max(DataRate::compareTo)
        .orElseThrow();
  }

  private static DataRate last(UtilityFunction function) {
    return function.throughput(function.throughputBins() - 1);
  }

  /** Why the request is refused, if not all of its rate is of use. */
  String refusal(ReservationRequest requested, Instant now) {
    long many = sharing(requested, now);
    return "Conversations of ("
        + requested.intent()
        + ") can use "
        + greatest(requested).toKbpsFloor()
        + " kbit/s at most each: there their utility function or their policy ends, and no plan"
        + " grants more. This is "
        + requested.rate().toKbpsFloor()
        + " kbit/s for "
        + (many == 1 ? "one" : Long.toString(many))
        + ", with what is reserved for the same already. Maybe ask for less, or say how many"
        + " conversations will share it.";
  }
}
