package org.paceline.control.reservations;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.control.audit.User;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.NetworkState;
import org.paceline.control.policy.Ceiling;
import org.paceline.control.policy.Ceilings;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.port.NetworkView;
import org.paceline.control.scheme.ReservableNetwork;
import org.paceline.control.scheme.elephant.CircuitEnds;
import org.paceline.control.scheme.elephant.CircuitShares;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.Network;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/**
 * What a request is judged by: the intents, its times, what is of use, the ceilings of whoever
 * asks, and the room in the network.
 */
public final class Terms {
  private static final int HUNDRED = 100;

  /** The schemes under which others have what a reservation does not use, if it says so. */
  private static final List<SchemeName> LENDING =
      List.of(SchemeName.ADAPTIVE_RESERVATIONS, SchemeName.ELEPHANT_ISOLATION);

  /** A request for now is a little late by the time it is looked at. */
  private static final Duration LATE = Duration.ofSeconds(30);

  private static final Duration FURTHEST = Duration.ofDays(3_650);

  private final Admission admission;
  private final NetworkView network;
  private final ReservableNetwork reservable;
  private final IntentPolicies policies;
  private final UsableRate usable;
  private final Ceilings ceilings;

  /**
   * @param reservable what of the network each scheme's conversations may reserve
   */
  public Terms(
      Admission admission,
      NetworkView network,
      ReservableNetwork reservable,
      IntentPolicies policies,
      ProofBook proofs,
      Ceilings ceilings) {
    this.admission = admission;
    this.network = network;
    this.reservable = reservable;
    this.policies = policies;
    this.usable = new UsableRate(policies, proofs, this::ruling);
    this.ceilings = ceilings;
  }

  List<Ceiling> binding(User who, ReservationRequest requested) {
    return ceilings.binding(who, IntentPath.tryParse(requested.intent()).orElse(IntentPath.ROOT));
  }

  AdmissionDecision answer(
      List<Ceiling> binding,
      ReservationRequest requested,
      Collection<Reservation> reserved,
      Instant now) {
    if (!policies.knows(requested.intent())) {
      return AdmissionDecision.no(
          "There is no intent ("
              + requested.intent()
              + "). Maybe you meant "
              + String.join(" or ", policies.nearest(requested.intent()))
              + ".",
          Optional.empty());
    }
    SchemeName by = scheme(requested);
    if (requested.isAdaptive() && !LENDING.contains(by)) {
      return AdmissionDecision.no(
          "Conversations of ("
              + requested.intent()
              + ") are ruled by "
              + by.word()
              + ", which lends nothing of a reservation. Maybe ask without adaptive, or for an"
              + " intent with the scheme "
              + LENDING.stream().map(SchemeName::word).collect(Collectors.joining(" or "))
              + ".",
          Optional.empty());
    }
    if (requested.isOfPrefixes() && by != SchemeName.ELEPHANT_ISOLATION) {
      return AdmissionDecision.no(ofPrefixes(requested, by), Optional.empty());
    }
    Optional<String> nowhere =
        Optional.of(requested)
            .filter(ReservationRequest::isOfPrefixes)
            .flatMap(of -> new CircuitEnds(network.current()).refusal(of.from(), of.to()));
    if (nowhere.isPresent()) {
      return AdmissionDecision.no(nowhere.get(), Optional.empty());
    }
    if (requested.start().isBefore(now.minus(LATE))) {
      return AdmissionDecision.no(
          "It begins in the past: now it is (" + now + ").", Optional.empty());
    }
    if (requested.deadline().isAfter(now.plus(FURTHEST))) {
      return AdmissionDecision.no(
          "Its end or deadline ("
              + requested.deadline()
              + ") is more than ten years ahead. Maybe the year is wrong.",
          Optional.empty());
    }
    // What is too much at any time is not looked for at another time.
    CeilingCheck check = check(binding, reserved);
    if (requested.bytes().isPresent()) {
      return transfer(requested, by, reserved, check, now);
    }
    Optional<Duration> left = check.lengthLeft(requested);
    if (left.isPresent()) {
      Optional<ReservationRequest> shorter =
          left.filter(time -> time.getSeconds() > 0)
              .map(time -> requested.lasting(Duration.ofSeconds(time.getSeconds())));
      return instead(check.refusal(requested), shorter, binding, reserved, now);
    }
    DataRate most = usable.of(requested, List.of(), now);
    if (most.compareTo(requested.rate()) < 0) {
      Optional<ReservationRequest> less =
          Optional.of(most).filter(rate -> !rate.equals(DataRate.ZERO)).map(requested::with);
      return instead(Optional.of(usable.refusal(requested, now)), less, binding, reserved, now);
    }
    NetworkState state = network.current();
    return withShare(
        by,
        admission.answer(
            requested,
            ofScheme(by, reserved),
            reservable(by, state),
            state,
            policies.tree(),
            rule(check, reserved, now)));
  }

