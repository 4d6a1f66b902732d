package org.paceline.allocator.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeetingsTest {
  private static final int[][] NOWHERE = {};

  @Test
  void whoSharesALinkIsInOneGroupAlsoByWayOfOthers() {
    int[][] left = {{0, 1}};
    int[][] right = {{4}};
    int[][] between = {{1}, {2, 3}};
    int[][] far = {{3}};

    assertThat(Meetings.groups(5, List.of(left, right, between, far, NOWHERE)))
        .containsExactly(new int[] {0, 2, 3}, new int[] {1}, new int[] {4});
  }
}
