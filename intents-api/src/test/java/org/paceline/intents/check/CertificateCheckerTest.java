package org.paceline.intents.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
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
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Four applications of rates 1, 2, 3 Mbit/s and utilities 1, 3, 4 share a link of 8 Mbit/s. All can
 * have 3, not 4, and the best sum is 12 at 8 Mbit/s: any third unit for one takes two from others.
 */
class CertificateCheckerTest {
  private static final LinkId LINK = LinkId.of("s", "t");

  /** A utility of 1 for 1 Mbit/s, in billionths a millibit: between the two slopes, 2 and 1. */
  private static final double PRICE = 1.0;

  private static final Problem FOUR = four(Sharing.FREE);

  @Test
  void provesBothBoundsOfTheOptimumFromTheirPrices() {
    CertificateReport report = check(new Claim());

    assertThat(report.violations()).isEmpty();
    assertThat(report.theta()).isEqualTo(Standing.PROVED);
    assertThat(report.sum()).isEqualTo(Standing.PROVED);
    // 8 Mbit/s and the ten-millionth that a link may carry more, at 1, and 4 times (3 - 2).
    assertThat(report.priceBound()).isEqualByComparingTo("12000000800");
  }

  @Test
  void provesThemWhereATypeSharesACellToo() {
    CertificateReport report =
        CertificateChecker.check(four(Sharing.SAME_UTILITY_PER_TYPE), new Claim().solution());

    assertThat(report.violations()).isEmpty();
    assertThat(report.sum()).isEqualTo(Standing.PROVED);
  }

  @Test
  void findsABoundBelowTheSum() {
    assertThat(check(new Claim().sumBound(11_999_999_999L)).violations())
        .anyMatch(v -> v.contains("bound of the sum (11999999999 billionths) is below the sum"));
  }

  @Test
  void findsABoundThatThePricesDoNotGive() {
    assertThat(check(new Claim().prices(Map.of(LINK, 0.9))).violations())
        .anyMatch(v -> v.contains("said to follow from the prices"));
    assertThat(check(new Claim().prices(Map.of())).violations())
        .anyMatch(v -> v.contains("said to follow from the prices"));
  }

  @Test
  void callsABoundOfASearchClaimedWhereThePricesDoNotGiveIt() {
    for (Proof proof : List.of(Proof.EXHAUSTIVE, Proof.SOLVER)) {
      CertificateReport report = check(new Claim().prices(Map.of(LINK, 0.9)).proof(proof));

      assertThat(report.violations()).isEmpty();
      assertThat(report.sum()).isEqualTo(Standing.CLAIMED);
      assertThat(report.theta()).isEqualTo(Standing.PROVED);
    }
  }

  @Test
  void callsABoundOfASearchProvedWhereThePricesGiveIt() {
    assertThat(check(new Claim().proof(Proof.EXHAUSTIVE)).sum()).isEqualTo(Standing.PROVED);
  }

  @Test
  void findsASumThatNoPricesAllow() {
    Claim claim = new Claim().grant(Grant.of("x", 4, mbps(3), ms(5), Utility.of(4), path()));

    assertThat(check(claim.sumBound(16_000_000_000L)).violations())
        .anyMatch(v -> v.contains("must break a constraint"));
  }

