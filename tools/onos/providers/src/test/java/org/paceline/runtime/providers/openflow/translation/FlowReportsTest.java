package org.paceline.runtime.providers.openflow.translation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.runtime.providers.openflow.translation.Rules.DEVICE;
import static org.paceline.runtime.providers.openflow.translation.Rules.fromPort;
import static org.paceline.runtime.providers.openflow.translation.Rules.reported;
import static org.paceline.runtime.providers.openflow.translation.Rules.rule;
import static org.paceline.runtime.providers.openflow.translation.Rules.toPort;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.onosproject.net.flow.FlowEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;

class FlowReportsTest {
  // With the highest bit set, as ids of late applications have.
  private static final long COOKIE = 0x9001_0000_0000_0001L;
  private static final LongPredicate NONE = cookie -> false;

  @Test
  void aWantedRuleIsReportedAsOnosWroteItWithTheSwitchsCounters() {
    FlowEntry wanted = rule(COOKIE, fromPort(1), toPort(2));

    List<FlowEntry> entries =
        FlowReports.read(
            DEVICE, List.of(wanted), NONE, List.of(reported(COOKIE, fromPort(1), toPort(2))));

    assertThat(entries).hasSize(1);
    FlowEntry entry = entries.get(0);
    assertThat(entry.id()).isEqualTo(wanted.id());
    assertThat(entry).isEqualTo(wanted);
    assertThat(entry.packets()).isEqualTo(11);
    assertThat(entry.bytes()).isEqualTo(1_100);
    assertThat(entry.life(TimeUnit.MILLISECONDS)).isEqualTo(7_500);
    assertThat(entry.state()).isEqualTo(FlowEntry.FlowEntryState.ADDED);
  }

  @Test
  void aRuleWhoseActionsWereChangedIsLeftOutSoThatOnosWritesItAgain() {
    FlowEntry wanted = rule(COOKIE, fromPort(1), toPort(2));

    assertThat(
            FlowReports.read(
                DEVICE, List.of(wanted), NONE, List.of(reported(COOKIE, fromPort(1), toPort(3)))))
        .isEmpty();
  }

  @Test
  void aRuleWhoseMatchWasChangedIsLeftOutToo() {
    FlowEntry wanted = rule(COOKIE, fromPort(1), toPort(2));

    assertThat(
            FlowReports.read(
                DEVICE, List.of(wanted), NONE, List.of(reported(COOKIE, fromPort(4), toPort(2)))))
        .isEmpty();
  }

  @Test
  void aRuleThatOnosNeverWroteIsTranslatedSoThatItCanBeRemoved() {
    List<FlowEntry> entries =
        FlowReports.read(DEVICE, List.of(), NONE, List.of(reported(0, fromPort(5), toPort(6))));

    assertThat(entries).hasSize(1);
    assertThat(entries.get(0).selector()).isEqualTo(fromPort(5));
    assertThat(entries.get(0).treatment().allInstructions()).isEqualTo(toPort(6).allInstructions());
    assertThat(entries.get(0).priority()).isEqualTo(100);
  }

  @Test
  void aRuleThatWasToldToGoIsNotTakenForAStrangers() {
    List<OFFlowStatsEntry> old = List.of(reported(COOKIE, fromPort(1), toPort(2)));

    assertThat(FlowReports.read(DEVICE, List.of(), cookie -> cookie == COOKIE, old)).isEmpty();
    FlowEntry wantedAgain = rule(COOKIE, fromPort(1), toPort(2));
    assertThat(FlowReports.read(DEVICE, List.of(wantedAgain), cookie -> cookie == COOKIE, old))
        .containsExactly(wantedAgain);
  }
}
