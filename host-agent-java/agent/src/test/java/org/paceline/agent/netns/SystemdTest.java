package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.ConversationOpened;

/**
 * The service as the package has it, under a real systemd: what becomes of rates however it ends.
 */
class SystemdTest extends InNamespaces {
  private static final String MAIN_PID =
      "systemctl show --property MainPID --value " + SystemdHost.SERVICE;
  private static final String RESTART = "systemctl restart " + SystemdHost.SERVICE;

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

  /** Measured where it arrives. */
  @Test
  void nothingLeavesUnpacedWhileAnAgentIsUpgradedOrRestarted() throws Exception {
    remember();
    try (SystemdHost host = new SystemdHost(hosts.sender, directory, config(""), RULES)) {
      host.run(SystemdHost.INSTALL);
      host.start();
      awaitAttached();
      try (Download download = download(1)) {
        grant(download.id(), FIVE_MEGABIT);
        assertHeld(FIVE_MEGABIT);
        String id = download.id();
        // The second time it goes on with what was taken over.
        for (String change : List.of(SystemdHost.INSTALL, SystemdHost.INSTALL, RESTART, RESTART)) {
          try (Wire wire = new Wire()) {
            host.run(change);
            ConversationOpened again = controller.awaitOpenAgain("files/download", id);
            assertThat(again.getInstalledRateBitsPerSecond()).isEqualTo(FIVE_MEGABIT);
            id = again.getId();
            assertThat(host.run("grep -c agent.jsa /proc/$(" + MAIN_PID + ")/maps || true").strip())
                .as("from the archive of classes that the installation has made, after " + change)
                .matches("[1-9][0-9]*");
            new Recovery(hosts).awaitPaced("5Mbit");
            assertThat(wire.most()).as(change).isBetween(1.0, 1.5 * FIVE_MEGABIT);
          }
        }
      }
      host.run("systemctl stop " + SystemdHost.SERVICE);
      assertHostIsAsFound();
      assertNothingIsIn(host);
    }
  }

  /** What arrives, all the time. */
  private final class Wire implements AutoCloseable {
    private static final long WINDOW_MILLIS = 300;

    private final ExecutorService watching = Executors.newSingleThreadExecutor();
    private final Future<?> watched = watching.submit(this::watch);
    private volatile double most;

    private Void watch() throws Exception {
      while (!Thread.currentThread().isInterrupted()) {
        most = Math.max(most, hosts.receivedBitsPerSecond(WINDOW_MILLIS));
      }
      return null;
    }

    /** In bit/s, of one window. */
    double most() {
      assertThat(watched.isDone()).isFalse();
      return most;
    }

    @Override
    public void close() throws InterruptedException {
      watching.shutdownNow();
      assertThat(watching.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static void assertNothingIsIn(SystemdHost host) throws Exception {
    assertThat(host.run("find /run -name 'paceline*' ! -path '/run/systemd/*'")).isEmpty();
  }
}
