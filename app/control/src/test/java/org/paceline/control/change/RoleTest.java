package org.paceline.control.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.paceline.intents.tree.IntentPath;

final class RoleTest {
  private static final IntentPath VIDEO = IntentPath.parse("video");
  private static final IntentPath LIVE = IntentPath.parse("video/live");
  private static final IntentPath VIDEOS = IntentPath.parse("videos");

  @Test
  void aGreaterRoleIncludesTheSmallerOnesAndNoOther() {
    assertThat(Role.values()).allMatch(role -> role.isHeldBy("admin"::equals));
    assertThat(Role.ADMIN.isHeldBy("operator"::equals)).isFalse();
    assertThat(Role.OPERATOR.isHeldBy("operator"::equals)).isTrue();
    assertThat(Role.OPERATOR.isHeldBy("viewer"::equals)).isFalse();
    assertThat(Role.VIEWER.isHeldBy("viewer"::equals)).isTrue();
    assertThat(Role.values()).noneMatch(role -> role.isHeldBy("manager"::equals));
    assertThat(Role.values()).noneMatch(role -> role.isHeldBy("operator:video"::equals));
  }

  @Test
  void anOperatorOfABranchChangesItAndWhatIsBelowAndNothingElse() {
    assertThat(refused("operator:video", VIDEO, LIVE)).isEmpty();
    assertThat(refused("operator:video", LIVE, VIDEOS)).contains("videos");
    assertThat(refused("operator:video/live", VIDEO)).contains("video");
    assertThat(refused("operator:video", IntentPath.ROOT)).contains("/");
    assertThat(refused("operator:/", IntentPath.ROOT)).contains("/");
    assertThat(refused("viewer", LIVE)).contains("video/live");
    assertThat(refused("operator", IntentPath.ROOT, LIVE)).isEmpty();
  }

  @Test
  void whoMayChangeSomethingOfATreeIsToldFromWhoMayNot() {
    Set<IntentPath> tree = Set.of(LIVE, VIDEOS);
    assertThat(Role.mayChangeOne("operator:video"::equals, tree)).isTrue();
    assertThat(Role.mayChangeOne("operator"::equals, Set.of())).isTrue();
    assertThat(Role.mayChangeOne("operator:voip"::equals, tree)).isFalse();
    assertThat(Role.mayChangeOne("viewer"::equals, tree)).isFalse();
  }

  private static Optional<String> refused(String role, IntentPath... nodes) {
    return Role.mayNotChange(role::equals, new TreeSet<>(Set.of(nodes))).map(IntentPath::toString);
  }
}
