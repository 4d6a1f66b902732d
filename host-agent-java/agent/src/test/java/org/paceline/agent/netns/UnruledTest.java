package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.Report;
import org.paceline.protocol.UnmanagedTraffic;

/** What no rule names. */
class UnruledTest extends InNamespaces {
  private static final String UNRULED = "rules:\n  - intent: a/b\n    match: {remotePort: 1}\n";
  private static final long A_MEGABIT = 1_000_000;

  /** Far more than whatever is held to a rate here. */
  private static final long FREE = 30 * A_MEGABIT;

  private TrafficProcess serve(String port) throws Exception {
    return TrafficProcess.start(hosts.sender, "serve", TwoHosts.SENDER_ADDRESS, port);
  }

  private TrafficProcess pour(String port, String sockets) throws Exception {
    return TrafficProcess.start(hosts.sender, "pour", TwoHosts.RECEIVER_ADDRESS, port, sockets);
  }

  private TrafficProcess fetch(String port, String sockets) throws Exception {
    return TrafficProcess.start(hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS, port, sockets);
  }

  @Test
  void whatNoRuleNamesIsPacedAsGrantedAndItsProcessIsTold() throws Exception {
    try (AgentProcess agent = agentWith(UNRULED, List.of(), "")) {
      awaitAttached();
      // A client's sockets have no listener whose process could be known ahead.
      try (TrafficProcess sink = TrafficProcess.start(hosts.receiver, "sink", "7000");
          TrafficProcess client = pour("7000", "8")) {
        ConversationOpened opened = controller.awaitOpen("");
        assertThat(opened.getRemoteAddress()).isEqualTo(TwoHosts.RECEIVER_ADDRESS);
        grant(opened.getId(), FIVE_MEGABIT);
        assertHeld(FIVE_MEGABIT);
        controller.await(
            "its process",
            () ->
                controller.open("").stream()
                    .filter(c -> c.getProcess().equals("java") && c.getUser().equals("root"))
                    .findFirst());
        assertThat(controller.open("")).hasSize(1);
      }
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void itsOwnChannelIsNoConversationThoughItsInterfaceIsManaged() throws Exception {
    String both = "interfaces: [" + TwoHosts.DEVICE + ", ctl0]\nnewcomersRate: 8kbit\n";
    // An ignorant rule would take it, too.
    String all = "rules:\n  - intent: a/b\n    match: {protocol: tcp}\n";
    for (String rules : List.of(UNRULED, all)) {
      try (AgentProcess agent = agentWith(rules, List.of(), both)) {
        awaitAttached();
        try (TrafficProcess server = serve("9000");
            TrafficProcess client = fetch("9000", "1")) {
          String intent = rules.equals(all) ? "a/b" : "";
          ConversationOpened opened = controller.awaitOpen(intent);
          controller.await("a report of it", () -> controller.latestReport(opened.getId()));
          assertThat(controller.open(intent))
              .extracting(ConversationOpened::getRemoteAddress)
              .containsOnly(TwoHosts.RECEIVER_ADDRESS);
        }
        assertThat(agent.stop()).isZero();
      }
    }
  }

  @Test
  void whatGoesWhereTheControllerKnowsNobodyPassesUnlessARuleNamesIt() throws Exception {
    String rules = "rules:\n  - intent: files/download\n    match: {localPort: 8080}\n";
    try (AgentProcess agent = agentWith(rules, List.of(), "")) {
      awaitAttached();
      try (Download ruled = download(1);
          TrafficProcess server = serve("9000")) {
        String id;
        try (TrafficProcess client = fetch("9000", "1")) {
          id = controller.awaitOpen("").getId();
          controller.refuse(ruled.id(), Refusal.Code.UNKNOWN_HOST);
          controller.refuse(id, Refusal.Code.UNKNOWN_HOST);
          await(() -> hosts.receivedBitsPerSecond(1_000), rate -> rate > FREE);
          assertThat(agent.awaitOutput("the controller refused " + ruled.id()))
              .doesNotContain("the controller refused " + id);
        }
        controller.awaitClosed(id);
        assertHeld(A_MEGABIT);
        // The next one to the same address is not held until the controller refuses that, too.
        try (TrafficProcess client = fetch("9000", "1")) {
          String next = controller.awaitOpenAgain("", id).getId();
          await(() -> hosts.receivedBitsPerSecond(1_000), rate -> rate > FREE);
          grant(next, FIVE_MEGABIT);
          assertHeld(FIVE_MEGABIT + A_MEGABIT);
        }
      }
    }
  }

  @Test
  void whatIsIgnoredIsCountedWithWhoSendsMostOfIt() throws Exception {
    try (AgentProcess agent = agentWith("unmatched: ignore\n" + UNRULED, List.of(), "")) {
      awaitAttached();
      assertThat(told().map(UnmanagedTraffic::getProcess)).contains("");
      try (TrafficProcess sink = TrafficProcess.start(hosts.receiver, "sink", "7000");
          TrafficProcess client = pour("7000", "8")) {
        UnmanagedTraffic unmanaged =
            controller.await(
                "who sends most of it",
                () ->
                    told()
                        .filter(u -> !u.getProcess().isEmpty())
                        // It may have been seen with its first packet.
                        .filter(u -> u.getSentBytes() > A_MEGABIT / Byte.SIZE));
        assertThat(unmanaged.getProcess()).isEqualTo("java");
        assertThat(unmanaged.getUser()).isEqualTo("root");
        assertThat(unmanaged.getRemoteAddress()).isEqualTo(TwoHosts.RECEIVER_ADDRESS);
        assertThat(controller.open("")).isEmpty();
      }
    }
  }

  private Optional<UnmanagedTraffic> told() {
    return controller
        .latestReport()
        .filter(report -> report.hasUnmanaged())
        .map(report -> report.getUnmanaged());
  }

  @Test
  void manySmallOnesToTheSameHostAreOneConversation() throws Exception {
    try (AgentProcess agent = agentWith(UNRULED, List.of(), "");
        TrafficProcess server = serve("9000")) {
      awaitAttached();
      for (int i = 0; i < 3; i++) {
        try (TrafficProcess client = fetch("9000", "60")) {
          Optional<Report> before = controller.latestReport();
          // The one before may end meanwhile: what must be is that all are one's.
          controller.await(
              "one conversation of all",
              () ->
                  controller
                      .latestReport()
                      .filter(report -> !Optional.of(report).equals(before))
                      .filter(
                          report ->
                              report.getConversationsList().stream()
                                      .filter(one -> one.getSockets() > 0)
                                      .map(one -> one.getSockets() >= 60)
                                      .toList()
                                      .equals(List.of(true))
                                  && controller.open("").size() == 1));
        }
      }
    }
  }
}
