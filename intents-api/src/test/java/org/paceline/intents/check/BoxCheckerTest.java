package org.paceline.intents.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.BoxNode;
import org.paceline.intents.problem.BoxSplit;
import org.paceline.intents.problem.BoxTree;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Utility;

/**
 * Two ways from a to b for three copies: the direct link takes 10 ms up to 880 kbit/s, so that two
 * of them can have 400 kbit/s in 10 ms there; the third has to take the detour of 25 ms. A cell of
 * 10 ms is worth 3 with 200 or 400 kbit/s, one of 30 ms is worth 2 or 3.
 */
class BoxCheckerTest {
  private static final long THREE = 3L * Utility.SCALE;
  private static final BoxNode CLOSED = BoxNode.of(Optional.empty(), Optional.empty());

  private final Problem problem =
      SmallWorld.problem(SmallWorld.application("x", 2), SmallWorld.application("y", 1));
  private final BoxChecker checker = new BoxChecker(problem);

  @Test
  void nobodyIsWorthMoreThanTheBestCell() {
    assertThat(checker.areBounded(List.of(tree(3 * THREE, "x")), Utility.SCALE)).isTrue();
  }

  @Test
  void whatCanBeHadIsNotRefuted() {
    assertThat(checker.areBounded(List.of(tree(3 * THREE - 1, "x")), Utility.SCALE)).isFalse();
    assertThat(checker.isRefuted(tree(BoxTree.NOTHING, "x"), THREE)).isFalse();
    assertThat(checker.isRefuted(tree(BoxTree.NOTHING, "x"), THREE + 1)).isTrue();
  }

  @Test
  void nobodyIsBoundedTwiceAndAStrangerNever() {
    // x and y are alike: either names all three.
    BoxTree one = tree(3 * THREE, "y");
    assertThat(checker.areBounded(List.of(one), Utility.SCALE)).isTrue();
    assertThat(checker.areBounded(List.of(one, one), Utility.SCALE)).isFalse();
    assertThat(checker.areBounded(List.of(tree(3 * THREE, "z")), Utility.SCALE)).isFalse();
  }

  /**
   * Six that share a cell of 200 kbit/s do not all fit on the direct link, so that they have 30 ms
   * and 12 together; somebody of another type has 3.
   */
  @Test
  void whoIsInNoTreeHasThePricesBound() {
    Problem problem =
        SmallWorld.problem(
            Sharing.SAME_UTILITY_PER_TYPE,
            SmallWorld.application("x", 6),
            Application.of("y", "a", "c", SmallWorld.F.named("g")));
    long bound = 15L * Utility.SCALE;
    assertThat(sum(problem, bound)).isEqualTo(CertificateReport.Standing.PROVED);
    assertThat(sum(problem, bound - 1000)).isEqualTo(CertificateReport.Standing.CLAIMED);
  }

  private static CertificateReport.Standing sum(Problem problem, long bound) {
    BoxNode third = parted(BoxSplit.byLink("x", 2, SmallWorld.DIRECT));
    BoxNode fifth = parted(BoxSplit.byLink("x", 4, SmallWorld.DIRECT));
    BoxTree six =
        BoxTree.of(
            List.of("x"), 12L * Utility.SCALE, List.of(third, CLOSED, fifth, CLOSED, CLOSED));
    Certificate certificate =
        Certificate.of(
                Utility.MAX,
                bound,
                Certificate.Proof.EXHAUSTIVE,
                Map.of(),
                Optional.empty(),
                Map.of())
            .withBoxes(Optional.empty(), List.of(six));
    // Whether the grants are right is another checker's affair.
    return CertificateChecker.check(
            problem,
            SmallWorld.solution(2, certificate, SmallWorld.grant("x", 1, 200, 30, 2, "a", "b")))
        .sum();
  }

  /**
   * Eight copies have 200 kbit/s at least: five fit on the direct link, two on the detour. As they
   * are alike, those on the direct link come first.
   */
  @Test
  void halvesHoldAllOfTheirBox() {
    BoxNode sixthOnTheDetour = parted(BoxSplit.byLink("x", 5, SmallWorld.DIRECT));
    BoxNode firstOnTheDetour = parted(BoxSplit.byLink("x", 0, SmallWorld.DIRECT));
    BoxNode stranger = parted(BoxSplit.byRate("z", 0, DataRate.ZERO));

    assertThat(isEightRefuted(CLOSED)).isFalse();
    assertThat(isEightRefuted(sixthOnTheDetour, CLOSED, CLOSED)).isTrue();
    assertThat(isEightRefuted(firstOnTheDetour, CLOSED, CLOSED)).isFalse();
    assertThat(isEightRefuted(sixthOnTheDetour, CLOSED)).isFalse();
    assertThat(isEightRefuted(sixthOnTheDetour, CLOSED, CLOSED, CLOSED)).isFalse();
    assertThat(isEightRefuted(stranger, CLOSED, CLOSED)).isFalse();
  }

  private static boolean isEightRefuted(BoxNode... nodes) {
    Problem eight =
        SmallWorld.problem(Sharing.SAME_UTILITY_PER_TYPE, SmallWorld.application("x", 8));
    return new BoxChecker(eight)
        .isRefuted(BoxTree.of(List.of("x"), BoxTree.NOTHING, List.of(nodes)), Utility.SCALE);
  }

  @Test
  void pricesBelowNothingShowNothing() {
    BoxNode priced = BoxNode.of(Optional.of(Map.of(SmallWorld.DIRECT, -1.0)), Optional.empty());
    BoxTree tree = BoxTree.of(List.of("x"), 4 * THREE, List.of(priced));
    assertThat(checker.areBounded(List.of(tree), Utility.SCALE)).isFalse();
  }

  @Test
  void whoSharesACellIsInOneTree() {
    Problem shared =
        SmallWorld.problem(
            Sharing.SAME_UTILITY_PER_TYPE,
            SmallWorld.application("x", 2),
            Application.of("y", "a", "c", SmallWorld.F));
    BoxChecker all = new BoxChecker(shared);
    BoxTree both = BoxTree.of(List.of("x", "y"), 3 * THREE, List.of(CLOSED));
    assertThat(all.areBounded(List.of(both), Utility.SCALE)).isTrue();
    List<BoxTree> apart = List.of(tree(2 * THREE, "x"), tree(THREE, "y"));
    assertThat(all.areBounded(apart, Utility.SCALE)).isFalse();
  }

  private static BoxNode parted(BoxSplit split) {
    return BoxNode.of(Optional.empty(), Optional.of(split));
  }

  private static BoxTree tree(long bound, String application) {
    return BoxTree.of(List.of(application), bound, List.of(CLOSED));
  }
}
