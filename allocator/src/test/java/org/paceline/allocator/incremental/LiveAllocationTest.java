package org.paceline.allocator.incremental;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.network.GeneratedProblems;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.network.Link;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Utility;

class LiveAllocationTest {
  private static final SolveOptions QUICK =
      SolveOptions.builder().timeLimit(Duration.ofMinutes(5)).targetGap(0.05).build();

  private final NetworkAllocator allocator = new NetworkAllocator(Optional.empty());

  @Property(tries = 4, seed = "20")
  void afterEveryEventAllGrantsFitAndTheGapHoldsForThoseWhoAreHere(
      @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
    Problem all = new GeneratedProblems(seed).small(5, 60);
    Problem first = all.withApplications(all.applications().subList(0, 30));
    Outcome outcome = allocator.solve(first, QUICK);
    if (outcome.solution().isEmpty()) {
      return;
    }
    LiveAllocation live = LiveAllocation.of(first, outcome.orElseThrow(), 1e-3);
    SplittableRandom random = new SplittableRandom(seed);
    List<String> here = new ArrayList<>();
    first.applications().forEach(a -> here.add(a.id()));
    for (Application newcomer : all.applications().subList(30, 60)) {
      LiveReport report = live.arrive(newcomer);
      if (report.refused().isEmpty()) {
        here.add(newcomer.id());
      } else {
        assertThat(report.solveIsDue()).isTrue();
      }
      if (random.nextBoolean()) {
        live.depart(here.remove(random.nextInt(here.size())));
      }
      assertFits(live, outcome.orElseThrow());
    }
    Link link = first.network().links().iterator().next();
    LiveReport less =
        live.changeCapacity(
            link.id(), DataRate.ofMillibitsPerSecond(link.capacity().millibitsPerSecond() * 2 / 3));
    here.removeAll(less.refused());
    assertThat(live.size()).isEqualTo(here.size());
    assertFits(live, outcome.orElseThrow());
    LiveReport lost = live.lose(link.id());
    here.removeAll(lost.refused());
    assertThat(live.size()).isEqualTo(here.size());
    if (live.size() > 0) {
      assertFits(live, outcome.orElseThrow());
    }
  }

  @Tag("long")
  @Property(tries = 100, seed = "20")
  void theSameOften(@ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
    afterEveryEventAllGrantsFitAndTheGapHoldsForThoseWhoAreHere(seed);
    afterEventsAndSolvesNoSolutionAtTheFloorIsAboveWhatTheGapAllows(seed);
  }

  private static void assertFits(LiveAllocation live, Solution began) {
    Problem now = live.problem();
    List<Grant> grants = new ArrayList<>();
    now.applications().forEach(a -> grants.addAll(live.grantsOf(a.id())));
    Solution solution = Solution.of(began.theta1(), grants, began.certificate());
    assertThat(SolutionChecker.violations(now, solution))
        .filteredOn(v -> !v.contains("theta1") && !v.contains("order"))
        .isEmpty();
    assertThat(solution.sumBillionths()).isEqualTo(live.sumBillionths());
  }

  @Test
  void aSolveBesideItDoesNotLoseWhatHappenedMeanwhile() {
    Problem all = new GeneratedProblems(3).campus(30, 400, 2_500);
    Problem first = all.withApplications(all.applications().subList(0, 300));
    LiveAllocation live =
        LiveAllocation.of(first, allocator.solve(first, QUICK).orElseThrow(), 1e-3);
    PendingSolve pending = live.beginSolve();
    all.applications().subList(300, 400).forEach(live::arrive);
    live.depart(first.applications().get(0).id());
    int size = live.size();
    assertThat(pending.solve(allocator, QUICK).solution()).isPresent();
    live.adopt(pending);
    assertThat(live.size()).isEqualTo(size);
    assertFits(live, allocator.solve(first, QUICK).orElseThrow());
    assertThat(live.grantsOf(first.applications().get(0).id())).isEmpty();
    assertThat(live.grantsOf(all.applications().get(399).id())).isNotEmpty();
  }

  @Test
  void whoWasRefusedWhileASolveRanStaysOut() {
    Problem all = new GeneratedProblems(3).campus(30, 300, 2_500);
    Solution began = allocator.solve(all, QUICK).orElseThrow();
    LiveAllocation live = LiveAllocation.of(all, began, 1e-3);
    PendingSolve pending = live.beginSolve();
    Application like = all.applications().get(0);
    // Its access link has no room for as many.
    Application crowd =
        Application.of("crowd", like.from(), like.to(), like.utilityFunction(), 100_000, 0);
    assertThat(live.arrive(crowd).refused()).containsExactly("crowd");
    pending.solve(allocator, QUICK);
    live.adopt(pending);
    assertThat(live.grantsOf("crowd")).isEmpty();
    assertThat(live.size()).isEqualTo(300);
  }

