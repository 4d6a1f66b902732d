package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nobody tells the hosts what their uplink carries. */
@Tag("kernel")
class SmallNetworkEstimateTest extends WithSmallOffice {
  private static final Pattern CAPACITY = Pattern.compile("link uplink of ([0-9.]+) kbit/s");

  /** Steps of two or four seconds from half of it to a fifth above, in half a minute or two. */
  private static final int MOST_WINDOWS = 50;

  @Test
  void hostsFindOutWhatTheirUplinkCarriesAndGiveWayToAHostWithoutAnAgent() throws Exception {
    serve(7000);
    serve(7002);
    String link =
        "name: uplink, capacity: estimated, ceiling: 20mbit, floor: 5mbit, probe: "
            + SmallOffice.SERVER;
    for (int host = 0; host < 2; host++) {
      keep(office.agent(host, KEY, weight(host), "htb", link)).awaitOutput("sharing");
    }
    for (int host = 0; host < 2; host++) {
      upload(host);
    }
    assertThat(rested()).isBetween(0.9 * SmallOffice.UPLINK, 1.1 * SmallOffice.UPLINK);
    awaitParts("with what was found", 1.0 / 3, 2.0 / 3);

    keep(TrafficProcess.start(office.host(2), "pour", SmallOffice.SERVER, "7002", "1"));
    await("beside a stranger", this::believed, rates -> rates[0] < 0.75 * SmallOffice.UPLINK);
  }

  /** Where it stays for a while: it was found, and is no step on the way. */
  private double rested() throws Exception {
    double last = 0;
    int same = 0;
    for (int window = 0; same < 2; window++) {
      assertThat(window).as("windows without rest").isLessThan(MOST_WINDOWS);
      double now = believed()[0];
      same = now == last ? same + 1 : 0;
      last = now;
    }
    return last;
  }

  /** What the first host takes for the capacity, and the second. */
  private double[] believed() throws Exception {
    Thread.sleep(WINDOW_MILLIS);
    double[] believed = new double[2];
    for (int host = 0; host < believed.length; host++) {
      String status = office.status(host);
      System.out.println(status.lines().filter(line -> line.startsWith("link")).toList());
      Matcher matcher = CAPACITY.matcher(status);
      believed[host] = matcher.find() ? Double.parseDouble(matcher.group(1)) * 1e3 : 0;
    }
    return believed;
  }
}
