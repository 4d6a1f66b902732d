package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A host with a controller and peers goes by the controller while it is there. */
class PeersAndControllerTest extends InNamespaces {
  private static final Pattern RATE =
      Pattern.compile("class htb ace1:1 .* rate ([0-9]+)([KM]?)bit");

  /** Two steps of kappa for B = 5: on a busy machine one may go unseen. */
  private static final double MOST_A_STEP = 0.21;

  private static final double SETTLED = 8_370_000;
  private static final double WITHIN = 0.15;

  @Test
  void whenTheControllerGoesPeersTakeOverFromTheRatesInForceAndItsGrantsHoldWhenItIsBack()
      throws Exception {
    Files.setPosixFilePermissions(
        Files.writeString(directory.resolve("peers.key"), "k".repeat(64)),
        PosixFilePermissions.fromString("rw-------"));
    controller.lease(3);
    String peers =
        "peers:\n  keyFile: peers.key\n  links: [{name: uplink, capacity: 10mbit, addresses: "
            + TwoHosts.RECEIVER_ADDRESS
            + "}]\n";
    whilePacing(
        peers,
        1,
        (agent, download) -> {
          assertThat(command("status")).contains("heard; the controller decides");
          hosts.cutController();

          List<Double> rates = rates(25_000);
          System.out.println(rates);
          for (int i = 1; i < rates.size(); i++) {
            assertThat(rates.get(i) / rates.get(i - 1))
                .as("of %s", rates)
                .isBetween(1 - MOST_A_STEP, 1 + MOST_A_STEP);
          }
          assertThat(rates.get(0)).isEqualTo(FIVE_MEGABIT);
          assertThat(rates.get(rates.size() - 1))
              .isBetween(SETTLED * (1 - WITHIN), SETTLED * (1 + WITHIN));

          controller.lease(0);
          hosts.mendController();
          agent.awaitOutput("a controller decides");
          grant(download.id(), 3_000_000);
          Thread.sleep(3_000);
          awaitClasses("rate 3Mbit");
          assertThat(command("status")).contains("heard; the controller decides");
        });
  }

  /** Each that the class of the download has while time passes. */
  private List<Double> rates(long millis) throws Exception {
    List<Double> seen = new ArrayList<>();
    long end = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() < end) {
      Matcher matcher = RATE.matcher(classes());
      if (matcher.find()) {
        double unit =
            switch (matcher.group(2)) {
              case "K" -> 1e3;
              case "M" -> 1e6;
              default -> 1;
            };
        double now = Double.parseDouble(matcher.group(1)) * unit;
        if (seen.isEmpty() || seen.get(seen.size() - 1) != now) {
          seen.add(now);
        }
      }
      Thread.sleep(200);
    }
    return seen;
  }
}
