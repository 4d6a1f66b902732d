package org.paceline.intents.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WholeNumberTest {
  @Test
  void bothEndsOfTheRangeBelongToIt() {
    assertThat(WholeNumber.parse("share", "1", 1, 100)).isEqualTo(1);
    assertThat(WholeNumber.parse("share", "100", 1, 100)).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "101", "", "1.5", "1e2", "many", "\"7\"", "99999999999999999999"})
  void whatIsNoneInTheRangeIsRefusedWithItsNameAndTheRange(String text) {
    assertThatThrownBy(() -> WholeNumber.parse("share", text, 1, 100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The share (" + text + ") must be a whole number from 1 to 100.");
  }

  @Test
  void aRefusalMovesNoTerminal() {
    assertThatThrownBy(() -> WholeNumber.parse("share", "\u001b[2J", 1, 100))
        .hasMessageContaining("(\\u001b[2J)");
  }
}
