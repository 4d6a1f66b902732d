package org.paceline.control.audit;

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
    assertThat(Role.values()).allMatch(role -> role.isHeldBy(Set.of("admin")));
    assertThat(Role.ADMIN.isHeldBy(Set.of("operator"))).isFalse();
    assertThat(Role.OPERATOR.isHeldBy(Set.of("operator"))).isTrue();
    assertThat(Role.OPERATOR.isHeldBy(Set.of("viewer"))).isFalse();
    assertThat(Role.VIEWER.isHeldBy(Set.of("viewer"))).isTrue();
    assertThat(Role.values()).noneMatch(role -> role.isHeldBy(Set.of("manager")));
    assertThat(Role.values()).noneMatch(role -> role.isHeldBy(Set.of("operator:video")));
    assertThat(Role.BRANCH.isHeldBy(Set.of("viewer"))).isFalse();
    assertThat(Role.BRANCH.isHeldBy(Set.of("viewer", "operator:video"))).isTrue();
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
    assertThat(Role.mayChangeOne(Set.of("operator:video"), tree)).isTrue();
    assertThat(Role.mayChangeOne(Set.of("operator"), Set.of())).isTrue();
    assertThat(Role.mayChangeOne(Set.of("operator:voip"), tree)).isFalse();
    assertThat(Role.mayChangeOne(Set.of("viewer"), tree)).isFalse();
  }

  private static Optional<String> refused(String role, IntentPath... nodes) {
    return Role.mayNotChange(Set.of(role), new TreeSet<>(Set.of(nodes))).map(IntentPath::toString);
  }
}
