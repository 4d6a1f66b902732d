package org.paceline.agent.enforce.htb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassRate;

class HtbClassTest {
  @Test
  void theBurstIsAPacketOrWhatLeavesUntilALateTimerFires() {
    assertThat(HtbClass.burst(1_000_000)).isEqualTo(1_600);
    assertThat(HtbClass.burst(6_400_000)).isEqualTo(1_600);
    assertThat(HtbClass.burst(100_000_000)).isEqualTo(25_000);
  }

  @Test
  void theTurnOfWhoBorrowsGoesByItsRate() {
    assertThat(HtbClass.quantum(ClassRate.of(10_000_000))).isEqualTo(1_514);
    assertThat(HtbClass.quantum(ClassRate.upTo(10_000_000, 1_000_000))).isEqualTo(1_514);
    assertThat(HtbClass.quantum(ClassRate.upTo(8_000, 100_000_000))).isEqualTo(1_514);
    assertThat(HtbClass.quantum(ClassRate.upTo(8_000_000, 100_000_000))).isEqualTo(40_000);
    assertThat(HtbClass.quantum(ClassRate.upTo(80_000_000, 100_000_000))).isEqualTo(400_000);
    assertThat(HtbClass.quantum(ClassRate.upTo(8_000_000_000L, 9_000_000_000L))).isEqualTo(605_600);
    assertThat(HtbClass.quantum(ClassRate.upTo(8_000_000, 100_000_000, 1))).isEqualTo(10_000);
    assertThat(HtbClass.quantum(ClassRate.upTo(8_000_000, 100_000_000, 7))).isEqualTo(1_514);
  }

  @Property(seed = "20")
  void anyMessageIsReadWithoutHarm(@ForAll @Size(min = 20, max = 200) byte[] message) {
    ByteBuffer bytes = ByteBuffer.wrap(message).order(ByteOrder.nativeOrder());
    // One of ours, so that its attributes are looked at.
    bytes.putInt(8, ClassIds.MAJOR << 16 | 7);

    assertThatCode(() -> HtbClass.read(bytes)).doesNotThrowAnyException();
  }
}
