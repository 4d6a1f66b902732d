package org.paceline.allocator.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.incremental.BackgroundTransfer;
import org.paceline.allocator.incremental.LiveAllocation;
import org.paceline.allocator.incremental.LiveReport;
import org.paceline.allocator.incremental.Reserve;
import org.paceline.intents.check.SolutionChecker;
import org.paceline.intents.network.Link;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.DataRate;

class LiveAllocationTest {
  private static final SolveOptions QUICK =
      SolveOptions.builder().timeLimit(Duration.ofSeconds(30)).targetGap(1e-3).build();

  private final NetworkAllocator allocator = new NetworkAllocator(Optional.empty());

  @Property(tries = 12)
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
    LiveAllocation.Pending pending = live.beginSolve();
    all.applications().subList(300, 400).forEach(live::arrive);
    live.depart(first.applications().get(0).id());
    int size = live.size();
    assertThat(pending.solve(allocator, QUICK).solution()).isPresent();
    live.adopt(pending);
    assertThat(live.size()).isEqualTo(size);
    assertThat(live.grantsOf(first.applications().get(0).id())).isEmpty();
    assertThat(live.grantsOf(all.applications().get(399).id())).isNotEmpty();
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

  @Test
  void aReserveLetsANewcomerInWithoutASolve() {
    Problem whole = new GeneratedProblems(7).small(4, 20);
    Reserve reserve = Reserve.of(whole.network(), 200);
    Problem withheld = reserve.withhold(whole);
    Outcome outcome = allocator.solve(withheld, QUICK);
    LiveAllocation live = LiveAllocation.of(withheld, outcome.orElseThrow(), 1e-3);
    Application like = whole.applications().get(0);
    LiveReport report =
        reserve.arrive(
            live, Application.of("newcomer", like.from(), like.to(), like.utilityFunction()));
    assertThat(report.refused()).isEmpty();
    assertThat(live.grantsOf("newcomer")).hasSize(1);
  }

  @Test
  void aTransferIsGivenTheLeastRateThatIsInTime() {
    BackgroundTransfer backup = BackgroundTransfer.of(3_000_000_000L, Duration.ofHours(1));
    // 24 Gbit in 3,600 s.
    assertThat(backup.rate()).isEqualTo(DataRate.ofMillibitsPerSecond(6_666_666_667L));
    assertThat(backup.after(1_500_000_000L, Duration.ofMinutes(30)).rate())
        .isEqualTo(backup.rate());
    assertThat(backup.application("backup", "a", "b", 0).utilityFunction().throughput(0))
        .isEqualTo(backup.rate());
  }
}
