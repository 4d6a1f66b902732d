package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.control.explain.PolicyDifference;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.Transport;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class PolicyDifferenceTest {
  private static final DataRate UPLOADS = DataRate.ofKilobitsPerSecond(600);

  private final Office office = new Office();
  private final IntentTree next =
      office
          .policies
          .tree()
          .with(
              IntentPath.parse("files/copy"),
              Policy.builder()
                  .utilityFunction(office.policies.resolve("files/copy").utilityFunction().value())
                  .maximumRate(DataRate.ofKilobitsPerSecond(400))
                  .build());

  @Test
  void beforeTheFirstPlanNobodyDiffers() {
    assertThat(difference(next).effects()).isEmpty();
  }

  @Test
  void whoIsHeldToLessLosesWhatTheOthersWinAndNothingIsEnforced() {
    converse();
    var before = office.planner.plan().grants();
    PolicyDifference difference = difference(next);
    assertThat(difference.nodes()).containsExactly(IntentPath.parse("files/copy"));
    assertThat(difference.losers()).isEqualTo(2);
    assertThat(difference.winners()).isEqualTo(4);
    assertThat(difference.moves()).isZero();
    assertThat(office.planner.plan().grants()).isEqualTo(before);
    assertThat(difference.effects())
        .allMatch(effect -> effect.gain() < 0 == effect.conversation().local().startsWith("copy"));
  }

  /** The difference is what happens: put in force, every conversation gets what was foretold. */
  @Test
  void whatIsForetoldComesTrue() {
    converse();
    PolicyDifference difference = difference(next);
    office.policies.replace(next);
    office.settle();
    assertThat(difference.effects())
        .isNotEmpty()
        .allSatisfy(
            effect ->
                assertThat(office.planner.plan().grants().get(effect.conversation()))
                    .isEqualTo(effect.after().orElseThrow()));
  }

  @Test
  void theSameTreeMakesNoDifference() {
    converse();
    assertThat(difference(office.policies.tree()).effects()).isEmpty();
    assertThat(difference(office.policies.tree()).sum()).isZero();
  }

  @Test
  void whoKeepsTheirRateWinsOrLosesByAnotherFunctionAndThatIsSaid() {
    office.open(Office.conversation(1, "copy", "files/copy"));
    office.settle();
    IntentPath node = IntentPath.parse("files/copy");
    IntentTree now = office.policies.tree();
    UtilityFunction function = now.resolve(node).utilityFunction().value();
    PolicyDifference difference =
        difference(now.with(node, Policy.builder().utilityFunction(halved(function)).build()));
    assertThat(difference.losers()).isEqualTo(1);
    assertThat(difference.rates()).isZero();
    assertThat(difference.revalued()).isEqualTo(1);
    assertThat(difference.effects().get(0).cause()).isEqualTo(PolicyDifference.Cause.FUNCTION);
    converse();
    assertThat(difference(next).revalued()).isZero();
    assertThat(difference(next).effects())
        .allMatch(effect -> effect.cause() == PolicyDifference.Cause.RATE);
  }

  /**
   * What a client sends is valued otherwise; what its server sends, and what nobody knows, is not.
   */
  @Test
  void aFunctionOfUploadsIsForWhatClientsSendAlone() {
    office.open(between("up", 40_000, 873));
    office.open(between("down", 873, 40_000));
    office.open(between("either", 0, 0));
    office.settle();
    IntentPath node = IntentPath.parse("files/copy");
    IntentTree now = office.policies.tree();
    UtilityFunction function = now.resolve(node).utilityFunction().value();
    IntentTree uploads =
        now.with(
            node,
            Policy.builder()
                .utilityFunction(function)
                .uploadFunction(function.within(DataRate.ZERO, UPLOADS).named("uploads"))
                .build());
    PolicyDifference difference = difference(uploads);
    assertThat(effect(difference, "up").after().orElseThrow().rate()).isEqualTo(UPLOADS);
    office.policies.replace(uploads);
    office.settle();
    assertThat(office.grant("h1", "up")).isEqualTo(UPLOADS.millibitsPerSecond());
    assertThat(requested("up")).isEqualTo("uploads");
    assertThat(requested("down")).isEqualTo(function.name());
    assertThat(requested("either")).isEqualTo(function.name());
    assertThat(office.grant("h1", "down")).isGreaterThan(UPLOADS.millibitsPerSecond());
    assertThat(difference.effects())
        .allSatisfy(
            effect ->
                assertThat(office.planner.plan().grants().get(effect.conversation()))
                    .isEqualTo(effect.after().orElseThrow()));
  }

  private static PolicyDifference.Effect effect(PolicyDifference difference, String local) {
    return difference.effects().stream()
        .filter(effect -> effect.conversation().local().equals(local))
        .findFirst()
        .orElseThrow();
  }

  private String requested(String local) {
    return office.proof("h1", local).requested().utilityFunction().value().name();
  }

  private static Conversation between(String local, int from, int to) {
    return Office.conversation(1, local, "files/copy").toBuilder()
        .transport(Transport.TCP)
        .localPort(from)
        .remotePort(to)
        .build();
  }

  /** The same steps, each worth half of what it was above the least. */
  private static UtilityFunction halved(UtilityFunction function) {
    List<DataRate> rates = new ArrayList<>();
    List<Latency> delays = new ArrayList<>();
    List<List<Utility>> rows = new ArrayList<>();
    for (int d = 0; d < function.delayBins(); d++) {
      delays.add(function.delay(d));
    }
    for (int r = 0; r < function.throughputBins(); r++) {
      rates.add(function.throughput(r));
      List<Utility> row = new ArrayList<>();
      for (int d = 0; d < function.delayBins(); d++) {
        BigDecimal above = function.utility(r, d).value().subtract(BigDecimal.ONE);
        row.add(Utility.of(BigDecimal.ONE.add(above.divide(BigDecimal.valueOf(2)))));
      }
      rows.add(row);
    }
    return UtilityFunction.of("halved", rates, delays, rows);
  }

  @Test
  void aNodeThatIsTakenAwayOrAddedDiffers() {
    IntentPath path = IntentPath.parse("new");
    IntentTree more = next.with(path, Policy.INHERIT_ALL);
    assertThat(next.differences(more)).contains(path);
    assertThat(more.differences(next)).contains(path);
  }

  private PolicyDifference difference(IntentTree tree) {
    return PolicyDifference.of(office.policies.tree(), tree, office.planner, office.proofs);
  }

  private void converse() {
    for (int i = 0; i < 2; i++) {
      office.open(Office.conversation(1, "copy" + i, "files/copy"));
    }
    for (int i = 0; i < 4; i++) {
      office.open(Office.conversation(2, "web" + i, "web/page"));
    }
    office.settle();
  }
}