  @Test
  void findsPricesThatAreNone() {
    for (double bad : new double[] {-1e-9, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThat(check(new Claim().prices(Map.of(LINK, bad))).violations())
          .anyMatch(v -> v.contains("must be finite and from 0"));
      assertThat(check(new Claim().refutingPrices(Map.of(LINK, bad))).violations())
          .anyMatch(v -> v.contains("must be finite and from 0"));
    }
    assertThat(check(new Claim().prices(Map.of(LinkId.of("t", "s"), 1.0))).violations())
        .anyMatch(v -> v.contains("(t -> s), which is no link"));
  }

  @Test
  void findsAThetaAboveItsBound() {
    assertThat(check(new Claim().thetaBound(1)).violations())
        .anyMatch(v -> v.contains("bound of theta (1) is below theta1 itself (3)"));
  }

  @Test
  void findsALevelThatIsNotRefuted() {
    assertThat(check(new Claim().thetaBound(1).refuted(3)).violations())
        .anyMatch(v -> v.contains("do not refute every level above"));
  }

  @Test
  void findsALevelInBetweenThatNobodyRefuted() {
    // At 10 Mbit/s or more all could have more; the claim jumps from 1 over 3 to 4.
    Claim claim = new Claim().theta(1).thetaBound(1);

    assertThat(check(claim).violations())
        .anyMatch(v -> v.contains("do not refute every level above the bound of theta (1)"));
  }

  @Test
  void findsARefutedLevelThatIsNotAboveTheBound() {
    assertThat(check(new Claim().thetaBound(4)).violations())
        .anyMatch(v -> v.contains("refuted level (4) must be above the bound"));
  }

  @Test
  void findsAMissingRefutation() {
    assertThat(check(new Claim().refuted(Optional.empty(), Map.of())).violations())
        .anyMatch(v -> v.contains("but every application has a better cell"));
  }

  @Test
  void callsALevelClaimedThatASearchRefuted() {
    CertificateReport report = check(new Claim().refutingPrices(Map.of()));

    assertThat(report.violations()).isEmpty();
    assertThat(report.theta()).isEqualTo(Standing.CLAIMED);
  }

  @Test
  void needsNoRefutationOfWhatNobodyHas() {
    CertificateReport report = check(new Claim().thetaBound(4).refuted(Optional.empty(), Map.of()));

    assertThat(report.violations()).isEmpty();
    assertThat(report.theta()).isEqualTo(Standing.PROVED);
  }

  private static CertificateReport check(Claim claim) {
    return CertificateChecker.check(FOUR, claim.solution());
  }

  private static Problem four(Sharing sharing) {
    UtilityFunction function =
        UtilityFunction.of("g", List.of(mbps(1), mbps(2), mbps(3)), List.of(ms(5)), row(1, 3, 4));
    return Problem.of(
        "four",
        Network.of(
            List.of("s", "t"), List.of(Link.of("s", "t", mbps(8), LinkDelay.constant(ms(1))))),
        List.of(Application.of("x", "s", "t", function, 4, 0)),
        Problem.PAPER_EPSILON,
        sharing);
  }

  private static DataRate mbps(int rate) {
    return DataRate.ofKilobitsPerSecond(rate * 1000L);
  }

  private static Latency ms(int delay) {
    return Latency.ofMillis(delay);
  }

  private static List<List<Utility>> row(int... utilities) {
    return Arrays.stream(utilities)
        .mapToObj(u -> List.of(Utility.of(u)))
        .collect(Collectors.toList());
  }

  private static Path path() {
    return Path.of(List.of("s", "t"));
  }

  /** The right claim, to plant one fault in. */
  private static final class Claim {
    private int theta = 3;
    private int thetaBound = 3;
    private long sumBound = 12_000_000_800L;
    private Proof proof = Proof.PRICES;
    private Map<LinkId, Double> prices = Map.of(LINK, PRICE);
    private Optional<Utility> refuted = Optional.of(Utility.of(4));
    private Map<LinkId, Double> refutingPrices = Map.of(LINK, 1.0);
    private Grant grant = Grant.of("x", 4, mbps(2), ms(5), Utility.of(3), path());

    Claim theta(int value) {
      theta = value;
      return this;
    }

    Claim thetaBound(int value) {
      thetaBound = value;
      return this;
    }

    Claim sumBound(long value) {
      sumBound = value;
      return this;
    }

    Claim proof(Proof value) {
      proof = value;
      return this;
    }

    Claim prices(Map<LinkId, Double> value) {
      prices = value;
      return this;
    }

    Claim refuted(int level) {
      refuted = Optional.of(Utility.of(level));
      return this;
    }

    Claim refuted(Optional<Utility> level, Map<LinkId, Double> byPrices) {
      refuted = level;
      refutingPrices = byPrices;
      return this;
    }

    Claim refutingPrices(Map<LinkId, Double> value) {
      refutingPrices = value;
      return this;
    }

    Claim grant(Grant value) {
      grant = value;
      return this;
    }

    Solution solution() {
      return Solution.of(
          Utility.of(theta),
          List.of(grant),
          Certificate.of(Utility.of(thetaBound), sumBound, proof, prices, refuted, refutingPrices));
    }
  }
}
