package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.ConversationOpened;

/**
 * Whatever this kernel paces with: it is chosen by trying and shown, holds the rates with the
 * rights and files of the service, comes back, outlives a killed agent, and goes. {@link
 * UserModeLinuxTest} asks the same of another kernel, where each program takes seconds to start: so
 * it is one story.
 */
class ChosenEnforcerTest extends InNamespaces {
  /** The property that says which it has to be. */
  static final String EXPECTED = "paceline.test.enforcer";

  // So low that a busy machine, which runs the other kernel by fits and starts, seldom misses a
  // time.
  private static final long ONE_MEGABIT = 1_000_000;
  private static final long TWO_MEGABIT = 2_000_000;

  @Test
  void itIsShownHoldsRatesComesBackOutlivesAKillAndGoes() throws Exception {
    // Somebody else's, which has to be there afterwards too.
    hosts.onSender("tc", "qdisc", "add", "dev", TwoHosts.DEVICE, "clsact");
    hosts.laySecondCable();
    try (AgentProcess agent = chosen()) {
      awaitAttached();
      assertThat(controller.latestHello().orElseThrow().getCapabilities().getEnforcer())
          .isEqualTo(expected());
      String status = command("status");
      System.out.println(status);
      assertThat(status)
          .containsPattern("pacing on \\[pla[01], pla[01]\\], enforcer " + expected());

      datagramsOnOneInterfaceAndAStreamOnTheOther();
      try (Download download =
          Download.start(hosts, controller, TwoHosts.SENDER_ADDRESS6, 8081, 6)) {
        grant(download.id(), TWO_MEGABIT);
        assertHeld(TWO_MEGABIT);
        comesBack(download.id());
        outlivesAKill(agent, download.id());
      }
    }
    assertThat(qdiscs()).contains("clsact").doesNotContain("ace1:");
    assertThat(qdiscs(TwoHosts.SECOND_DEVICE)).doesNotContain("clsact", "ace1:");
    assertHostIsAsFound();
  }

  private AgentProcess chosen() throws Exception {
    // The next agent takes as long to start as the machine is busy.
    return agentWith(LeastPrivilege.UNIT, "enforcer: auto\nrestartGrace: 120s\n");
  }

  private static String expected() throws Exception {
    boolean programs =
        Files.readString(Path.of("/proc/mounts")).contains(" /sys/fs/bpf bpf ")
            && !Sh.run("sh", "-c", "command -v bpftool || true").isEmpty();
    String tried =
        Sh.run("sh", "-c", "unshare --net tc qdisc add dev lo root fq 2>&1 && echo there || true");
    return System.getProperty(EXPECTED, programs && tried.contains("there") ? "edt" : "htb");
  }

  /** In fragments; each has its own rate, and neither the other's. */
  private void datagramsOnOneInterfaceAndAStreamOnTheOther() throws Exception {
    try (TrafficProcess sender =
            TrafficProcess.start(
                hosts.sender,
                "fragments",
                TwoHosts.SENDER_ADDRESS,
                "5004",
                TwoHosts.RECEIVER_ADDRESS);
        Download download = Download.start(hosts, controller, TwoHosts.SECOND_ADDRESS, 8080, 1)) {
      grant(controller.awaitOpen("voip/call").getId(), ONE_MEGABIT);
      grant(download.id(), TWO_MEGABIT);
      assertHeld(ONE_MEGABIT);
      assertHeldOn(TwoHosts.SECOND_RECEIVER_DEVICE, TWO_MEGABIT);
    }
    controller.await(
        "its end",
        () -> controller.open("files/download").isEmpty() ? Optional.of(true) : Optional.empty());
  }

  /** Somebody takes away what the agent has made. */
  private void comesBack(String conversation) throws Exception {
    String made = made();
    hosts.onSender("tc", "qdisc", "del", "dev", TwoHosts.DEVICE, "root");
    hosts.onSender("tc", "filter", "del", "dev", TwoHosts.DEVICE, "egress");
    awaitMade(made);
    grant(conversation, ONE_MEGABIT);
    assertHeld(ONE_MEGABIT);
  }

  private void outlivesAKill(AgentProcess agent, String conversation) throws Exception {
    long sent = sent(conversation);
    agent.kill();
    controller.await(
        "the end of the stream",
        () -> controller.hasAgent() ? Optional.empty() : Optional.of(true));
    assertHeld(ONE_MEGABIT);
    try (AgentProcess next = chosen()) {
      ConversationOpened again = controller.awaitOpenAgain("files/download", conversation);
      assertThat(again.getInstalledRateBitsPerSecond()).isEqualTo(ONE_MEGABIT);
      assertThat(next.output()).contains("its rates go on");
      // The very class: its counters have not begun anew.
      assertThat(sent(again.getId())).isGreaterThan(sent);
      grant(again.getId(), TWO_MEGABIT);
      assertHeld(TWO_MEGABIT);
      assertThat(next.stop()).isZero();
    }
  }

  private long sent(String conversation) throws Exception {
    return controller
        .await("a report of it", () -> controller.latestReport(conversation))
        .getSentBytes();
  }

  /** What of the agent's is at the interface, without its counters. */
  private String made() throws Exception {
    return hosts.onSender(
        "sh",
        "-c",
        "tc qdisc show dev pla0 | grep -o 'ace1: root';"
            + " tc filter show dev pla0 egress | grep -o 'pref .*'; true");
  }

  private void awaitMade(String made) throws Exception {
    for (int i = 0; i < 150 && !made().equals(made); i++) {
      Thread.sleep(100);
    }
    assertThat(made()).isEqualTo(made);
  }
}
