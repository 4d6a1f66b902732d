package org.paceline.allocator.network.cells;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class ConflictsTest {
  private final Conflicts conflicts = new Conflicts();

  ConflictsTest() {
    conflicts.add(new BitSet[] {cells(2, 3), cells(1, 2), cells(0, 1, 2)});
  }

  private static BitSet cells(int... numbers) {
    BitSet cells = new BitSet();
    Arrays.stream(numbers).forEach(cells::set);
    return cells;
  }

  @Test
  void aChoiceIsForbiddenWhereEachOfItsCellsIsInTheConflict() {
    assertThat(conflicts.forbid(new int[] {3, 1, 0})).isTrue();
    assertThat(conflicts.forbid(new int[] {1, 1, 0})).isFalse();
  }

  @Test
  void theOnlyTypeThatCanGiveWayLosesItsConflictingCells() {
    BitSet[] left = {cells(1, 2, 3), cells(2), cells(0)};
    assertThat(conflicts.narrow(left)).isTrue();
    assertThat(left).containsExactly(cells(1), cells(2), cells(0));
  }

  @Test
  void whereTwoTypesCanGiveWayNothingIsLeftOut() {
    BitSet[] left = {cells(1, 2, 3), cells(0, 2), cells(0)};
    assertThat(conflicts.narrow(left)).isTrue();
    assertThat(left).containsExactly(cells(1, 2, 3), cells(0, 2), cells(0));
  }

  @Test
  void whereNoTypeCanGiveWayNothingIsLeft() {
    assertThat(conflicts.narrow(new BitSet[] {cells(3), cells(2), cells(1)})).isFalse();
  }
}