  /** The promise of any other scheme is one about the hosts' own links, too. */
  private static String ofPrefixes(ReservationRequest requested, SchemeName by) {
    return "From ("
        + requested.from()
        + ") to ("
        + requested.to()
        + ") are prefixes, and conversations of ("
        + requested.intent()
        + ") are ruled by "
        + by.word()
        + ", which promises a rate from one host to another only. Maybe name an address at each"
        + " end, or an intent with the scheme "
        + SchemeName.ELEPHANT_ISOLATION.word()
        + ".";
  }

  /** How conversations of circuits between prefixes share them now. */
  CircuitShares circuitShares() {
    NetworkState state = network.current();
    return new CircuitShares(state, reservable(SchemeName.ELEPHANT_ISOLATION, state));
  }

  private Network reservable(SchemeName by, NetworkState state) {
    return reservable.of(state.network(), policies.tree(), by);
  }

  private SchemeName scheme(ReservationRequest requested) {
    return ruling(requested, policies.resolve(requested.intent())).scheme().value();
  }

  /** The policy under the scheme of the place that the request is for. */
  private EffectivePolicy ruling(ReservationRequest requested, EffectivePolicy policy) {
    NetworkState state = network.current();
    return reservable
        .places(state)
        .ruling(
            requested.from().prefix(),
            requested.to().prefix(),
            () -> new CircuitEnds(state).node(requested.from()),
            () -> new CircuitEnds(state).node(requested.to()),
            policy);
  }

  /** Those of other schemes have a share of their own. */
  private List<Reservation> ofScheme(SchemeName by, Collection<Reservation> reserved) {
    return reserved.stream()
        .filter(other -> isKeptBy(by, other))
        .collect(Collectors.toUnmodifiableList());
  }

  /**
   * Whether it takes room among what the scheme has promised: it was promised by that one, or is
   * kept by it since its conversations have come under it. Elephants keep no promise of others.
   */
  private boolean isKeptBy(SchemeName by, Reservation other) {
    boolean mayKeep = by != SchemeName.ELEPHANT_ISOLATION || other.isCircuit();
    return other.promisedBy().equals(Optional.of(by))
        || (mayKeep && scheme(other.requested()) == by);
  }

  /** A refusal says how much of a link there was to begin with, where that is not all of it. */
  private AdmissionDecision withShare(SchemeName by, AdmissionDecision decision) {
    if (decision.isYes()) {
      return AdmissionDecision.yes(by);
    }
    Optional<String> share = reservable.share(network.current().network(), policies.tree(), by);
    return decision
        .refusal()
        .flatMap(why -> share.map(part -> why + " " + part))
        .map(why -> AdmissionDecision.no(why, decision.counterOffer()))
        .orElse(decision);
  }

  private Admission.Rule rule(CeilingCheck check, Collection<Reservation> reserved, Instant now) {
    return asked ->
        Optional.of(usable.refusal(asked, now))
            .filter(why -> usable.of(asked, reserved, now).compareTo(asked.rate()) < 0)
            .or(() -> check.refusal(asked));
  }

  private AdmissionDecision transfer(
      ReservationRequest requested,
      SchemeName by,
      Collection<Reservation> reserved,
      CeilingCheck check,
      Instant now) {
    Instant latest = now.plus(FURTHEST);
    Duration longest =
        check.lengthLeft(requested.between(requested.start(), latest)).orElse(FURTHEST);
    return withShare(
        by,
        admission.answer(
            requested,
            ofScheme(by, reserved),
            moment(by, rule(check, reserved, now)),
            latest,
            longest));
  }

