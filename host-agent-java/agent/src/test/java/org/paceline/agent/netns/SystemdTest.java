package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.paceline.protocol.ConversationOpened;

/**
 * The service as the package has it, under a real systemd: what becomes of rates however it ends.
 */
class SystemdTest extends InNamespaces {
  @Test
  void ratesGoOnWhereSystemdStartsAKilledAgentAgainAndItsGuardianOutlivesItWhereNobodyDoes()
      throws Exception {
    remember();
    try (SystemdHost host =
        new SystemdHost(hosts.sender, directory, config("restartGrace: 60s\n"), RULES)) {
      host.start();
      awaitAttached();
      try (Download download = download(1)) {
        grant(download.id(), FIVE_MEGABIT);

        host.run("systemctl kill --kill-whom=main --signal=KILL " + SystemdHost.SERVICE);
        new Recovery(hosts).awaitPaced("5Mbit");
        ConversationOpened again = controller.awaitOpenAgain("files/download", download.id());
        assertThat(again.getInstalledRateBitsPerSecond()).isEqualTo(FIVE_MEGABIT);
        grant(again.getId(), 2_000_000);
        new Recovery(hosts).awaitPaced("2Mbit");

        host.run("systemctl stop " + SystemdHost.SERVICE);
        assertHostIsAsFound();
        assertNothingIsIn(host);

        host.run("sed -i 's/restartGrace: 60s/restartGrace: 5s/' /etc/paceline/agent.yaml");
        host.start();
        grant(controller.awaitOpenAgain("files/download", again.getId()).getId(), FIVE_MEGABIT);
        host.run(
            "mkdir -p /run/systemd/system/paceline-agent.service.d"
                + " && printf '[Service]\\nRestart=no\\n' > /run/systemd/system/paceline-agent.service.d/once.conf"
                + " && systemctl daemon-reload"
                + " && systemctl kill --kill-whom=main --signal=KILL "
                + SystemdHost.SERVICE);
        new Recovery(hosts).awaitPaced("5Mbit");
        awaitHostIsAsFound();
        assertNothingIsIn(host);
      }
    }
  }

  private static void assertNothingIsIn(SystemdHost host) throws Exception {
    assertThat(host.run("find /run -name 'paceline*' ! -path '/run/systemd/*'")).isEmpty();
  }
}
