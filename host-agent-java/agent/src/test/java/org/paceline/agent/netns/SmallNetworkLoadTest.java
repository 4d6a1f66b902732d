package org.paceline.agent.netns;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far a small network's links are filled, and what comes in while others send. */
@Tag("kernel")
class SmallNetworkLoadTest extends WithSmallOffice {
  /** As the paper's table 3 has it for the least and the greatest of its six, and no more. */
  @ParameterizedTest
  @CsvSource({"3, 1, 0.79, 0.819", "10, 2, 0.91, 0.962"})
  void theLoadSettlesWhereEquationFiveSays(int sharpness, int alpha, double measured, double root)
      throws Exception {
    serve(7000);
    for (int host = 0; host < 2; host++) {
      agent(host, KEY, weight(host) + "\n  B: " + sharpness + "\n  alpha: " + alpha)
          .awaitOutput("sharing");
      upload(host);
    }
    double[] sent =
        await(
            "B " + sharpness + ", alpha " + alpha,
            () -> office.sentBitsPerSecond(WINDOW_MILLIS),
            rates ->
                isBetween(utilisation(rates), measured * (1 - WITHIN), root + 0.05)
                    && isBetween(rates[1] / rates[0], 2 * (1 - WITHIN), 2 * (1 + WITHIN)));
    System.out.printf("utilisation %.3f, root %.3f%n", utilisation(sent), root);
  }

  /** Of the virtual queue. */
  private static double utilisation(double[] rates) {
    return Arrays.stream(rates).sum() / SmallOffice.UPLINK / 0.95;
  }

  /**
   * Figure 9 of the paper: what goes up must not hold up the acknowledgements of what comes down.
   */
  @Test
  void uploadsDoNotHoldUpADownload() throws Exception {
    office.limitDownlink(2 * SmallOffice.UPLINK);
    serve(7000);
    keep(TrafficProcess.start(office.server, "serve", SmallOffice.SERVER, "8080"));
    for (int host = 0; host < 3; host++) {
      agent(host, KEY, weight(host)).awaitOutput("sharing");
    }
    keep(TrafficProcess.start(office.host(0), "fetch", SmallOffice.SERVER, "8080", "2"));
    await("download alone", this::delivered, rates -> rates[0] > 1.5 * SmallOffice.UPLINK);
    upload(1);
    upload(2);
    // The queue that uploads fill where nobody holds them is full by then.
    Thread.sleep(WINDOW_MILLIS);
    await("beside uploads", this::delivered, rates -> rates[0] > 1.3 * SmallOffice.UPLINK);
  }

  @Test
  void whatComesFromOutsideIsHeldByWhoReceivesIt() throws Exception {
    office.limitDownlink(SmallOffice.UPLINK);
    keep(TrafficProcess.start(office.server, "serve", SmallOffice.SERVER, "8080"));
    for (int host = 0; host < 2; host++) {
      String weights = "{download: " + (host + 1) + "}";
      keep(office.agent(host, KEY, weights, "htb", SmallOffice.link("downlink", "in")))
          .awaitOutput("sharing");
    }
    for (int host = 0; host < 2; host++) {
      keep(TrafficProcess.start(office.host(host), "fetch", SmallOffice.SERVER, "8080", "2"));
    }
    // What a receiver drops of it to slow the sender down was delivered too, and a sender that was
    // just slowed down does not fill its rate: 1.79 was seen on a busy machine.
    await(
        "delivered",
        this::delivered,
        rates ->
            isBetween(rates[1] / rates[0], 1.4, 2.8)
                && isBetween((rates[0] + rates[1]) / SmallOffice.UPLINK, 0.75, 1.0));
  }

  /**
   * Scenario 3 of the paper. Many connections fill the link with more than their host takes; what
   * it drops of that is on the link all the same, and the one connection starves as long as it is.
   */
  @Test
  void manyConnectionsThatComeInLeaveOneOfSixTimesTheirWeightItsPart() throws Exception {
    office.limitDownlink(SmallOffice.UPLINK);
    keep(TrafficProcess.start(office.server, "serve", SmallOffice.SERVER, "8080"));
    for (int host = 0; host < 2; host++) {
      String weights = host == 0 ? "{download: 1}" : "{download: 6}";
      keep(office.agent(host, KEY, weights, "htb", SmallOffice.link("downlink", "in")))
          .awaitOutput("sharing");
    }
    keep(TrafficProcess.start(office.host(0), "fetch", SmallOffice.SERVER, "8080", "150"));
    keep(TrafficProcess.start(office.host(1), "fetch", SmallOffice.SERVER, "8080", "1"));
    await("150 and one", this::delivered, rates -> isBetween(rates[1] / rates[0], 4, 9));
  }

  private double[] delivered() throws Exception {
    return office.deliveredBitsPerSecond(WINDOW_MILLIS);
  }
}
