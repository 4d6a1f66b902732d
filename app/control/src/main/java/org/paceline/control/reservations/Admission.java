package org.paceline.control.reservations;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.NodeNames;
import org.paceline.control.scheme.elephant.CircuitEnds;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Sourced;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Whether a request fits beside what is reserved already, by the real solver: at each time all that
 * is reserved must have its rate on one way each. If not, what would fit: the same at the first
 * time that does, else the greatest rate at the time that was asked for.
 *
 * <p>What is reserved changes only where a reservation starts, so the request's start and those
 * within it are tried: O(k) solves for k of them. Moved earlier, a request that fits meets nothing
 * new unless a reservation ends there, so the first start that fits is the asked one or such an
 * end: O(k²) solves. A smaller rate fits wherever a greater does, so the rate is searched in
 * halves. After AQoS's admission (Boley et al. 2017), which knows one way and no time.
 * docs/algorithms/reservations.md.
 */
public final class Admission {
  private static final long STEP_MILLIBITS = 1_000_000;

  private final Allocator allocator;
  private final SolveOptions options;

  /**
   * @param limit how long one solve may take; what it does not decide by then is refused
   */
  public Admission(Allocator allocator, Duration limit) {
    this.allocator = allocator;
    this.options = SolveOptions.DEFAULT.toBuilder().timeLimit(limit).build();
  }

  /** Why a request is refused whatever the network has room for; empty where it is not. */
  interface Rule {
    Optional<String> refusal(ReservationRequest requested);
  }

  /**
   * @param network with the capacities that may be reserved
   * @param where hosts by address
   * @param rule what an offer keeps to, too; what it allows it allows at a smaller rate as well
   */
  AdmissionDecision answer(
      ReservationRequest requested,
      Collection<Reservation> reserved,
      Network network,
      NetworkState where,
      IntentTree tree,
      Rule rule) {
    Moment moment = new Moment(network, where, tree, rule);
    Optional<String> why = moment.refusal(requested, reserved);
    if (why.isEmpty()) {
      return AdmissionDecision.yes();
    }
    TreeSet<Instant> starts = new TreeSet<>();
    reserved.forEach(r -> starts.add(r.requested().end()));
    for (Instant start : starts.tailSet(requested.start(), false)) {
      if (start.plus(requested.duration()).isAfter(requested.deadline())) {
        break;
      }
      if (moment.refusal(requested.at(start), reserved).isEmpty()) {
        return AdmissionDecision.no(why.get(), Optional.of(requested.at(start)));
      }
    }
    return AdmissionDecision.no(why.get(), less(requested, reserved, moment));
  }

  /**
   * Whether a transfer has its rate until its deadline; if not, why, and the earliest deadline that
   * can be met.
   *
   * @param latest no later deadline is looked for
   * @param longest how long it may take
   */
  AdmissionDecision answer(
      ReservationRequest transfer,
      Collection<Reservation> reserved,
      Moment moment,
      Instant latest,
      Duration longest) {
    Optional<String> why = moment.refusal(transfer, reserved);
    if (why.isEmpty()) {
      return AdmissionDecision.yes();
    }
    Optional<ReservationRequest> earliest =
        new EarliestDeadline(transfer, reserved, other -> moment.refusal(other, reserved).isEmpty())
            .find(latest, longest);
    return AdmissionDecision.no(
        why.get()
            + earliest.map(other -> offer(transfer, other)).orElse(" No deadline can be met."),
        earliest);
  }

  private static String offer(ReservationRequest asked, ReservationRequest other) {
    return " The earliest deadline that can be met is ("
        + other.end()
        + ")"
        + (other.start().equals(asked.start()) ? "" : ", with the start (" + other.start() + ")")
        + ".";
  }

  /** The solver, to be asked whether a request fits. */
  Moment at(Network network, NetworkState where, IntentTree tree, Rule rule) {
    return new Moment(network, where, tree, rule);
  }

  /** Whether the request has its rate all the time, beside these and in this network. */
  boolean hasRoom(
      ReservationRequest requested,
      Collection<Reservation> reserved,
      Network network,
      NetworkState where,
      IntentTree tree) {
    Moment moment = new Moment(network, where, tree, any -> Optional.empty());
    return moment.refusal(requested, reserved).isEmpty();
  }

  /** The request at the greatest rate that fits, up to its own. */
  static Optional<ReservationRequest> most(
      ReservationRequest requested, Collection<Reservation> reserved, Moment moment) {
    return moment.refusal(requested, reserved).isEmpty()
        ? Optional.of(requested)
        : less(requested, reserved, moment);
  }