  @Test
  void aLinkThatWasLostComesBackAlsoAfterASolveWithoutIt() {
    Problem all = new GeneratedProblems(3).campus(30, 300, 2_500);
    Solution began = allocator.solve(all, QUICK).orElseThrow();
    LiveAllocation live = LiveAllocation.of(all, began, 1e-3);
    Link link = busiest(live, all);
    live.lose(link.id());
    assertThat(live.problem().network().link(link.id())).isEmpty();
    PendingSolve pending = live.beginSolve();
    Solution without = pending.solve(allocator, QUICK).orElseThrow();
    live.adopt(pending);
    assertFits(live, without);
    live.changeCapacity(link.id(), link.capacity());
    assertThat(live.problem().network()).isEqualTo(all.network());
    assertFits(live, without);
    PendingSolve again = live.beginSolve();
    again.solve(allocator, QUICK);
    live.adopt(again);
    assertFits(live, without);
  }

  private static Link busiest(LiveAllocation live, Problem problem) {
    return problem.network().links().stream()
        .min(
            java.util.Comparator.comparingDouble(
                l -> live.roomMillibits(l.id()) / (double) l.limitMillibits()))
        .orElseThrow();
  }

  @Property(tries = 4, seed = "20")
  void afterEventsAndSolvesNoSolutionAtTheFloorIsAboveWhatTheGapAllows(
      @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
    Problem all = new GeneratedProblems(seed).small(5, 60);
    Problem first = all.withApplications(all.applications().subList(0, 30));
    Outcome outcome = allocator.solve(first, QUICK);
    if (outcome.solution().isEmpty()) {
      return;
    }
    List<Utility> thetas = new ArrayList<>(List.of(outcome.orElseThrow().theta1()));
    LiveAllocation live = LiveAllocation.of(first, outcome.orElseThrow(), 0);
    Upkeep upkeep =
        new Upkeep(
            live,
            (problem, options) -> {
              Outcome solved = allocator.solve(problem, options);
              solved.solution().ifPresent(s -> thetas.add(s.theta1()));
              return solved;
            },
            QUICK,
            Runnable::run);
    List<Application> here = new ArrayList<>(first.applications());
    SplittableRandom random = new SplittableRandom(seed);
    for (Application newcomer : all.applications().subList(30, 60)) {
      if (live.arrive(newcomer).refused().isEmpty()) {
        here.add(newcomer);
      }
      live.depart(here.remove(random.nextInt(here.size())).id());
      upkeep.tend();
      assertFits(live, outcome.orElseThrow());
      if (random.nextInt(10) > 0) {
        continue;
      }
      Outcome anew = allocator.solve(live.problem(), QUICK);
      Utility mostFloor = thetas.stream().max(Utility::compareTo).orElseThrow();
      if (anew.solution().isPresent() && anew.orElseThrow().theta1().compareTo(mostFloor) >= 0) {
        assertThat((double) anew.orElseThrow().sumBillionths())
            .isLessThanOrEqualTo(live.sumBillionths() / (1 - live.gap()) * (1 + 1e-9));
      }
    }
  }

  @Test
  void eventsGoOnWhileAnotherThreadSolves() throws Exception {
    Problem all = new GeneratedProblems(3).campus(30, 2_000, 2_500);
    Problem first = all.withApplications(all.applications().subList(0, 1_000));
    Solution began = allocator.solve(first, QUICK).orElseThrow();
    LiveAllocation live = LiveAllocation.of(first, began, 0);
    ExecutorService elsewhere = Executors.newSingleThreadExecutor();
    SolveOptions brief = QUICK.toBuilder().timeLimit(Duration.ofMillis(300)).build();
    Upkeep upkeep = new Upkeep(live, allocator, brief, elsewhere);
    Set<String> here = new HashSet<>();
    first.applications().forEach(a -> here.add(a.id()));
    boolean adopted = false;
    for (int round = 0; round < 200 && !(adopted && round >= 20); round++) {
      for (Application newcomer : all.applications().subList(1_000, 1_050)) {
        if (live.arrive(newcomer).refused().isEmpty()) {
          here.add(newcomer.id());
        }
        adopted |= upkeep.tend();
      }
      for (Application leaver : all.applications().subList(1_000, 1_050)) {
        if (here.remove(leaver.id())) {
          live.depart(leaver.id());
        }
        adopted |= upkeep.tend();
      }
      Thread.sleep(5);
    }
    elsewhere.shutdown();
    assertThat(live.problem().applications())
        .extracting(Application::id)
        .containsExactlyInAnyOrderElementsOf(here);
    assertFits(live, began);
  }

  @Test
  void theCertifiedGapIsWhatTheFrozenPricesProveFromScratch() {
    Problem all = new GeneratedProblems(5).campus(30, 400, 2_500);
    Problem first = all.withApplications(all.applications().subList(0, 300));
    Solution solution = allocator.solve(first, QUICK).orElseThrow();
    LiveAllocation live = LiveAllocation.of(first, solution, 1e-3);
    all.applications().subList(300, 350).forEach(live::arrive);
    Problem now = live.problem();
    Certificate frozen = solution.certificate();
    List<Grant> grants = new ArrayList<>();
    now.applications().forEach(a -> grants.addAll(live.grantsOf(a.id())));
    Solution here = Solution.of(solution.theta1(), grants, frozen);
    double bound =
        org.paceline.intents.check.CertificateChecker.check(now, here).priceBound().doubleValue();
    assertThat(live.gap()).isCloseTo((bound - here.sumBillionths()) / bound, within(1e-9));
  }
}