  private Admission.Moment moment(SchemeName by, Admission.Rule rule) {
    NetworkState state = network.current();
    return admission.at(reservable(by, state), state, policies.tree(), rule);
  }

  /**
   * The greatest rate that a transfer which is behind can have from now on, up to this one: as its
   * conversations can use it, the ceilings allow it and there is room.
   */
  DataRate most(Reservation one, DataRate wanted, Collection<Reservation> all, Instant now) {
    List<Reservation> others = without(one, all);
    CeilingCheck check = new CeilingCheck(above(one), others, this::hasRoomAtItsHosts);
    ReservationRequest left = one.requested().since(now).with(wanted);
    SchemeName by = one.promisedBy().orElseGet(() -> scheme(left));
    return Admission.most(left, ofScheme(by, others), moment(by, rule(check, others, now)))
        .map(ReservationRequest::rate)
        .filter(rate -> rate.compareTo(one.requested().rate()) > 0)
        .orElse(one.requested().rate());
  }

  /** No, and the next best, or what of that there is room for. */
  private AdmissionDecision instead(
      Optional<String> why,
      Optional<ReservationRequest> next,
      List<Ceiling> binding,
      Collection<Reservation> reserved,
      Instant now) {
    Optional<ReservationRequest> offer =
        next.flatMap(
            requested -> {
              AdmissionDecision answer = answer(binding, requested, reserved, now);
              return answer.isYes() ? next : answer.counterOffer();
            });
    return AdmissionDecision.no(why.orElse("It is too much."), offer);
  }

  private CeilingCheck check(List<Ceiling> binding, Collection<Reservation> reserved) {
    NetworkState state = network.current();
    return new CeilingCheck(
        binding,
        reserved,
        (requested, others, percent) ->
            admission.hasRoom(
                requested, others, part(state.network(), percent), state, policies.tree()));
  }

  /** Why this user may not commit what is held; empty where they may. */
  Optional<String> refusal(User who, Reservation held, Collection<Reservation> reserved) {
    return check(binding(who, held.requested()), without(held, reserved)).refusal(held.requested());
  }

  /** What of its rate is of use, where that is less than all, beside those made before it. */
  Optional<DataRate> usable(Reservation one, Collection<Reservation> reserved, Instant now) {
    return Optional.of(usable.of(one.requested(), before(one, reserved), now))
        .filter(rate -> rate.compareTo(one.requested().rate()) < 0);
  }

  /**
   * Which ceiling that was set later it is above, beside those made before it. Of a share it is
   * looked at what its hosts' own links have: the solver is not asked for a list.
   */
  Optional<String> aboveCeiling(Reservation one, Collection<Reservation> reserved) {
    return new CeilingCheck(above(one), before(one, reserved), this::hasRoomAtItsHosts)
        .refusal(one.requested());
  }

  private List<Ceiling> above(Reservation one) {
    IntentPath node = IntentPath.parse(one.requested().intent());
    return ceilings.all().stream()
        .filter(ceiling -> node.isWithin(ceiling.branch()))
        .collect(Collectors.toUnmodifiableList());
  }

  private boolean hasRoomAtItsHosts(
      ReservationRequest requested, Collection<Reservation> others, int percent) {
    NetworkState state = network.current();
    CircuitEnds ends = new CircuitEnds(state);
    Optional<String> from = ends.node(requested.from());
    Optional<String> to = ends.node(requested.to());
    long out = Long.MAX_VALUE;
    long in = Long.MAX_VALUE;
    if (from.isPresent() && to.isPresent()) {
      Collection<Link> links = part(state.network(), percent).links();
      out = sum(links.stream().filter(link -> link.id().from().equals(from.get())));
      in = sum(links.stream().filter(link -> link.id().to().equals(to.get())));
    }
    List<Reservation> sent = new ArrayList<>(others);
    sent.removeIf(other -> !other.requested().from().equals(requested.from()));
    List<Reservation> received = new ArrayList<>(others);
    received.removeIf(other -> !other.requested().to().equals(requested.to()));
    long rate = requested.rate().millibitsPerSecond();
    return Overlap.most(requested, sent) <= out - rate
        && Overlap.most(requested, received) <= in - rate;
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
