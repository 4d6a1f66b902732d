package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.paceline.protocol.Report;

/** A host with two interfaces to pace on, and conversations over both. */
class InterfacesTest extends InNamespaces {
  private static final List<String> ADDRESSES =
      List.of(
          TwoHosts.SENDER_ADDRESS,
          TwoHosts.SENDER_ADDRESS6,
          TwoHosts.SECOND_ADDRESS,
          TwoHosts.SECOND_ADDRESS6);

  /** One server for all addresses, and a client for each. */
  private void startAll(TrafficProcess.Group traffic) throws Exception {
    traffic.start(hosts.sender, "serve", "::", "8080");
    traffic.start(
        hosts.sender, "datagrams", TwoHosts.SENDER_ADDRESS, "5004", TwoHosts.RECEIVER_ADDRESS);
    for (String address : ADDRESSES) {
      traffic.start(hosts.receiver, "fetch", address, "8080", "1");
    }
  }

  /**
   * More of the same conversations: TCP that had no way for seconds may wait as long again before
   * it tries, and that is no fault of the agent's.
   */
  private void startOnTheSecond(TrafficProcess.Group traffic) throws Exception {
    for (String address : ADDRESSES.subList(2, ADDRESSES.size())) {
      traffic.start(hosts.receiver, "fetch", address, "8080", "1");
    }
  }

  private void grantBy(String address, long rate) throws Exception {
    grant(
        controller.await(
            "the conversation from " + address,
            () ->
                controller.open("files/download").stream()
                    .filter(c -> isAddress(c.getLocalAddress(), address))
                    .map(c -> c.getId())
                    .findFirst()),
        rate);
  }

  /** Granted and installed as they are, and something measured. */
  private void awaitStatus(String intent, String address, long kbit) throws Exception {
    String from = InetAddress.getByName(address).getHostAddress();
    Pattern row =
        Pattern.compile(
            String.format(
                " %s +%s -> .* %d\\.0 +%d\\.0 +[1-9][0-9.]* ",
                intent, Pattern.quote(from), kbit, kbit));
    await(() -> command("status"), status -> row.matcher(status).find());
  }

  private static boolean isAddress(String one, String other) {
    try {
      return InetAddress.getByName(one).equals(InetAddress.getByName(other));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(one, e);
    }
  }

