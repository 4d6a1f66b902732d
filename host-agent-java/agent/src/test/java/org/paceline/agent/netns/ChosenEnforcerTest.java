package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.ConversationReport;
import org.paceline.protocol.Hello;
import org.paceline.protocol.Report;

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

  private static final Duration LEASE = Duration.ofSeconds(10);
  // Longer than the lease, and than an unconnected socket may be silent.
  private static final Duration SUSPENDED = Duration.ofSeconds(12);

  @Test
  void itIsShownHoldsRatesComesBackOutlivesAKillAndGoes() throws Exception {
    // Somebody else's, which has to be there afterwards too.
    hosts.onSender("tc", "qdisc", "add", "dev", TwoHosts.DEVICE, "clsact");
    hosts.laySecondCable();
    if (Suspension.isPossible()) {
      controller.lease((int) LEASE.toSeconds());
      controller.beat();
    }
    try (AgentProcess agent = chosen()) {
      awaitAttached();
      assertThat(controller.latestHello().orElseThrow().getCapabilities().getEnforcer())
          .isEqualTo(expected());
      String status = command("status");
      System.out.println(status);
      assertThat(status)
          .containsPattern("pacing on \\[pla[01], pla[01]\\], enforcer " + expected());

      datagramsOnOneInterfaceAndAStreamOnTheOther(agent);
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
    return agentWith(LeastPrivilege.UNIT, "enforcer: auto\n");
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
  private void datagramsOnOneInterfaceAndAStreamOnTheOther(AgentProcess agent) throws Exception {
    String stream;
    try (TrafficProcess sender =
            TrafficProcess.start(
                hosts.sender,
                "fragments",
                TwoHosts.SENDER_ADDRESS,
                "5004",
                TwoHosts.RECEIVER_ADDRESS);
        Download download = Download.start(hosts, controller, TwoHosts.SECOND_ADDRESS, 8080, 1)) {
      String call = controller.awaitOpen("voip/call").getId();
      grant(call, ONE_MEGABIT);
      stream = download.id();
      grant(stream, TWO_MEGABIT);
      assertBothHeld();
      if (Suspension.isPossible()) {
        lastOverASuspension(agent, List.of(call, stream));
        assertBothHeld();
      }
    }
    controller.awaitClosed(stream);
  }

  private void assertBothHeld() throws Exception {
    assertHeld(ONE_MEGABIT);
    assertHeldOn(TwoHosts.SECOND_RECEIVER_DEVICE, TWO_MEGABIT);
  }

  /** The stream is made anew, and nothing else. */
  private void lastOverASuspension(AgentProcess agent, List<String> conversations)
      throws Exception {
    String made = made();
    Hello hello = controller.latestHello().orElseThrow();
    List<ConversationReport> before = reports(conversations);
    int said = agent.output().length();
    // The next stream's: what comes after this is not about leases.
    controller.lease(0);
    Suspension.last(SUSPENDED);

    controller.await(
        "the agent anew", () -> controller.latestHello().filter(next -> next != hello));
    Report last = controller.latestReport().orElseThrow();
    controller.await("a report", () -> controller.latestReport().filter(next -> next != last));
    assertThat(agent.output().substring(said))
        .contains("stood still")
        .doesNotContain("relaxed", "is paced");
    assertThat(made()).isEqualTo(made);
    List<ConversationReport> after = reports(conversations);
    for (int i = 0; i < conversations.size(); i++) {
      assertThat(after.get(i).getInstalledRateBitsPerSecond())
          .isEqualTo(before.get(i).getInstalledRateBitsPerSecond());
      // The very class, as below.
      assertThat(after.get(i).getSentBytes()).isGreaterThan(before.get(i).getSentBytes());
    }
  }

  private List<ConversationReport> reports(List<String> conversations) throws Exception {
    List<ConversationReport> all = new ArrayList<>();
    for (String conversation : conversations) {
      all.add(controller.await("a report of it", () -> controller.latestReport(conversation)));
    }
    return all;
  }

  /** Somebody takes away what the agent has made. */
  private void comesBack(String conversation) throws Exception {
    String made = made();
    hosts.onSender("tc", "qdisc", "del", "dev", TwoHosts.DEVICE, "root");
    hosts.onSender("tc", "filter", "del", "dev", TwoHosts.DEVICE, "egress");
    await(this::made, made::equals);
    grant(conversation, ONE_MEGABIT);
    assertHeld(ONE_MEGABIT);
  }

  private void outlivesAKill(AgentProcess agent, String conversation) throws Exception {
    long sent = sent(conversation);
    agent.kill();
    controller.awaitLeft();
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
    return reports(List.of(conversation)).get(0).getSentBytes();
  }

  /** What of the agent's is at the interfaces, without its counters. */
  private String made() throws Exception {
    return hosts.onSender(
        "sh",
        "-c",
        "for at in pla0 pla1; do tc qdisc show dev $at | grep -o 'ace1: root';"
            + " tc filter show dev $at egress | grep -o 'pref .*'; done; true");
  }
}
