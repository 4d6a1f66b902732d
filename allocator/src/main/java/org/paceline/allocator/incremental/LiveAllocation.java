package org.paceline.allocator.incremental;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.DataRate;

/**
 * A live solution that follows arrivals, departures and changes of links in microseconds, with its
 * gap certified after each: the prices of the last full solve stay, and weak duality holds at any
 * prices, so that sum_e lambda_e C_e + sum_a max(u - w lambda(path)) is kept up to date by adding
 * and taking away terms.
 *
 * <p>A full solve runs beside it: {@link #beginSolve} takes a copy, {@link Pending#solve} works on
 * any thread, {@link #adopt} plays the events since then again onto the result. Not thread-safe:
 * events and adoption belong on one thread.
 */
public final class LiveAllocation {
  private final double greatestGap;
  private Problem problem;
  private Seating seating;
  private final Map<LinkId, Link> changedLinks = new HashMap<>();
  private final List<Consumer<LiveAllocation>> journal = new ArrayList<>();
  private boolean journaling;
  private long refusals;

  private LiveAllocation(Problem problem, Seating seating, double greatestGap) {
    this.problem = problem;
    this.seating = seating;
    this.greatestGap = greatestGap;
  }

  /**
   * @param greatestGap above which a full solve is said to be due
   */
  public static LiveAllocation of(Problem problem, Solution solution, double greatestGap) {
    return new LiveAllocation(problem, new Seating(problem, solution), greatestGap);
  }

  /** O(paths x steps), and O(sample) where others must give way. */
  public LiveReport arrive(Application application) {
    if (seating.seats().containsKey(application.id())) {
      throw new IllegalArgumentException(
          "There is an application (" + application.id() + ") already. Maybe it never left.");
    }
    note(live -> live.arrive(application));
    Seat seat = new Seat(application, application.count(), seating.menu(application));
    Shuffle shuffle = new Shuffle(seating);
    if (seat.menu.ways() == 0 || !shuffle.seat(seat)) {
      return refused(List.of(application.id()), shuffle);
    }
    seating.enter(seat);
    return report(shuffle);
  }

  public LiveReport depart(String id) {
    if (!seating.seats().containsKey(id)) {
      throw new IllegalArgumentException("There is no application (" + id + ").");
    }
    note(live -> live.departIfHere(id));
    return departNow(id);
  }

  private void departIfHere(String id) {
    if (seating.seats().containsKey(id)) {
      departNow(id);
    }
  }

  private LiveReport departNow(String id) {
    List<Integer> freed = new ArrayList<>();
    for (Seat seat : seating.seats().getOrDefault(id, List.of())) {
      for (int e : seat.hops) {
        freed.add(e);
      }
    }
    seating.leave(id);
    Shuffle shuffle = new Shuffle(seating);
    shuffle.giveAway(freed);
    return report(shuffle);
  }

  /** Zero for a link that is lost. Whoever finds no other place is refused and leaves. */
  public LiveReport changeCapacity(LinkId link, DataRate capacity) {
    note(live -> live.changeCapacity(link, capacity));
    int e = seating.number(link);
    Link changed = seating.topology().link(e).withCapacity(capacity);
    changedLinks.put(link, changed);
    seating.limit(e, changed.limitMillibits());
    Shuffle shuffle = new Shuffle(seating);
    List<String> homeless = shuffle.relieve(e);
    homeless.forEach(seating::leave);
    shuffle.giveAway(List.of(e));
    return homeless.isEmpty() ? report(shuffle) : refused(homeless, shuffle);
  }

  public LiveReport lose(LinkId link) {
    return changeCapacity(link, DataRate.ZERO);
  }

  private void note(Consumer<LiveAllocation> event) {
    if (journaling) {
      journal.add(event);
    }
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
    return seating.seats().isEmpty()
        ? 0
        : Math.max(0, seating.bound() - seating.sum()) / seating.bound();
  }

  public boolean solveIsDue() {
    return refusals > 0 || gap() > greatestGap;
  }

  public int size() {
    return seating.seats().size();
  }

  /** Billionths. */
  public long sumBillionths() {
    return seating.sum();
  }

  /** What a link carries beside its limit, in millibits per second; never negative. */
  public long roomMillibits(LinkId link) {
    int e = seating.number(link);
    return seating.limit(e) - seating.load(e);
  }

  public List<Grant> grantsOf(String id) {
    List<Grant> grants = new ArrayList<>();
    for (Seat seat : seating.seats().getOrDefault(id, List.of())) {
      grants.add(
          Grant.of(
              id,
              seat.count,
              seat.menu.stairs(seat.way).rate(seat.step),
              seat.menu.stairs(seat.way).delay(seat.step),
              seat.menu.stairs(seat.way).utility(seat.step),
              seating.topology().path(seat.hops)));
    }
    return grants;
  }

  /** The problem as it is now. */
  public Problem problem() {
    List<Application> applications = new ArrayList<>(seating.seats().size());
    seating.seats().values().forEach(list -> applications.add(list.get(0).application));
    return problemOf(applications);
  }

  private Problem problemOf(List<Application> applications) {
    Network network = problem.network();
    if (!changedLinks.isEmpty()) {
      List<Link> links = new ArrayList<>();
      for (Link link : network.links()) {
        Link now = changedLinks.getOrDefault(link.id(), link);
        // A link without capacity is no way for anybody.
        if (now.limitMillibits() > 0) {
          links.add(now);
        }
      }
      network = Network.of(network.nodes(), links);
    }
    return problem.withNetwork(network).withApplications(applications);
  }

  /** Copies who is here; from now on events are kept to be played again. */
  public Pending beginSolve() {
    List<Application> applications = new ArrayList<>(seating.seats().size());
    seating.seats().values().forEach(list -> applications.add(list.get(0).application));
    journal.clear();
    journaling = true;
    Map<LinkId, Link> links = new HashMap<>(changedLinks);
    LiveAllocation frozen = new LiveAllocation(problem, seating, greatestGap);
    frozen.changedLinks.putAll(links);
    return new Pending(() -> frozen.problemOf(applications), greatestGap);
  }

  /** Takes the result in place of what is here: O(events since the solve began). */
  public void adopt(Pending solved) {
    LiveAllocation fresh = solved.result();
    for (Consumer<LiveAllocation> event : journal) {
      event.accept(fresh);
    }
    journal.clear();
    journaling = false;
    problem = fresh.problem;
    seating = fresh.seating;
    refusals = fresh.refusals;
    changedLinks.clear();
    changedLinks.putAll(fresh.changedLinks);
  }

  /** A full solve on its way. */
  public static final class Pending {
    private final java.util.function.Supplier<Problem> snapshot;
    private final double greatestGap;
    private final List<LiveAllocation> result = new ArrayList<>(1);

    private Pending(java.util.function.Supplier<Problem> snapshot, double greatestGap) {
      this.snapshot = snapshot;
      this.greatestGap = greatestGap;
    }

    /** On any one thread. The outcome says whether there is something to adopt. */
    public Outcome solve(Allocator allocator, SolveOptions options) {
      Problem now = snapshot.get();
      Outcome outcome = allocator.solve(now, options);
      outcome.solution().ifPresent(s -> result.add(LiveAllocation.of(now, s, greatestGap)));
      return outcome;
    }

    private LiveAllocation result() {
      if (result.isEmpty()) {
        throw new IllegalStateException(
            "The solve has no solution to adopt. Maybe look at its outcome first.");
      }
      return result.get(0);
    }
  }
}
