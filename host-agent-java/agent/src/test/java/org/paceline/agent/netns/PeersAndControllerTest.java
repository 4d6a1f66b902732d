package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.paceline.agent.runtime.WallClock;
import org.paceline.protocol.PeerAgreement;

/** A host with a controller and peers goes by the controller while it is there. */
class PeersAndControllerTest extends InNamespaces {
  private static final Pattern RATE =
      Pattern.compile("class htb ace1:1 .* rate ([0-9]+)([KM]?)bit");

  /** More than kappa for B = 5. */
  private static final double MOST_A_SECOND = 0.11;

  private static final double SETTLED = 8_370_000;
  private static final double WITHIN = 0.15;

  @Test
  void whenTheControllerGoesPeersTakeOverFromTheRatesInForceAndItsGrantsHoldWhenItIsBack()
      throws Exception {
    controller.lease(3);
    controller.beat();
    whilePacing(
        peers(),
        1,
        (agent, download) -> {
          assertThat(command("status")).contains("heard; the controller decides");
          assertThat(controller.latestHello().orElseThrow().hasPeerAgreement()).isFalse();
          long cut = WallClock.unixNanos();
          hosts.cutController();

          List<Seen> rates = untilSettled();
          System.out.println(rates);
          for (int i = 1; i < rates.size(); i++) {
            // Two looks may lie around two steps more than what passed between them.
            double steps = rates.get(i).atSeconds - rates.get(i - 1).untilSeconds + 2;
            assertThat(rates.get(i).rate / rates.get(i - 1).rate)
                .as("of %s", rates)
                .isBetween(Math.pow(1 - MOST_A_SECOND, steps), Math.pow(1 + MOST_A_SECOND, steps));
          }
          assertThat(rates.get(0).rate).isEqualTo(FIVE_MEGABIT);

          controller.lease(0);
          hosts.mendController();
          agent.awaitOutput("a controller decides");
          PeerAgreement before = controller.latestHello().orElseThrow().getPeerAgreement();
          assertThat(before.getSinceUnixNanos()).isBetween(cut, WallClock.unixNanos());
          assertThat(before.getPeers()).isZero();
          grant(download.id(), 3_000_000);
          // As long as peers would take to change it.
          Thread.sleep(3_000);
          awaitClasses("rate 3Mbit");
          assertThat(command("status")).contains("heard; the controller decides");
        });
  }

  @Test
  void startedForPeersAloneItSharesWithoutACallToTheControllerThatItsFileNames() throws Exception {
    // Without the option it would say that it calls in vain, and wait before it shares.
    hosts.cutController();
    try (AgentProcess agent = agentWith(peers(), "--peers")) {
      assertThat(agent.awaitOutput("sharing [uplink] with peers")).doesNotContain("controller");
      awaitQueues(true);
      assertThat(command("status"))
          .contains("peers: 0 share with this host", "link uplink of 10000.0 kbit/s")
          .doesNotContain("controller");

      hosts.mendController();
      // Several times as long as an agent that calls lets pass between two calls.
      Thread.sleep(4_000);
      assertThat(controller.latestHello()).isEmpty();
      assertThat(agent.output()).doesNotContain("controller", "attached");
      assertThat(command("status")).contains("peers: 0 share with this host");
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  private String peers() throws Exception {
    Files.setPosixFilePermissions(
        Files.writeString(directory.resolve("peers.key"), "k".repeat(64)),
        PosixFilePermissions.fromString("rw-------"));
    return "peers:\n  keyFile: peers.key\n  links: [{name: uplink, capacity: 10mbit, addresses: "
        + TwoHosts.RECEIVER_ADDRESS
        + "}]\n";
  }

  /** A rate, and when it was seen first and last. */
  private record Seen(double rate, double atSeconds, double untilSeconds) {
    @Override
    public String toString() {
      return String.format("%.0f from %.1f to %.1f s", rate, atSeconds, untilSeconds);
    }
  }

  /** Each that the class of the download has, until the last is about the one where they settle. */
  private List<Seen> untilSettled() throws Exception {
    List<Seen> seen = new ArrayList<>();
    long began = System.nanoTime();
    while (seen.isEmpty() || !isSettled(seen.get(seen.size() - 1).rate)) {
      double before = (System.nanoTime() - began) / 1e9;
      assertThat(before).as("still not there: %s", seen).isLessThan(LONG.toSeconds());
      Matcher matcher = RATE.matcher(classes());
      // A look may itself last long: it was there before its end, and still at its beginning.
      double after = (System.nanoTime() - began) / 1e9;
      if (matcher.find()) {
        double now = rate(matcher);
        if (!seen.isEmpty() && seen.get(seen.size() - 1).rate == now) {
          seen.set(seen.size() - 1, new Seen(now, seen.get(seen.size() - 1).atSeconds, before));
        } else {
          seen.add(new Seen(now, after, before));
        }
      }
      Thread.sleep(200);
    }
    return seen;
  }

  private static boolean isSettled(double rate) {
    return Math.abs(rate / SETTLED - 1) < WITHIN;
  }

  private static double rate(Matcher matcher) {
    double unit =
        switch (matcher.group(2)) {
          case "K" -> 1e3;
          case "M" -> 1e6;
          default -> 1;
        };
    return Double.parseDouble(matcher.group(1)) * unit;
  }
}
