package org.paceline.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.paceline.cli.Talkers;
import org.paceline.control.ManualWorker;
import org.paceline.control.assurance.BesideRules;
import org.paceline.control.directive.PortScheduler;
import org.paceline.control.directive.QueueCounts;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.directive.QueueTraffic;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.LinkPorts;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.NodeNames;
import org.paceline.control.planning.Plan;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.telemetry.LinkCount;
import org.paceline.control.telemetry.LinkMeasurement;
import org.paceline.control.telemetry.LinkTelemetry;
import org.paceline.control.view.LinkView;
import org.paceline.control.view.SwitchReport;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

final class StateTablesTest {
  @Test
  void withoutAlarmsThatIsSaid() {
    assertThat(AlarmsCommand.table(List.of()).asText())
        .endsWith("The network holds what is planned.");
  }

  @Test
  void anEmptyPlanIsSaidToBeOne() {
    assertThat(PlanCommand.table(Plan.EMPTY, PlanMode.ENFORCE, Talkers.NO_NAMES).asText())
        .contains("Plan 0: least utility -");
  }

  @Test
  void aPlanThatNobodyIsHeldToIsSaidToBeOne() {
    assertThat(PlanCommand.table(Plan.EMPTY, PlanMode.SHADOW, Talkers.NO_NAMES).asText())
        .endsWith("Shadow: it is only recommended, nothing is enforced.");
  }

  @Test
  void agentsAreListedWithWhereTheyCallFrom() {
    assertThat(
            AgentsCommand.table(
                    List.of(
                        AgentInfo.of(
                            "h1", List.of("10.0.0.1"), "htb", "1", "192.0.2.1:5", Instant.EPOCH)))
                .asText())
        .contains("192.0.2.1:5")
        .endsWith("1 agents are attached.");
  }

  @Test
  void aHostThatComesFromItsPeersIsMarked() {
    AgentInfo from =
        AgentInfo.of("h1", List.of("10.0.0.1"), "htb", "1", "192.0.2.1:5", Instant.EPOCH)
            .comingFrom(AgentInfo.PeerAgreement.of(Instant.ofEpochSecond(60), 2));
    assertThat(AgentsCommand.table(List.of(from)).asText())
        .contains("shared with 2 peers since 1970-01-01T00:01:00Z");
  }

  @Test
  void switchesAndLinksAreCounted() {
    SwitchReport report =
        SwitchReport.builder()
            .id("of:1")
            .isConnected(false)
            .description("any")
            .meters(Optional.empty())
            .metersAllowed(9)
            .metersUsed(1)
            .tableSize(Optional.empty())
            .rulesAllowed(99)
            .rulesUsed(12)
            .separation("none")
            .scheduler(
                Optional.of(
                    PortScheduler.of(
                        "h7",
                        Map.of(
                            "s1-eth1",
                            Optional.of(
                                QueueShares.of(
                                    DataRate.ofKilobitsPerSecond(300),
                                    DataRate.ofKilobitsPerSecond(600))),
                            "s1-eth2",
                            Optional.empty()),
                        Map.of("s1-eth1", traffic()))))
            .build();
    assertThat(SwitchesCommand.table(List.of(report)).asText())
        .containsPattern(
            "of:1 +away +1 +9 +12 +99 +- +none +h7: s1-eth1 .300 kbit/s for elephants, 600"
                + " for others; they sent 8 and 16, dropped 0 and 3 packets., s1-eth2")
        .endsWith("1 switches, 1 of them away.");
    Network network =
        Network.of(
            Set.of("h1", "h2"),
            List.of(
                Link.of(
                    "h1",
                    "h2",
                    DataRate.ofKilobitsPerSecond(100),
                    LinkDelay.constant(Latency.ofMillis(1)))));
    assertThat(links(NetworkState.of(network, Map.of(), List.of())))
        .containsPattern("h1 +- +h2 +- +100 kbit/s +96 kbit/s +0 kbit/s +-")
        .endsWith("1 links.");
  }

  @Test
  void linksNameTheirHostsPortsAndLoad() {
    LinkId up = LinkId.of("00:00:00:00:00:03/None", "of:1");
    Network network =
        Network.of(
            Set.of(up.from(), up.to()),
            List.of(
                Link.of(
                    up.from(),
                    up.to(),
                    DataRate.ofKilobitsPerSecond(100),
                    LinkDelay.constant(Latency.ZERO))));
    NetworkState state =
        NetworkState.of(
            network,
            Map.of("10.0.0.3", up.from()),
            Map.of("of:1", "core"),
            Map.of(up, LinkPorts.of(Optional.empty(), Optional.of(7L))),
            List.of());
    assertThat(
            LinksCommand.table(
                    LinkView.of(
                        state,
                        PlannerSettings.DEFAULT.usable(state.network()),
                        NodeNames.of(state, List.of()),
                        Map.of(),
                        measured(up)),
                    List.of())
                .asText())
        .containsPattern(
            "10\\.0\\.0\\.3 +- +core +7 +100 kbit/s +96 kbit/s +0 kbit/s +- +42 kbit/s +42 % +3");
  }

  /** What it carries after two readings, a second apart. */
  /** Over a second, with 24 bytes a packet that only the wire has. */
  private static QueueTraffic traffic() {
    QueueCounts.Queued nothing = QueueCounts.Queued.of(0, 0, 0);
    QueueCounts before = QueueCounts.of(Instant.EPOCH, Duration.ZERO, nothing, nothing);
    QueueCounts after =
        QueueCounts.of(
            Instant.EPOCH,
            Duration.ofSeconds(1),
            QueueCounts.Queued.of(976, 1, 0),
            QueueCounts.Queued.of(1_952, 2, 3));
    return QueueTraffic.between(before, after, Instant.EPOCH).orElseThrow();
  }

  private static Map<LinkId, LinkMeasurement> measured(LinkId link) {
    LinkTelemetry telemetry = new LinkTelemetry(new ManualWorker(), Clock.systemUTC());
    telemetry.counted(Map.of(link, LinkCount.of(0, 0, 3, Duration.ofSeconds(1))));
    telemetry.counted(Map.of(link, LinkCount.of(5_250, 4, 3, Duration.ofSeconds(2))));
    return telemetry.now();
  }

  @Test
  void whoSendsBesideTheRulesIsNamed() {
    List<BesideRules.Sender> beside = Talkers.besideTheRules(Talkers.withOneBesideTheRules());
    assertThat(StateCommand.table(Talkers.state(2).beside(beside).build()).asText())
        .containsPattern("beside the rules +0 kbit/s managed, 55010 kbit/s held by nobody")
        .contains(Talkers.NOTE);
  }

  private static String links(NetworkState state) {
    return LinksCommand.table(
            LinkView.of(
                state,
                PlannerSettings.DEFAULT.usable(state.network()),
                NodeNames.of(state, List.of()),
                Map.of(),
                Map.of()),
            state.warnings())
        .asText();
  }
}
