package org.paceline.allocator.virtualqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VirtualQueueSettingsTest {
  /** The roots of equation 5, and what the paper's table 3 has measured below each. */
  @ParameterizedTest
  @CsvSource({
    "3, 1, 0.819, 0.79",
    "3, 2, 0.885, 0.83",
    "5, 1, 0.881, 0.87",
    "5, 2, 0.927, 0.88",
    "10, 1, 0.936, 0.90",
    "10, 2, 0.962, 0.91"
  })
  void theRootOfEquationFiveIsAtLeastWhatThePaperMeasured(
      int sharpness, double alpha, double root, double measured) {
    double found = VirtualQueueSettings.of(sharpness, alpha).utilisation();

    assertThat(found).isCloseTo(root, within(1e-3)).isGreaterThan(measured);
  }

  @Property(seed = "20")
  void theRootIsWhereEquationFiveHolds(
      @ForAll @IntRange(min = 1, max = 50) int sharpness,
      @ForAll @DoubleRange(min = 0.1, max = 10) double alpha) {
    double root = VirtualQueueSettings.of(sharpness, alpha).utilisation();
    double price = Math.pow(root, sharpness);

    assertThat(root).isCloseTo(alpha * (1 - price) / price, within(1e-6));
  }

  @Test
  void whatWouldSwingOrMeanNothingIsRefusedWithAWayOut() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VirtualQueueSettings.of(5, 1, 0.17, 0.95))
        .withMessageContaining("(0.17)")
        .withMessageContaining("0.09");
    for (double gain : new double[] {0, -1, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> VirtualQueueSettings.of(5, 1, gain, 0.95))
          .withMessageContaining("kappa");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VirtualQueueSettings.of(0, 1))
        .withMessageContaining("B (0)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VirtualQueueSettings.of(5, Double.NaN))
        .withMessageContaining("alpha");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VirtualQueueSettings.of(5, 1, 0.1, 1.1))
        .withMessageContaining("beta (1.1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VirtualQueueSettings.STANDARD.adaptingTo(1.2))
        .withMessageContaining("(1.2)");
  }
}
