package org.paceline.control.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.paceline.intents.tree.IntentPath;

final class UserTest {
  private static final IntentPath VIDEO = IntentPath.parse("video");
  private static final IntentPath VOIP = IntentPath.parse("voip");
  private static final Set<IntentPath> TREE = Set.of(VIDEO, VOIP);

  private final User ofVideo = user("viewer", "operator:video");
  private final User viewer = user("viewer");

  private static User user(String... roles) {
    return User.of("anna", Set.of(roles));
  }

  @Test
  void whoIsDeniedHearsWhichRoleWouldDo() {
    denied(() -> viewer.mustHold(Role.ADMIN), "(anna) lacks the role admin.");
    denied(() -> user().mustHold(Role.BRANCH), "(anna) lacks the role viewer.");
    denied(() -> viewer.mustHold(Role.BRANCH), "(anna) may change nothing.");
    denied(() -> ofVideo.mustBeAllowed(TREE), "operator:voip can.");
  }

  @Test
  void whoMayChangeABranchMayPutATreeInForceThatDiffersThereOrNowhere() {
    assertThatCode(() -> ofVideo.mustBeAllowedTree(Set.of(VIDEO), TREE)).doesNotThrowAnyException();
    assertThatCode(() -> ofVideo.mustBeAllowedTree(Set.of(), TREE)).doesNotThrowAnyException();
    denied(() -> ofVideo.mustBeAllowedTree(Set.of(VOIP), TREE), "may not change (voip)");
    denied(() -> viewer.mustBeAllowedTree(Set.of(), TREE), "may change nothing");
  }

  @Test
  void whatSomebodyBeganIsForThemAndForAdmins() {
    assertThat(viewer.maySeeWhatWasBegunBy("anna")).isTrue();
    assertThat(viewer.maySeeWhatWasBegunBy("otto")).isFalse();
    assertThat(user("admin").maySeeWhatWasBegunBy("otto")).isTrue();
  }

  private static void denied(ThrowingCallable ask, String why) {
    assertThatExceptionOfType(Denied.class).isThrownBy(ask).withMessageContaining(why);
  }
}
