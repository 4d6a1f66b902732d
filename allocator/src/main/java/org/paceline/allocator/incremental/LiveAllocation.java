package org.paceline.allocator.incremental;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.DataRate;

/**
 * A live solution that follows arrivals, departures and changes of links in microseconds, with its
 * gap certified after each: the prices of the last full solve stay, and weak duality holds at any
 * prices, so that sum_e lambda_e C_e + sum_a max(u - w lambda(path)) is kept up to date by adding
 * and taking away terms.
 *
 * <p>A full solve runs beside it: {@link #beginSolve} takes a copy, {@link PendingSolve#solve}
 * works and catches up with the events on any thread, {@link #adopt} puts the result in place.
 * {@link Upkeep} does all that. Not thread-safe: events and adoption belong on one thread.
 */
public final class LiveAllocation {
  private final double greatestGap;

  /** Its network has every link that there ever was; how they are now is in the changed ones. */
  private final Problem began;

  private final Map<LinkId, Link> changedLinks;
  private Seating seating;
  private Optional<PendingSolve> pending = Optional.empty();
  private long refusals;

  private LiveAllocation(
      Problem began, Map<LinkId, Link> changedLinks, Seating seating, double greatestGap) {
    this.began = began;
    this.changedLinks = changedLinks;
    this.seating = seating;
    this.greatestGap = greatestGap;
  }

  /**
   * @param greatestGap above which a full solve is said to be due
   */
  public static LiveAllocation of(Problem problem, Solution solution, double greatestGap) {
    return new LiveAllocation(
        problem, new HashMap<>(), new Seating(problem, problem.network(), solution), greatestGap);
  }

  /** O(paths x steps), and O(sample) where others must give way. */
  public LiveReport arrive(Application application) {
    if (seating.parties().containsKey(application.id())) {
      throw new IllegalArgumentException(
          "There is an application (" + application.id() + ") already. Maybe it never left.");
    }
    Menu menu = seating.menu(application);
    Shuffle shuffle = new Shuffle(seating);
    if (menu.ways().isEmpty()) {
      return refused(List.of(application.id()), shuffle);
    }
    Seat seat = new Seat(application, application.count(), menu, menu.ways().get(0));
    if (!shuffle.seat(seat)) {
      return refused(List.of(application.id()), shuffle);
    }
    seating.enter(seat);
    note(live -> live.arrive(application));
    return report(shuffle);
  }

  public LiveReport depart(String id) {
    if (!seating.parties().containsKey(id)) {
      throw new IllegalArgumentException("There is no application (" + id + ").");
    }
    note(live -> live.departIfHere(id));
    return departIfHere(id);
  }

  private LiveReport departIfHere(String id) {
    List<Integer> freed = new ArrayList<>();
    for (Seat seat : seating.seatsOf(id)) {
      for (int e : seat.way.path) {
        freed.add(e);
      }
    }
    seating.leave(id);
    Shuffle shuffle = new Shuffle(seating);
    shuffle.giveAway(freed);
    return report(shuffle);
  }

  /**
   * Zero for a link that is lost; it may come back. Whoever finds no other place is refused and
   * leaves. O(k log k) for k applications on the link.
   */
  public LiveReport changeCapacity(LinkId link, DataRate capacity) {
    int e = seating.number(link);
    Link changed = seating.topology().link(e).withCapacity(capacity);
    changedLinks.put(link, changed);
    seating.limit(e, changed.limitMillibits());
    Shuffle shuffle = new Shuffle(seating);
    List<String> homeless = new Relief(seating, shuffle).of(e);
    homeless.forEach(seating::leave);
    shuffle.giveAway(List.of(e));
    note(live -> live.changeCapacity(link, capacity));
    // Whoever was told to leave has left, even if a newer solution had a place.
    homeless.forEach(id -> note(live -> live.departIfHere(id)));
    return homeless.isEmpty() ? report(shuffle) : refused(homeless, shuffle);
  }

  public LiveReport lose(LinkId link) {
    return changeCapacity(link, DataRate.ZERO);
  }

  private void note(Function<LiveAllocation, LiveReport> event) {
    pending.ifPresent(solve -> solve.note(event));
  }

  private LiveReport report(Shuffle shuffle) {
    return LiveReport.of(shuffle.changed(), List.of(), gap(), solveIsDue());
  }

  private LiveReport refused(List<String> ids, Shuffle shuffle) {
    refusals++;
    return LiveReport.of(shuffle.changed(), ids, gap(), true);
  }

  /** No allocation of those who are here has a sum greater by more than this share. */
  public double gap() {
    return seating.parties().isEmpty()
        ? 0
        : Math.max(0, seating.bound() - seating.sum()) / seating.bound();
  }

  public boolean solveIsDue() {
    return refusals > 0 || gap() > greatestGap;
  }

  public int size() {
    return seating.parties().size();
  }

  /** Billionths. */
  public long sumBillionths() {
    return seating.sum();
  }

  /** What a link can carry beside its load, in millibits per second; never negative. */
  public long roomMillibits(LinkId link) {
    int e = seating.number(link);
    return seating.limit(e) - seating.load(e);
  }

  public List<Grant> grantsOf(String id) {
    List<Grant> grants = new ArrayList<>();
    for (Seat seat : seating.seatsOf(id)) {
      grants.add(
          Grant.of(
              id,
              seat.count,
              seat.way.steps.stairs().rate(seat.step),
              seat.way.steps.stairs().delay(seat.step),
              seat.way.steps.stairs().utility(seat.step),
              seating.topology().path(seat.way.path)));
    }
    return grants;
  }

  /** The problem as it is now. */
  public Problem problem() {
    return PendingSolve.problem(began, changedLinks, seating.present());
  }

  /**
   * Copies who is here, which takes as long as copying that many references; from now on events are
   * kept to be played again. An earlier solve that is still pending is forgotten.
   */
  public PendingSolve beginSolve() {
    PendingSolve solve =
        new PendingSolve(began, new HashMap<>(changedLinks), seating.present(), greatestGap);
    pending = Optional.of(solve);
    return solve;
  }

  /** A pending solve is not wanted any more. */
  public void forget(PendingSolve solve) {
    pending = pending.filter(p -> p != solve);
  }

  /**
   * Takes the result in place of what is here, after which any grant may be another: O(events since
   * it caught up).
   *
   * @return false, and nothing changes, where somebody who is here would find no place in the
   *     result, or where it is not certified to be closer to the optimum than what is here
   */
  public boolean adopt(PendingSolve solved) {
    if (pending.filter(p -> p == solved).isEmpty()) {
      throw new IllegalStateException(
          "The solve is not the pending one. Maybe another was begun after it.");
    }
    LiveAllocation fresh = solved.result();
    boolean isFull = solved.catchUp();
    pending = Optional.empty();
    if (isFull || (refusals == 0 && fresh.gap() >= gap())) {
      return false;
    }
    seating = fresh.seating;
    changedLinks.putAll(fresh.changedLinks);
    refusals = 0;
    return true;
  }

  /** What a solve came to, with the links as they were when it began. */
  static LiveAllocation resumed(
      Problem began, Map<LinkId, Link> changedLinks, Seating seating, double greatestGap) {
    return new LiveAllocation(began, changedLinks, seating, greatestGap);
  }

  /** The network with its changed links; lost ones are in it with a capacity of 0. */
  static Network changed(Network network, Map<LinkId, Link> changedLinks) {
    List<Link> links = new ArrayList<>();
    network.links().forEach(link -> links.add(changedLinks.getOrDefault(link.id(), link)));
    return Network.of(network.nodes(), links);
  }
}
