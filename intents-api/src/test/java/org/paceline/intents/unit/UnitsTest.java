package org.paceline.intents.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class UnitsTest {
  @Test
  void aMeasuredTablesRateIsHeldExactly() {
    DataRate rate = DataRate.ofKilobitsPerSecond(new BigDecimal("510.344828"));

    assertThat(rate.millibitsPerSecond()).isEqualTo(510_344_828);
    assertThat(rate.kilobitsPerSecond()).isEqualByComparingTo("510.344828");
  }

  @Test
  void anEnforcedRateIsNeverAboveTheGrantedOne() {
    DataRate rate = DataRate.ofKilobitsPerSecond(new BigDecimal("510.999999"));

    assertThat(rate.toKbpsFloor()).isEqualTo(510);
    assertThat(rate.bitsPerSecond()).isEqualTo(510_999);
  }

  @Test
  void operatorsWriteRatesAndDelaysWithUnits() {
    assertThat(DataRate.parse("100mbit")).isEqualTo(DataRate.ofKilobitsPerSecond(100_000));
    assertThat(DataRate.parse("2.5 Gbit/s")).isEqualTo(DataRate.ofKilobitsPerSecond(2_500_000));
    assertThat(Latency.parse("250us")).isEqualTo(Latency.ofNanos(250_000));
    assertThat(DataRate.tryParse("fast")).isEmpty();
    assertThat(DataRate.tryParse("99999999999 gbit")).isEmpty();
    assertThatThrownBy(() -> DataRate.parse("100"))
        .hasMessageContaining("100")
        .hasMessageContaining("Maybe");
    assertThatThrownBy(() -> Latency.parse("soon")).hasMessageContaining("soon");
  }

  @Test
  void impossibleValuesAreRefused() {
    assertThatThrownBy(() -> DataRate.ofBitsPerSecond(-1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> Latency.ofNanos(-5)).hasMessageContaining("-5");
    assertThatThrownBy(() -> Utility.of(0.99)).hasMessageContaining("0.99");
    assertThatThrownBy(() -> Utility.of(5.000000001)).hasMessageContaining("5.000000001");
    assertThatThrownBy(() -> Utility.of(Double.NaN)).hasMessageContaining("NaN");
  }

  @Property(seed = "20")
  void whatIsPrintedCanBeRead(
      @ForAll @LongRange(min = 0, max = 1_000_000_000_000_000L) long value) {
    DataRate rate = DataRate.ofMillibitsPerSecond(value);
    Latency delay = Latency.ofNanos(value);

    assertThat(DataRate.parse(rate.toString())).isEqualTo(rate);
    assertThat(Latency.parse(delay.toString())).isEqualTo(delay);
  }
}
