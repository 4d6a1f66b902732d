package org.paceline.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.incremental.LiveAllocation;
import org.paceline.allocator.incremental.LiveReport;
import org.paceline.allocator.incremental.Upkeep;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.bench.report.Spread;
import org.paceline.intents.network.Link;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.DataRate;

/** One live solution: events at a steady pace, solves beside them, then changes of its links. */
final class LiveRun implements AutoCloseable {
  static final double GREATEST_GAP = 1e-3;
  static final Duration SOLVE = Duration.ofSeconds(4);

  /** A solve is begun before the gap is what it must not become. */
  private static final double DUE = GREATEST_GAP / 2;

  private final Problem problem;
  private final Random random = new Random(1);

  /** One processor: what a solve does several at a time then leaves another to the events. */
  private final ExecutorService elsewhere = new ForkJoinPool(1);

  private final Allocator allocator =
      new AutoAllocator(new NetworkAllocator(Optional.of(new CpSatCore())));
  private final LiveAllocation live;
  private final Upkeep upkeep;
  private final List<Application> here;
  private final double gapAtStart;
  private final Queue<Double> solves = new ConcurrentLinkedQueue<>();
  private final List<Double> pauses = new ArrayList<>();
  private int adopted;
  private int refused;
  private int events;

  /** What a time of events was like; durations in milliseconds. */
  record Paced(double[] service, double[] response, double[] gaps, double seconds) {
    static double at(double[] sorted, double share) {
      return sorted[(int) Math.min(sorted.length - 1L, Math.round(sorted.length * share))];
    }

    double held() {
      return Arrays.stream(gaps).filter(gap -> gap <= GREATEST_GAP).count() / (double) gaps.length;
    }
  }

  /** What changes of one kind were like. */
  record Changes(Spread millis, int refused, double worstGap, double secondsToHold) {}

  LiveRun(Problem counted) {
    this.problem = singly(counted);
    Outcome outcome =
        allocator.solve(
            problem,
            SolveOptions.builder().timeLimit(SOLVE.multipliedBy(2)).targetGap(DUE / 10).build());
    Solution start =
        outcome
            .solution()
            .orElseThrow(() -> new IllegalStateException("There is no solution to begin with."));
    this.live = LiveAllocation.of(problem, start, DUE);
    this.gapAtStart = live.gap();
    this.here = new ArrayList<>(problem.applications());
    this.upkeep =
        new Upkeep(
            live,
            this::timed,
            SolveOptions.builder().timeLimit(SOLVE).targetGap(DUE / 2).build(),
            elsewhere);
  }

  private Outcome timed(Problem now, SolveOptions options) {
    long start = System.nanoTime();
    Outcome outcome = allocator.solve(now, options);
    solves.add((System.nanoTime() - start) / 1e9);
    return outcome;
  }

  String name() {
    return problem.name();
  }

  int size() {
    return live.size();
  }

  double gapAtStart() {
    return gapAtStart;
  }

  int adopted() {
    return adopted;
  }

  int refused() {
    return refused;
  }

  /** Seconds of each solve. */
  Optional<Spread> solves() {
    return spread(solves);
  }

  /** What solves took of the events' thread: to begin, to look and to adopt. */
  Optional<Spread> pauses() {
    return spread(pauses);
  }

  private static Optional<Spread> spread(Collection<Double> values) {
    return values.isEmpty()
        ? Optional.empty()
        : Optional.of(Spread.of(values.stream().mapToDouble(Double::doubleValue).toArray()));
  }

  /**
   * Arrivals and departures, half and half, as fast as they go, and a solve after them: a
   * controller is warm.
   */
  void warmUp(int count) {
    for (int e = 0; e < count; e++) {
      event();
    }
    untilHeld(SOLVE.plusSeconds(2));
    adopted = 0;
    refused = 0;
    pauses.clear();
  }

  /** Arrivals and departures, each due at its moment whether or not the one before is done. */
  Paced paced(int perSecond, Duration duration) {
    int count = (int) (perSecond * duration.toSeconds());
    double[] service = new double[count];
    double[] response = new double[count];
    double[] gaps = new double[count];
    long start = System.nanoTime();
    for (int e = 0; e < count; e++) {
      long due = start + e * 1_000_000_000L / perSecond;
      await(due);
      long begun = System.nanoTime();
      gaps[e] = event().gap();
      long done = System.nanoTime();
      service[e] = (done - begun) / 1e6;
      response[e] = (done - due) / 1e6;
      tend();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Arrays.sort(service);
    Arrays.sort(response);
    Arrays.sort(gaps);
    return new Paced(service, response, gaps, seconds);
  }

  private static void await(long due) {
    // A sleeper oversleeps by some 50 us, which would be counted against the event.
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      if (left > 200_000) {
        LockSupport.parkNanos(left - 150_000);
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private void tend() {
    boolean wasSolving = upkeep.isSolving();
    long begun = System.nanoTime();
    boolean took = upkeep.tend();
    adopted += took ? 1 : 0;
    if (took || wasSolving != upkeep.isSolving()) {
      pauses.add((System.nanoTime() - begun) / 1e6);
    }
  }

  private LiveReport event() {
    int e = events++;
    boolean arrival = here.size() < 2 || random.nextBoolean();
    Application like = problem.applications().get(random.nextInt(problem.applications().size()));
    int at = random.nextInt(here.size());
    LiveReport told;
    if (arrival) {
      Application newcomer = renamed(like, "new-" + e);
      told = live.arrive(newcomer);
      if (told.refused().isEmpty()) {
        here.add(newcomer);
      }
    } else {
      told = live.depart(here.get(at).id());
      // Order does not matter, so that this is no search through all.
      here.set(at, here.get(here.size() - 1));
      here.remove(here.size() - 1);
    }
    refused += told.refused().size();
    return told;
  }

  /** Random links get a share of their capacity, and all of it again a while later. */
  Changes change(int links, double share, Duration most) {
    List<Link> all = new ArrayList<>(problem.network().links());
    double[] millis = new double[links];
    int out = 0;
    double worst = 0;
    double longest = 0;
    for (int i = 0; i < links; i++) {
      Link link = all.get(random.nextInt(all.size()));
      long less = (long) (link.capacity().millibitsPerSecond() * share);
      long begun = System.nanoTime();
      LiveReport told = live.changeCapacity(link.id(), DataRate.ofMillibitsPerSecond(less));
      millis[i] = (System.nanoTime() - begun) / 1e6;
      out += told.refused().size();
      here.removeIf(application -> told.refused().contains(application.id()));
      worst = Math.max(worst, told.gap());
      longest = Math.max(longest, untilHeld(most));
      live.changeCapacity(link.id(), link.capacity());
      untilHeld(most);
    }
    return new Changes(Spread.of(millis), out, worst, longest);
  }

  private double untilHeld(Duration most) {
    long start = System.nanoTime();
    while (live.gap() > GREATEST_GAP && System.nanoTime() - start < most.toNanos()) {
      LockSupport.parkNanos(1_000_000);
      tend();
    }
    return (System.nanoTime() - start) / 1e9;
  }

  /** Each copy an entry of its own, so that it can leave alone. */
  private static Problem singly(Problem problem) {
    List<Application> all = new ArrayList<>();
    for (Application application : problem.applications()) {
      for (int copy = 0; copy < application.count(); copy++) {
        all.add(renamed(application, application.id() + "#" + copy));
      }
    }
    return problem.withApplications(all);
  }

  private static Application renamed(Application application, String id) {
    return Application.of(id, application.from(), application.to(), application.utilityFunction());
  }

  @Override
  public void close() {
    elsewhere.shutdown();
  }
}
