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

class HtbClassTest {
  @Test
  void theBurstIsAPacketOrWhatLeavesUntilALateTimerFires() {
    assertThat(HtbClass.burst(1_000_000)).isEqualTo(1_600);
    assertThat(HtbClass.burst(6_400_000)).isEqualTo(1_600);
    assertThat(HtbClass.burst(100_000_000)).isEqualTo(25_000);
  }

  @Property
  void anyMessageIsReadWithoutHarm(@ForAll @Size(min = 20, max = 200) byte[] message) {
    ByteBuffer bytes = ByteBuffer.wrap(message).order(ByteOrder.nativeOrder());
    // One of ours, so that its attributes are looked at.
    bytes.putInt(8, ClassIds.MAJOR << 16 | 7);

    assertThatCode(() -> HtbClass.read(bytes)).doesNotThrowAnyException();
  }
}
