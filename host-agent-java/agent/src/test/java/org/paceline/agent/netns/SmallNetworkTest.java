package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Agents without a controller, real sockets, real queues, one slow uplink: who has which part. */
@Tag("kernel")
class SmallNetworkTest extends WithSmallOffice {
  /** Far from what it takes: whoever turns without end takes all of one. */
  private static final double MOST_CPU = 0.3;

  @ParameterizedTest
  @CsvSource({"htb, tcp", "htb, udp", "socket, tcp"})
  void weightsOfOneToTwoToThreeAreWhatHostsSend(String enforcer, String kind) throws Exception {
    serve(7000);
    List<AgentProcess> agents = new ArrayList<>();
    for (int host = 0; host < 3; host++) {
      agents.add(
          keep(office.agent(host, KEY, weight(host), enforcer, SmallOffice.link("uplink", "out"))));
      agents.get(host).awaitOutput("sharing");
    }
    for (int host = 0; host < 3; host++) {
      traffic(kind, host);
    }
    awaitParts(enforcer + " " + kind, 1 / 6.0, 2 / 6.0, 3 / 6.0);
    long began = System.nanoTime();
    double cpuBefore = agents.get(0).cpuSeconds();
    awaitParts(enforcer + " " + kind + ", later", 1 / 6.0, 2 / 6.0, 3 / 6.0);
    double seconds = (System.nanoTime() - began) / 1e9;
    double cpu = (agents.get(0).cpuSeconds() - cpuBefore) / seconds;
    System.out.printf("%.1f %% of a core%n", cpu * 100);
    assertThat(cpu).as("of a core").isLessThan(MOST_CPU);
  }

  @Test
  void moreThanTwoHundredConnectionsOfOneIntentCountAsOneAgainstSixOfAnother() throws Exception {
    serve(7001);
    serve(7002);
    agent(0, KEY, "{p2p: 1, video: 6}").awaitOutput("sharing");
    agent(1, KEY, "{p2p: 1, video: 6}").awaitOutput("sharing");
    keep(TrafficProcess.start(office.host(0), "pour", SmallOffice.SERVER, "7001", "210"));
    keep(TrafficProcess.start(office.host(1), "pour", SmallOffice.SERVER, "7002", "1"));
    awaitParts("210 connections and one", 1 / 7.0, 6 / 7.0, 0);
  }

  /** The link carries it all; that a far host takes five times the air is what binds. */
  @Test
  void stationsShareTheAirThatTheirAssociationsLeave() throws Exception {
    serve(7000);
    for (int host = 0; host < 2; host++) {
      String air = "name: wifi, air: basic, association: " + (host == 0 ? "54mbit" : "6mbit");
      keep(office.agent(host, KEY, "{upload: 1}", "htb", air)).awaitOutput("sharing");
      upload(host);
    }
    // Both get x, and x of the one and of the other take 0.84 of the air together.
    double[] sent =
        await(
            "the air",
            () -> office.sentBitsPerSecond(WINDOW_MILLIS),
            rates ->
                isBetween(rates[0] / 3_900_000, 1 - WITHIN, 1 + WITHIN)
                    && isBetween(rates[1] / rates[0], 1 - WITHIN, 1 + WITHIN));
    assertThat(sent[2]).isLessThan(100_000);
  }

  private TrafficProcess traffic(String kind, int host) throws Exception {
    return kind.equals("tcp")
        ? upload(host)
        : keep(
            TrafficProcess.start(
                office.host(host),
                "datagrams",
                SmallOffice.address(host),
                "5004",
                SmallOffice.SERVER));
  }
}
