package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hosts of a small network that go, come back, are cut off, or have another key. */
@Tag("kernel")
class SmallNetworkChangesTest extends WithSmallOffice {
  /** With the headers of Ethernet, and some of ARP and the like now and then. */
  private static final double MOST_ANNOUNCED_BITS_PER_SECOND = (250 + 14 + 100) * 8;

  private static final Pattern IGNORED = Pattern.compile("ignored: \\d+ made with another key");
  private static final Pattern LINK =
      Pattern.compile("link uplink of 10000.0 kbit/s: rho [01]\\.\\d+, price 0\\.\\d+, X \\d+");

  @Test
  void whoIsKilledLeavesItsPartToTheOthersAndHasItAgainWhenItIsBack() throws Exception {
    serve(7000);
    List<AgentProcess> agents = new ArrayList<>();
    for (int host = 0; host < 3; host++) {
      agents.add(agent(host, KEY, weight(host)));
      agents.get(host).awaitOutput("sharing");
    }
    upload(0);
    upload(1);
    TrafficProcess third = upload(2);
    awaitParts("all three", 1 / 6.0, 2 / 6.0, 3 / 6.0);

    third.close();
    agents.get(2).kill();
    awaitParts("one killed", 1 / 3.0, 2 / 3.0, 0);

    AgentProcess back = agent(2, KEY, weight(2));
    back.awaitOutput("sharing");
    upload(2);
    awaitParts("one joined", 1 / 6.0, 2 / 6.0, 3 / 6.0);

    office.plug(0, false);
    awaitParts("one cut off", 0, 2 / 5.0, 3 / 5.0);
    office.plug(0, true);
    awaitParts("whole again", 1 / 6.0, 2 / 6.0, 3 / 6.0);

    assertThat(agents.get(0).stop()).isZero();
    assertThat(agents.get(1).stop()).isZero();
    assertThat(back.stop()).isZero();
    for (int host = 0; host < 3; host++) {
      assertThat(
              SmallOffice.on(office.host(host), "tc", "qdisc", "show", "dev", SmallOffice.DEVICE))
          .doesNotContain("htb");
      assertThat(SmallOffice.on(office.host(host), "nft", "list", "tables"))
          .doesNotContain("paceline");
      assertThat(
              SmallOffice.on(office.host(host), "ip", "maddr", "show", "dev", SmallOffice.DEVICE))
          .doesNotContain("239.255.80.76");
      assertThat(Files.exists(InNamespaces.lockFile(office.host(host)))).isFalse();
    }
  }

  @Test
  void whoHasAnotherKeyIsIgnoredAndCounted() throws Exception {
    serve(7000);
    agent(0, KEY, weight(0)).awaitOutput("sharing");
    agent(1, KEY, weight(1)).awaitOutput("sharing");
    agent(2, "x", weight(2)).awaitOutput("sharing");
    upload(0);
    upload(1);
    awaitParts("two of one key", 1 / 3.0, 2 / 3.0, 0);

    await(
        "what a host says that sends nothing else",
        () -> office.sentBitsPerSecond(2 * WINDOW_MILLIS),
        rates -> isBetween(rates[2], 100, MOST_ANNOUNCED_BITS_PER_SECOND));
    // Who was not heard for some seconds is none, and the load of one second is any.
    InNamespaces.await(
        () -> office.status(0),
        status -> {
          System.out.println(status);
          return status.contains("peers: 1 share with this host")
              && IGNORED.matcher(status).find()
              && status.contains("peer " + SmallOffice.address(1))
              && !status.contains("peer " + SmallOffice.address(2))
              && LINK.matcher(status).find();
        });
    assertThat(office.status(2)).contains("peers: 0 share with this host");
  }
}
