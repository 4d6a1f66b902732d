package org.paceline.control.assurance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Alarm;

final class PeersDecidedTest {
  private final ManualWorker clock = new ManualWorker();
  private final List<AgentInfo> agents = new ArrayList<>();
  private final PeersDecided decided = new PeersDecided(() -> agents, clock);

  private AgentInfo agent(String host) {
    return AgentInfo.of(host, List.of(), "htb", "test", "test", clock.instant());
  }

  /** It attaches now, and had gone by its peers for as long. */
  private void attachAfter(String host, Duration alone, int peers) {
    Instant since = clock.instant().minus(alone);
    agents.add(agent(host).comingFrom(AgentInfo.PeerAgreement.of(since, peers)));
  }

  @Test
  void aHostThatWentByItsPeersForLongIsAnAlarmForTenMinutes() {
    clock.pass(Duration.ofHours(1));
    Instant attached = clock.instant();
    attachAfter("h1", Duration.ofMinutes(25), 2);

    assertThat(decided.look())
        .containsExactly(
            Alarm.ofPeers(
                "h1",
                "The host (h1) reached no controller since "
                    + attached.minus(Duration.ofMinutes(25))
                    + " by its clock, until it attached at "
                    + attached
                    + ". No grant held there meanwhile: it shared its links with (2) peers. Maybe see"
                    + " in its agent's log why it reached none.",
                attached));
    assertThat(decided.look().get(0).about()).isEqualTo("peers of agent h1");
    clock.pass(Duration.ofMinutes(9));
    assertThat(decided.look()).hasSize(1);
    clock.pass(Duration.ofMinutes(1));
    assertThat(decided.look()).isEmpty();
  }

  @Test
  void ofOneThatHeardNobodyTheKeyAndMulticastAreNamed() {
    clock.pass(Duration.ofHours(1));
    attachAfter("h1", Duration.ofMinutes(1), 0);

    assertThat(decided.look())
        .singleElement()
        .extracting(Alarm::sentence)
        .asString()
        .contains("it heard no peer", "compare its key", "multicast");
  }

  @Test
  void aShortTimeWithoutAControllerIsNoneAndNeitherIsAnAgentWithoutPeers() {
    clock.pass(Duration.ofHours(1));
    attachAfter("h1", Duration.ofSeconds(59), 2);
    // Its clock is ahead.
    attachAfter("h2", Duration.ofMinutes(-5), 2);
    agents.add(agent("h3"));

    assertThat(decided.look()).isEmpty();
  }

  @Test
  void itEndsWhereTheAgentIsGone() {
    clock.pass(Duration.ofHours(1));
    attachAfter("h1", Duration.ofMinutes(2), 1);
    assertThat(decided.look()).hasSize(1);
    agents.clear();
    assertThat(decided.look()).isEmpty();
  }
}
