package org.paceline.agent.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ClassDumpTest {
  private static final List<String> DUMP =
      """
      class htb ace1:1 root leaf 8148: prio 0 rate 2345Kbit ceil 2345Kbit burst 1599b cburst 1599b\s
       Sent 320124 bytes 222 pkt (dropped 3, overlimits 221 requeues 0)\s
       backlog 69Kb 56p requeues 0
       lended: 222 borrowed: 0 giants: 0
       tokens: -35767 ctokens: -35767

      class htb 1:2 root prio 0 rate 1Mbit ceil 1Mbit burst 1600b cburst 1600b\s
       Sent 7 bytes 1 pkt (dropped 0, overlimits 0 requeues 0)\s
       backlog 0b 0p requeues 0
      """
          .lines()
          .toList();

  @Test
  void aClassIsReadWithItsRateAndCounters() {
    assertThat(ClassDump.parse(DUMP, 0xace1))
        .containsOnlyKeys(1)
        .containsValue(new ClassStatistics(1, 2_345_000, 320_124, 222, 3, 69 << 10));
  }

  @Test
  void classesOfOtherQdiscsAreNotTakenForOurs() {
    assertThat(ClassDump.parse(DUMP, 0x1))
        .containsOnlyKeys(2)
        .containsValue(new ClassStatistics(2, 1_000_000, 7, 1, 0, 0));
  }

  @Property
  void anyTextIsReadWithoutHarm(@ForAll List<String> lines) {
    assertThatCode(() -> ClassDump.parse(lines, 0xace1)).doesNotThrowAnyException();
  }
}
