package org.paceline.control.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.paceline.control.SolverBug;

final class EachTest {
  private final List<String> told = new ArrayList<>();

  @ParameterizedTest
  @EnumSource
  void whatOneThrowsKeepsNobodyAfterItFromHearingAndIsHeardOf(SolverBug bug) {
    assertThatThrownBy(
            () ->
                Each.of(
                    List.of("a", "b", "c"),
                    one -> {
                      told.add(one);
                      if (!one.equals("c")) {
                        bug.thrown();
                      }
                    }))
        .asString()
        .contains(bug.said);
    assertThat(told).containsExactly("a", "b", "c");
  }
}
