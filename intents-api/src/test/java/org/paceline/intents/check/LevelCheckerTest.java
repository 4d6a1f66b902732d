package org.paceline.intents.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.intents.check.CertificateReport.Standing;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Certificate.Proof;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.LevelBound;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * One application that can have 1 only, at 1 Mbit/s, and three that can have 1, 3 and 5 at 1, 2 and
 * 4 share 10 Mbit/s. Best lexicographically is 1, 3, 3, 5. Two could have 5 if another went down to
 * 1, which the fine there forbids.
 */
class LevelCheckerTest {
  private static final LinkId LINK = LinkId.of("s", "t");
  private static final Map<LinkId, Double> HALF = Map.of(LINK, 0.5e-9);
  private static final LevelBound FIRST = bound(1, 1, Proof.PRICES, Map.of(), Map.of());
  private static final LevelBound SECOND =
      bound(3, 3, Proof.PRICES, HALF, Map.of(Utility.of(1), 0.5));
  private static final LevelBound THIRD = bound(5, 4, Proof.PRICES, Map.of(), Map.of());

  @Test
  void provesEachLevelFromItsPricesAndFines() {
    Solution solution = solution(FIRST, SECOND, THIRD);

    assertThat(report(solution).violations()).isEmpty();
    assertThat(report(solution).levels())
        .containsExactly(Standing.PROVED, Standing.PROVED, Standing.PROVED);
    assertThat(solution.isFilled()).isTrue();
  }

  @Test
  void findsALevelThatItsPricesDoNotProve() {
    LevelBound unfined = bound(3, 3, Proof.PRICES, HALF, Map.of());

    assertThat(report(solution(FIRST, unfined)).violations())
        .anyMatch(v -> v.contains("The fewest (3) at level (3) are said to follow from prices"));
  }

  @Test
  void callsALevelOfASearchClaimedWhereThePricesDoNotProveIt() {
    Solution solution = solution(FIRST, bound(3, 3, Proof.EXHAUSTIVE, Map.of(), Map.of()), THIRD);

    assertThat(report(solution).violations()).isEmpty();
    assertThat(report(solution).levels())
        .containsExactly(Standing.PROVED, Standing.CLAIMED, Standing.PROVED);
  }

  @Test
  void findsMoreThanAreGranted() {
    assertThat(report(solution(bound(1, 2, Proof.SOLVER, Map.of(), Map.of()))).violations())
        .anyMatch(v -> v.contains("At level (1) there must be (2), but only (1) are granted"));
  }

  @Test
  void findsFinesAndPricesThatAreNone() {
    assertThat(
            report(solution(bound(3, 0, Proof.SOLVER, Map.of(), Map.of(Utility.of(1), -1.0))))
                .violations())
        .anyMatch(v -> v.contains("fine (-1.0) of (1) must be finite and from 0"));
    assertThat(
            report(solution(bound(3, 0, Proof.SOLVER, Map.of(), Map.of(Utility.of(3), 1.0))))
                .violations())
        .anyMatch(v -> v.contains("fine at (3) must be below the level (3)"));
    assertThat(
            report(solution(bound(3, 0, Proof.SOLVER, Map.of(LINK, Double.NaN), Map.of())))
                .violations())
        .anyMatch(v -> v.contains("must be finite and from 0"));
  }

  @Test
  void isNotFilledWhereALevelIsOpenOrMissing() {
    assertThat(solution(FIRST, SECOND).isFilled()).isFalse();
    assertThat(solution(FIRST, bound(3, 2, Proof.SOLVER, Map.of(), Map.of()), THIRD).isFilled())
        .isFalse();
  }

  private static LevelBound bound(
      int level, int fewest, Proof proof, Map<LinkId, Double> prices, Map<Utility, Double> fines) {
    return LevelBound.of(Utility.of(level), fewest, proof, prices, fines);
  }

  private static CertificateReport report(Solution solution) {
    return CertificateChecker.check(problem(), solution);
  }

  private static Problem problem() {
    Link link = Link.of("s", "t", mbps(10), LinkDelay.constant(Latency.ofMillis(1)));
    return Problem.of(
        "levels",
        Network.of(List.of("s", "t"), List.of(link)),
        List.of(
            Application.of("fixed", "s", "t", function("fixed", Map.of(1, 1)), 1, 0),
            Application.of("x", "s", "t", function("x", Map.of(1, 1, 2, 3, 4, 5)), 3, 0)),
        Problem.PAPER_EPSILON,
        Sharing.FREE);
  }

  private static UtilityFunction function(String name, Map<Integer, Integer> utilityByMbps) {
    List<DataRate> rates = new ArrayList<>();
    List<List<Utility>> table = new ArrayList<>();
    utilityByMbps.keySet().stream()
        .sorted()
        .forEach(
            mbps -> {
              rates.add(mbps(mbps));
              table.add(List.of(Utility.of(utilityByMbps.getOrDefault(mbps, 1))));
            });
    return UtilityFunction.of(name, rates, List.of(Latency.ofMillis(5)), table);
  }

  private static Solution solution(LevelBound... levels) {
    Certificate certificate =
        Certificate.of(
                Utility.of(1),
                16_000_000_000L,
                Proof.PRICES,
                Map.of(),
                Optional.of(Utility.of(3)),
                Map.of())
            .withLevels(List.of(levels));
    return Solution.of(
        Utility.of(1),
        List.of(grant("fixed", 1, 1, 1), grant("x", 1, 4, 5), grant("x", 2, 2, 3)),
        certificate);
  }

  private static Grant grant(String id, int count, int mbps, int utility) {
    return Grant.of(
        id,
        count,
        mbps(mbps),
        Latency.ofMillis(5),
        Utility.of(utility),
        Path.of(List.of("s", "t")));
  }

  private static DataRate mbps(int rate) {
    return DataRate.ofKilobitsPerSecond(rate * 1000L);
  }
}
