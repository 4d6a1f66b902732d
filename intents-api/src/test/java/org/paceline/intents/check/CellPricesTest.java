package org.paceline.intents.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.intents.check.SmallWorld.DETOUR;
import static org.paceline.intents.check.SmallWorld.DIRECT;
import static org.paceline.intents.check.SmallWorld.application;
import static org.paceline.intents.check.SmallWorld.grant;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.intents.check.CertificateReport.Standing;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Certificate.Proof;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** Which paths the checker lets a cell take, and what they cost there. */
class CellPricesTest {
  @Test
  void pricesEachDelayByTheCheapestPathThatIsFastEnough() {
    // The direct way costs 2 a kbit/s, the detour nothing, but only the column of 30 ms may use it.
    Problem problem = SmallWorld.problem(application("x", 3));
    Certificate certificate =
        Certificate.of(
            Utility.of(3),
            9_000_000_000L,
            Proof.SOLVER,
            Map.of(DIRECT, 2.0),
            Optional.empty(),
            Map.of());
    CertificateReport report =
        CertificateChecker.check(
            problem,
            SmallWorld.solution(
                3,
                certificate,
                grant("x", 2, 400, 10, 3, "a", "b"),
                grant("x", 1, 400, 30, 3, "a", "c", "b")));

    assertThat(report.violations()).isEmpty();
    // 1 Gmbit/s and its ten-millionth at 2, and 3 for each on the detour, at 30 ms.
    assertThat(report.priceBound()).isEqualByComparingTo("11000000200");
    assertThat(report.sum()).isEqualTo(Standing.CLAIMED);
    assertThat(report.theta()).isEqualTo(Standing.PROVED);
  }

  @Test
  void pricesBothWaysWhereBothCost() {
    Problem problem = SmallWorld.problem(application("x", 1));
    Map<LinkId, Double> prices = new HashMap<>();
    prices.put(DIRECT, 2.0);
    prices.put(DETOUR, 1.0);
    Certificate certificate =
        Certificate.of(
            Utility.of(3), 3_000_000_000L, Proof.SOLVER, prices, Optional.empty(), Map.of());
    CertificateReport report =
        CertificateChecker.check(
            problem, SmallWorld.solution(3, certificate, grant("x", 1, 400, 10, 3, "a", "b")));

    // (200, 10): 3 - 0.4 directly; (400, 30): 3 - 0.4 by the detour; links earn 2 + 0.5.
    assertThat(report.priceBound()).isEqualByComparingTo("5100000250");
  }

  @Test
  void leavesOutLinksThatCannotCarryTheRateAlone() {
    // Only the detour, of 500 kbit/s, is free; a cell of 600 kbit/s must take the direct way.
    UtilityFunction wide =
        UtilityFunction.of(
            "wide",
            List.of(DataRate.ofKilobitsPerSecond(600)),
            List.of(Latency.ofMillis(30)),
            List.of(List.of(Utility.of(5))));
    Problem problem = SmallWorld.problem(Application.of("x", "a", "b", wide));
    Certificate certificate =
        Certificate.of(
            Utility.of(5),
            5_000_000_000L,
            Proof.SOLVER,
            Map.of(DIRECT, 1.0),
            Optional.empty(),
            Map.of());
    CertificateReport report =
        CertificateChecker.check(
            problem, SmallWorld.solution(5, certificate, grant("x", 1, 600, 30, 5, "a", "b")));

    assertThat(report.priceBound()).isEqualByComparingTo("5400000100");
  }
}
