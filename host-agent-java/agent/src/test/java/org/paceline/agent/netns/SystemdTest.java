package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.ConversationOpened;

/**
 * The service as the package has it, under a real systemd: what becomes of rates however it ends.
 */
class SystemdTest extends InNamespaces {
  private static final String MAIN_PID =
      "systemctl show --property MainPID --value " + SystemdHost.SERVICE;
  private static final String RESTART = "systemctl restart " + SystemdHost.SERVICE;

  /** As exact as a rate is held ({@link #assertHeld}). */
  private static final double MEASURED_TO = 1.03;

  /** What may come at once beside the rate: what that brings in 20 ms. */
  private static final long AT_ONCE_BYTES = FIVE_MEGABIT / Byte.SIZE / 50;

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

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

  /** Measured where it arrives, with the grace that an agent has unless it is told another. */
  @Test
  void nothingLeavesUnpacedWhileAnAgentIsUpgradedOnABusyHostOrRestarted() throws Exception {
    remember();
    try (SystemdHost host =
            new SystemdHost(hosts.sender, directory, config("restartGrace: 10s\n"), RULES);
        Wire wire = new Wire(hosts)) {
      host.run(SystemdHost.INSTALL);
      host.run(SystemdHost.MAKE_NEWER);
      host.start();
      awaitAttached();
      try (Download download = download(1)) {
        grant(download.id(), FIVE_MEGABIT);
        assertHeld(FIVE_MEGABIT);
        String id = download.id();
        // The second time it goes on with what was taken over.
        for (String change :
            List.of(SystemdHost.INSTALL, SystemdHost.INSTALL_NEWER, RESTART, RESTART)) {
          boolean underLoad = change.equals(SystemdHost.INSTALL_NEWER);
          Wire.Begin begin = wire.begin();
          // Until its rate goes on under the new agent; what is asked then needs no busy host.
          try (Load busy = new Load(underLoad ? 2 * PROCESSORS : 0)) {
            host.run(change);
            ConversationOpened again = controller.awaitOpenAgain("files/download", id);
            assertThat(again.getInstalledRateBitsPerSecond()).isEqualTo(FIVE_MEGABIT);
            id = again.getId();
            new Recovery(hosts).awaitPaced("5Mbit");
          }
          assertThat(host.run("grep -c agent.jsa /proc/$(" + MAIN_PID + ")/maps || true").strip())
              .as("from the archive of classes that the installation has made, after " + change)
              .matches("[1-9][0-9]*");
          Wire.Seen seen = wire.since(begin, (long) (MEASURED_TO * FIVE_MEGABIT));
          System.out.println(change + ": " + seen);
          assertThat(wire.since(begin, FIVE_MEGABIT / 2).mostBeyondBytes())
              .as("so far above half the rate, after " + change)
              .isGreaterThan(AT_ONCE_BYTES);
          assertThat(seen.mostBeyondBytes()).as(change).isLessThanOrEqualTo(AT_ONCE_BYTES);
        }
        assertThat(host.run("dpkg-query --show paceline-agent")).contains("+newer");
      }
      host.run("systemctl stop " + SystemdHost.SERVICE);
      assertHostIsAsFound();
      assertNothingIsIn(host);
    }
  }

  /** Work that never ends, of no less priority than others'. */
  private static final class Load implements AutoCloseable {
    private final List<Process> busy = new ArrayList<>();

    Load(int processors) throws IOException {
      for (int i = 0; i < processors; i++) {
        busy.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
      }
    }

    @Override
    public void close() {
      busy.forEach(Process::destroyForcibly);
    }
  }

  private static void assertNothingIsIn(SystemdHost host) throws Exception {
    assertThat(host.run("find /run -name 'paceline*' ! -path '/run/systemd/*'")).isEmpty();
  }
}
