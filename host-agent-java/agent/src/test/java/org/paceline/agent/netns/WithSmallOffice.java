package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Three hosts at one slow uplink, and what runs on them, ended with each test. */
abstract class WithSmallOffice {
  static final String KEY = "k";

  /**
   * Coarse, for a busy machine: how near the loop comes, the lab's scenario measures. A part that
   * is not by weight, or was another's before, is off by a third at least.
   */
  static final double WITHIN = 0.25;

  static final long WINDOW_MILLIS = 4_000;

  /** What settles does so in two or three. */
  private static final int WINDOWS = 20;

  /**
   * The paper's table 3 for B = 5 and alpha = 1, of the 0.95 that the virtual queue serves, and
   * less: on a busy machine connections that were just slowed down do not fill their rate.
   */
  private static final double LEAST_UTILISATION = 0.87 * 0.95 * (1 - WITHIN);

  @TempDir private Path directory = Path.of("");
  SmallOffice office;
  private final List<AutoCloseable> running = new ArrayList<>();

  @BeforeAll
  static void needsRoot() throws Exception {
    InNamespaces.needsRoot();
  }

  @BeforeEach
  void build() throws Exception {
    office = new SmallOffice(directory, 3);
  }

  @AfterEach
  void tearDown() throws Exception {
    for (AutoCloseable one : running) {
      one.close();
    }
    office.close();
  }

  <T extends AutoCloseable> T keep(T one) {
    running.add(one);
    return one;
  }

  AgentProcess agent(int host, String key, String weights) throws Exception {
    return keep(office.agent(host, key, weights));
  }

  static String weight(int host) {
    return "{upload: " + (host + 1) + ", voip: " + (host + 1) + "}";
  }

  TrafficProcess upload(int host) throws Exception {
    return keep(TrafficProcess.start(office.host(host), "pour", SmallOffice.SERVER, "7000", "2"));
  }

  void serve(int port) throws Exception {
    keep(TrafficProcess.start(office.server, "sink", Integer.toString(port)));
  }

  /** What hosts send comes to be in these parts, and all of it as much as the loop promises. */
  void awaitParts(String when, double... parts) throws Exception {
    double[] sent =
        await(
            when,
            () -> office.sentBitsPerSecond(WINDOW_MILLIS),
            rates -> {
              double total = Arrays.stream(rates).sum();
              boolean right = isBetween(total / SmallOffice.UPLINK, LEAST_UTILISATION, 1.0);
              for (int h = 0; h < parts.length; h++) {
                double most = parts[h] * (1 + WITHIN) + 0.005;
                right &= isBetween(rates[h] / total, parts[h] * (1 - WITHIN), most);
              }
              return right;
            });
    System.out.printf("%s: %.0f kbit/s in all%n", when, Arrays.stream(sent).sum() / 1e3);
  }

  /** The first of so many windows in which the rates are right; all are printed. */
  static double[] await(String when, Callable<double[]> window, Predicate<double[]> isRight)
      throws Exception {
    List<List<Long>> seen = new ArrayList<>();
    while (true) {
      double[] rates = window.call();
      seen.add(kbit(rates));
      if (isRight.test(rates)) {
        System.out.printf("%s: kbit/s one window after the other %s%n", when, seen);
        return rates;
      }
      assertThat(seen).as(when + ", kbit/s").hasSizeLessThan(WINDOWS);
    }
  }

  static boolean isBetween(double value, double least, double most) {
    return value >= least && value <= most;
  }

  static List<Long> kbit(double[] rates) {
    return Arrays.stream(rates).mapToObj(rate -> Math.round(rate / 1e3)).toList();
  }
}
