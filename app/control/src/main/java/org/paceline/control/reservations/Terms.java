package org.paceline.control.reservations;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.control.ceiling.Ceiling;
import org.paceline.control.ceiling.Ceilings;
import org.paceline.control.change.User;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.port.NetworkState;
import org.paceline.control.port.NetworkView;
import org.paceline.control.proof.ProofBook;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.Network;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/**
 * What a wish is judged by: the intents, its times, what is of use, the ceilings of whoever asks,
 * and the room in the network.
 */
public final class Terms {
  private static final int HUNDRED = 100;

  /** A wish for now is a little late by the time it is looked at. */
  private static final Duration LATE = Duration.ofSeconds(30);

  private static final Duration FURTHEST = Duration.ofDays(3_650);

  private final Admission admission;
  private final NetworkView network;
  private final UnaryOperator<Network> reservable;
  private final IntentPolicies policies;
  private final UsableRate usable;
  private final Ceilings ceilings;

  /**
   * @param reservable of the network, the capacities that may be reserved
   */
  public Terms(
      Admission admission,
      NetworkView network,
      UnaryOperator<Network> reservable,
      IntentPolicies policies,
      ProofBook proofs,
      Ceilings ceilings) {
    this.admission = admission;
    this.network = network;
    this.reservable = reservable;
    this.policies = policies;
    this.usable = new UsableRate(policies, proofs);
    this.ceilings = ceilings;
  }

  List<Ceiling> binding(User who, Wish wish) {
    return ceilings.binding(who, IntentPath.tryParse(wish.intent()).orElse(IntentPath.ROOT));
  }

  Answer answer(List<Ceiling> binding, Wish wish, Collection<Reservation> reserved, Instant now) {
    if (!policies.knows(wish.intent())) {
      return Answer.no(
          "There is no intent ("
              + wish.intent()
              + "). Maybe you meant "
              + String.join(" or ", policies.nearest(wish.intent()))
              + ".",
          Optional.empty());
    }
    if (wish.start().isBefore(now.minus(LATE))) {
      return Answer.no("It begins in the past: now it is (" + now + ").", Optional.empty());
    }
    if (wish.deadline().isAfter(now.plus(FURTHEST))) {
      return Answer.no(
          "Its end or deadline ("
              + wish.deadline()
              + ") is more than ten years ahead. Maybe the year is wrong.",
          Optional.empty());
    }
    // What is too much at any time is not looked for at another time.
    CeilingCheck check = check(binding, reserved);
    Optional<Duration> left = check.lengthLeft(wish);
    if (left.isPresent()) {
      Optional<Wish> shorter =
          left.filter(time -> time.getSeconds() > 0)
              .map(time -> wish.lasting(Duration.ofSeconds(time.getSeconds())));
      return instead(check.refusal(wish), shorter, binding, reserved, now);
    }
    DataRate most = usable.of(wish, List.of(), now);
    if (most.compareTo(wish.rate()) < 0) {
      Optional<Wish> less =
          Optional.of(most).filter(rate -> !rate.equals(DataRate.ZERO)).map(wish::with);
      return instead(Optional.of(usable.refusal(wish, now)), less, binding, reserved, now);
    }
    NetworkState state = network.current();
    return admission.answer(
        wish,
        reserved,
        reservable.apply(state.network()),
        state,
        policies.tree(),
        asked ->
            Optional.of(usable.refusal(asked, now))
                .filter(why -> usable.of(asked, reserved, now).compareTo(asked.rate()) < 0)
                .or(() -> check.refusal(asked)));
  }

  /** No, and the next best, or what of that there is room for. */
  private Answer instead(
      Optional<String> why,
      Optional<Wish> next,
      List<Ceiling> binding,
      Collection<Reservation> reserved,
      Instant now) {
    Optional<Wish> offer =
        next.flatMap(
            wish -> {
              Answer answer = answer(binding, wish, reserved, now);
              return answer.isYes() ? next : answer.counterOffer();
            });
    return Answer.no(why.orElse("It is too much."), offer);
  }

  private CeilingCheck check(List<Ceiling> binding, Collection<Reservation> reserved) {
    NetworkState state = network.current();
    return new CeilingCheck(
        binding,
        reserved,
        (wish, others, percent) ->
            admission.hasRoom(
                wish, others, part(state.network(), percent), state, policies.tree()));
  }

  /** Why this user may not commit what is held; empty where they may. */
  Optional<String> refusal(User who, Reservation held, Collection<Reservation> reserved) {
    return check(binding(who, held.wish()), without(held, reserved)).refusal(held.wish());
  }

  /** What of its rate is of use, where that is less than all, beside those made before it. */
  Optional<DataRate> usable(Reservation one, Collection<Reservation> reserved, Instant now) {
    return Optional.of(usable.of(one.wish(), before(one, reserved), now))
        .filter(rate -> rate.compareTo(one.wish().rate()) < 0);
  }

  /**
   * Which ceiling that was set later it is above, beside those made before it. Of a share it is
   * looked at what its hosts' own links have: the solver is not asked for a list.
   */
  Optional<String> aboveCeiling(Reservation one, Collection<Reservation> reserved) {
    IntentPath node = IntentPath.parse(one.wish().intent());
    List<Ceiling> set =
        ceilings.all().stream()
            .filter(ceiling -> node.isWithin(ceiling.branch()))
            .collect(Collectors.toUnmodifiableList());
    return new CeilingCheck(set, before(one, reserved), this::hasRoomAtItsHosts)
        .refusal(one.wish());
  }

  private boolean hasRoomAtItsHosts(Wish wish, Collection<Reservation> others, int percent) {
    NetworkState state = network.current();
    Optional<String> from = state.nodeOf(wish.from());
    Optional<String> to = state.nodeOf(wish.to());
    long out = Long.MAX_VALUE;
    long in = Long.MAX_VALUE;
    if (from.isPresent() && to.isPresent()) {
      Collection<Link> links = part(state.network(), percent).links();
      out = sum(links.stream().filter(link -> link.id().from().equals(from.get())));
      in = sum(links.stream().filter(link -> link.id().to().equals(to.get())));
    }
    List<Reservation> sent = new ArrayList<>(others);
    sent.removeIf(other -> !other.wish().from().equals(wish.from()));
    List<Reservation> received = new ArrayList<>(others);
    received.removeIf(other -> !other.wish().to().equals(wish.to()));
    long rate = wish.rate().millibitsPerSecond();
    return Overlap.most(wish, sent) <= out - rate && Overlap.most(wish, received) <= in - rate;
  }

  private static long sum(Stream<Link> links) {
    return links.mapToLong(link -> link.capacity().millibitsPerSecond()).sum();
  }

  private static Network part(Network whole, int percent) {
    return Network.of(
        whole.nodes(),
        whole.links().stream()
            .map(
                link ->
                    link.withCapacity(
                        DataRate.ofMillibitsPerSecond(
                            link.capacity().millibitsPerSecond() / HUNDRED * percent)))
            .collect(Collectors.toUnmodifiableList()));
  }

  private static List<Reservation> before(Reservation one, Collection<Reservation> reserved) {
    return reserved.stream()
        .filter(other -> other.id().compareTo(one.id()) < 0)
        .collect(Collectors.toUnmodifiableList());
  }

  private static List<Reservation> without(Reservation one, Collection<Reservation> reserved) {
    return reserved.stream()
        .filter(other -> !other.id().equals(one.id()))
        .collect(Collectors.toUnmodifiableList());
  }
}