  @Test
  void eachIsPacedOnItsOwnAndOneThatGoesAndComesBackDisturbsNoOther() throws Exception {
    hosts.laySecondCable();
    try (AgentProcess agent = agent();
        TrafficProcess.Group traffic = new TrafficProcess.Group()) {
      awaitAttached();
      startAll(traffic);
      for (int i = 0; i < ADDRESSES.size(); i++) {
        grantBy(ADDRESSES.get(i), (i + 2) * 1_000_000L);
      }
      Recovery granted = new Recovery(hosts);
      granted.awaitPaced("2Mbit", "3Mbit");
      granted.awaitPacedOn(TwoHosts.SECOND_DEVICE, "4Mbit", "5Mbit");
      grant(controller.awaitOpen("voip/call").getId(), 7_000_000);
      awaitStatus("voip/call", TwoHosts.SENDER_ADDRESS, 7_000);
      for (int i = 0; i < ADDRESSES.size(); i++) {
        awaitStatus("files/download", ADDRESSES.get(i), (i + 2) * 1_000L);
      }
      assertThat(hosts.sentByRate(TwoHosts.DEVICE)).doesNotContainKeys("4Mbit", "5Mbit");
      assertThat(hosts.sentByRate(TwoHosts.SECOND_DEVICE)).doesNotContainKeys("2Mbit", "3Mbit");

      hosts.cutSecondCable();
      Report last = controller.latestReport().orElseThrow();
      controller.await(
          "a report of what is left",
          () ->
              controller
                  .latestReport()
                  .filter(r -> !r.equals(last) && r.getConversationsCount() == 3));
      new Recovery(hosts).awaitPaced("2Mbit", "3Mbit");
      grantBy(ADDRESSES.get(0), 6_000_000);
      new Recovery(hosts).awaitPaced("6Mbit", "3Mbit");

      hosts.laySecondCable();
      Recovery laid = new Recovery(hosts);
      startOnTheSecond(traffic);
      laid.awaitPacedOn(TwoHosts.SECOND_DEVICE, "4Mbit", "5Mbit");
      laid.awaitPaced("6Mbit", "3Mbit");
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
    assertThat(qdiscs(TwoHosts.SECOND_DEVICE)).doesNotContain("htb");
  }

  @Test
  void oneThatComesLateIsWaitedFor() throws Exception {
    String missing = "There is no interface (" + TwoHosts.SECOND_DEVICE + ")";
    String both = "interfaces: [" + TwoHosts.DEVICE + ", " + TwoHosts.SECOND_DEVICE + "]\n";
    try (AgentProcess agent = agentWith(both)) {
      agent.awaitOutput(missing);
      assertThat(qdiscs()).doesNotContain("htb");

      hosts.laySecondCable();
      awaitAttached();
      assertThat(qdiscs()).contains("htb ace1:");
      assertThat(qdiscs(TwoHosts.SECOND_DEVICE)).contains("htb ace1:");
      assertThat(agent.output().split(Pattern.quote(missing), -1)).as("said once").hasSize(2);
      try (Download download =
          Download.start(hosts, controller, TwoHosts.SECOND_ADDRESS, 8080, 1)) {
        grant(download.id(), FIVE_MEGABIT);
        new Recovery(hosts).awaitPacedOn(TwoHosts.SECOND_DEVICE, "5Mbit");
      }
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void addressesThatCameLaterAreTheInterfacesToo() throws Exception {
    for (String enforcer : List.of("none", "htb")) {
      try (AgentProcess agent = agentWith("enforcer: " + enforcer + "\n")) {
        awaitAttached();
        hosts.onSender("ip", "addr", "add", "10.213.80.1/24", "dev", TwoHosts.DEVICE);
        Sh.run(
            Sh.inside(
                hosts.receiver,
                "ip",
                "addr",
                "replace",
                "10.213.80.2/24",
                "dev",
                TwoHosts.RECEIVER_DEVICE));
        try (Download download = Download.start(hosts, controller, "10.213.80.1", 8080, 1)) {
          assertThat(download.opened().getLocalAddress()).isEqualTo("10.213.80.1");
        }
        controller.await(
            "its end",
            () ->
                controller.open("files/download").isEmpty() ? Optional.of(true) : Optional.empty());
        hosts.onSender("ip", "addr", "del", "10.213.80.1/24", "dev", TwoHosts.DEVICE);
        assertThat(agent.stop()).isZero();
      }
      controller.await(
          "its leave", () -> controller.hasAgent() ? Optional.empty() : Optional.of(true));
    }
    assertHostIsAsFound();
  }

  @Test
  void aQueueOfSomebodyElsesOnOneOfThemIsRefusedOrReplacedAndPutBack() throws Exception {
    hosts.laySecondCable();
    hosts.onSender(
        "sh",
        "-c",
        "tc qdisc add dev " + TwoHosts.SECOND_DEVICE + " root handle 7: pfifo limit 50");
    try (AgentProcess agent = agent()) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output()).contains(TwoHosts.SECOND_DEVICE, "pfifo 7:", "adopt: true");
    }
    assertHostIsAsFound();
    assertThat(qdiscs(TwoHosts.SECOND_DEVICE)).contains("pfifo 7:");

    try (AgentProcess agent = agentWith("adopt: true\n")) {
      awaitAttached();
      assertThat(qdiscs()).contains("htb ace1:");
      assertThat(qdiscs(TwoHosts.SECOND_DEVICE)).contains("htb ace1:");
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
    assertThat(qdiscs(TwoHosts.SECOND_DEVICE)).contains("pfifo 7: root", "limit 50p");
  }

  @Test
  void whatIsPacedAgainAfterALongSilenceIsPacedWhereAnInterfaceIsStillAway() throws Exception {
    hosts.laySecondCable();
    controller.lease(3);
    controller.beat();
    try (AgentProcess agent = agent();
        TrafficProcess.Group traffic = new TrafficProcess.Group()) {
      awaitAttached();
      startAll(traffic);
      for (int i = 0; i < ADDRESSES.size(); i++) {
        grantBy(ADDRESSES.get(i), (i + 2) * 1_000_000L);
      }
      hosts.cutController();
      awaitQueues(false);
      hosts.cutSecondCable();
      controller.lease(0);
      hosts.mendController();
      new Recovery(hosts).awaitPaced("2Mbit", "3Mbit");

      hosts.laySecondCable();
      Recovery laid = new Recovery(hosts);
      startOnTheSecond(traffic);
      laid.awaitPacedOn(TwoHosts.SECOND_DEVICE, "4Mbit", "5Mbit");
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
    assertThat(qdiscs(TwoHosts.SECOND_DEVICE)).doesNotContain("htb");
  }
}