  private static Optional<ReservationRequest> less(
      ReservationRequest requested, Collection<Reservation> reserved, Moment moment) {
    // Invariant: fits, if not nothing, is known to fit; tooMuch is known not to.
    long fits = 0;
    long tooMuch = (requested.rate().millibitsPerSecond() + STEP_MILLIBITS - 1) / STEP_MILLIBITS;
    while (tooMuch - fits > 1) {
      long middle = (fits + tooMuch) / 2;
      boolean room =
          moment
              .refusal(
                  requested.with(DataRate.ofMillibitsPerSecond(middle * STEP_MILLIBITS)), reserved)
              .isEmpty();
      fits = room ? middle : fits;
      tooMuch = room ? tooMuch : middle;
    }
    return fits == 0
        ? Optional.empty()
        : Optional.of(requested.with(DataRate.ofMillibitsPerSecond(fits * STEP_MILLIBITS)));
  }

  /** The solver, asked about one moment after the other. */
  final class Moment {
    private static final String ASKED = "the reservation asked for";

    private final Network network;
    private final NetworkState where;
    private final CircuitEnds ends;
    private final IntentTree tree;
    private final Rule rule;

    private Moment(Network network, NetworkState where, IntentTree tree, Rule rule) {
      this.network = network;
      this.where = where;
      this.ends = new CircuitEnds(where);
      this.tree = tree;
      this.rule = rule;
    }

    /** Why the request cannot have its rate all the time; empty if it can. */
    Optional<String> refusal(ReservationRequest requested, Collection<Reservation> reserved) {
      Optional<String> never =
          ends.refusal(requested.from(), requested.to()).or(() -> rule.refusal(requested));
      if (never.isPresent()) {
        return never;
      }
      TreeSet<Instant> changes = new TreeSet<>();
      changes.add(requested.start());
      for (Reservation other : reserved) {
        Instant start = other.requested().start();
        if (start.isAfter(requested.start()) && start.isBefore(requested.end())) {
          changes.add(start);
        }
      }
      for (Instant change : changes) {
        Optional<String> why = refusal(requested, reserved, change);
        if (why.isPresent()) {
          return why;
        }
      }
      return Optional.empty();
    }

    private Optional<String> refusal(
        ReservationRequest requested, Collection<Reservation> reserved, Instant time) {
      List<Application> applications = new ArrayList<>();
      applications.add(application(ASKED, requested));
      for (Reservation other : reserved) {
        // Whose host is away needs nothing of this network at present.
        if (other.takes(time) && crossesTheNetwork(other.requested())) {
          applications.add(application(other.id(), other.requested()));
        }
      }
      Problem problem =
          Problem.of("reserve", network, applications, Problem.PAPER_EPSILON, Sharing.FREE);
      return allocator.solve(problem, options).infeasible().map(why -> refusal(why, time));
    }

    private boolean crossesTheNetwork(ReservationRequest requested) {
      Optional<String> from = ends.node(requested.from());
      Optional<String> to = ends.node(requested.to());
      return from.isPresent() && to.isPresent() && !from.equals(to);
    }

    private String refusal(Infeasible why, Instant time) {
      NodeNames names = NodeNames.of(where, List.of());
      switch (why.reason()) {
        case NO_ROOM:
          return "At ("
              + time
              + ") "
              + why.bottleneck()
                  .map(link -> "the link (" + names.of(link) + ")")
                  .orElse("the network")
              + " has no room for this rate beside what is reserved. Maybe ask for less, or for"
              + " another time.";
        case UNDECIDED:
          return "Whether there is room could not be decided in time. Maybe ask for less.";
        default:
          return "At (" + time + "): " + names.in(why.message());
      }
    }

    /** The rate and nothing else, at any delay that the intent knows in either direction. */
    private Application application(String id, ReservationRequest requested) {
      EffectivePolicy policy = tree.resolve(requested.intent());
      Latency delay =
          Stream.of(policy.utilityFunction(), policy.uploadFunction())
              .map(Sourced::value)
              .map(function -> function.delay(function.delayBins() - 1))
              .max(Latency::compareTo)
              .orElseThrow();
      return Application.of(
          id,
          ends.node(requested.from()).orElseThrow(),
          ends.node(requested.to()).orElseThrow(),
          UtilityFunction.of(
              "reserved " + id,
              List.of(requested.rate()),
              List.of(delay),
              List.of(List.of(Utility.MAX))));
    }
  }
}
