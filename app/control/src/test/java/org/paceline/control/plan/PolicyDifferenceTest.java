package org.paceline.control.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.paceline.control.policy.PolicyDifference;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;

final class PolicyDifferenceTest {
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
  void aNodeThatIsTakenAwayOrAddedDiffers() {
    IntentPath path = IntentPath.parse("new");
    IntentTree more = next.with(path, Policy.INHERIT_ALL);
    assertThat(PolicyDifference.changed(next, more)).contains(path);
    assertThat(PolicyDifference.changed(more, next)).contains(path);
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
