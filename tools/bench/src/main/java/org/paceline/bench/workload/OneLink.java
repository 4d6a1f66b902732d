package org.paceline.bench.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.catalogue.Catalogue;

/** Applications that share one link, as in the evaluation of Sieber et al. 2020. */
public final class OneLink {
  /** Of ten applications, two of each class; video is half live, half on demand. */
  private static final Map<String, Integer> OF_TEN =
      Map.of("dl", 2, "ssh", 2, "voip", 2, "web", 2, "live", 1, "vod", 1);

  private static final long PAPER_KBPS = 100_000;

  /** Room for each application as in the paper's problem of 80. */
  private static final long KBPS_OF_ONE = PAPER_KBPS / 80;

  private OneLink() {}

  /**
   * The paper's problem: 100 Mbit/s, each application an entry of its own.
   *
   * @param applications a multiple of ten
   */
  public static Problem paper(int applications, Sharing sharing) {
    return problem("paper-" + applications, PAPER_KBPS, singles(applications), sharing);
  }

  /** Six types, as six entries with their counts, with the room of the paper's problem of 80. */
  public static Problem sixTypes(int applications) {
    List<Application> all = new ArrayList<>();
    OF_TEN.keySet().stream()
        .sorted()
        .forEach(
            name ->
                all.add(
                    Application.of(
                        name,
                        "s0",
                        "s1",
                        Catalogue.function(name),
                        OF_TEN.getOrDefault(name, 0) * applications / 10,
                        0)));
    return problem("six-types-" + applications, applications * KBPS_OF_ONE, all, Sharing.FREE);
  }

  /** As {@link #sixTypes}, with every application an entry of its own. */
  public static Problem singleEntries(int applications) {
    return problem(
        "entries-" + applications, applications * KBPS_OF_ONE, singles(applications), Sharing.FREE);
  }

  /**
   * Distinct functions, each a measured one with its axis stretched and its utilities moved by a
   * little at random.
   */
  public static Problem manyFunctions(int functions, int applications, long seed) {
    Random random = new Random(seed);
    List<UtilityFunction> measured = new ArrayList<>(Catalogue.load().values());
    List<Application> all = new ArrayList<>();
    for (int f = 0; f < functions; f++) {
      all.add(
          Application.of(
              "app-" + f,
              "s0",
              "s1",
              varied(measured.get(f % measured.size()), "function-" + f, random),
              applications / functions,
              0));
    }
    return problem(functions + "-functions", applications * KBPS_OF_ONE, all, Sharing.FREE);
  }

  private static UtilityFunction varied(UtilityFunction function, String name, Random random) {
    double stretch = 0.5 + random.nextDouble();
    List<DataRate> rates = new ArrayList<>();
    List<Latency> delays = new ArrayList<>();
    List<List<Utility>> cells = new ArrayList<>();
    for (int d = 0; d < function.delayBins(); d++) {
      delays.add(function.delay(d));
    }
    for (int t = 0; t < function.throughputBins(); t++) {
      rates.add(DataRate.ofMillibitsPerSecond(Math.round(function.rateMillibits(t) * stretch)));
      List<Utility> row = new ArrayList<>();
      for (int d = 0; d < function.delayBins(); d++) {
        double moved = function.utilityBillionths(t, d) + random.nextGaussian() * 2e7;
        row.add(
            Utility.ofBillionths(
                Math.max(Utility.SCALE, Math.min(5 * Utility.SCALE, Math.round(moved)))));
      }
      cells.add(row);
    }
    return UtilityFunction.of(name, rates, delays, cells);
  }

  private static List<Application> singles(int applications) {
    List<Application> all = new ArrayList<>();
    OF_TEN.keySet().stream()
        .sorted()
        .forEach(
            name -> {
              UtilityFunction function = Catalogue.function(name);
              int count = OF_TEN.getOrDefault(name, 0) * applications / 10;
              for (int i = 1; i <= count; i++) {
                all.add(Application.of(name + "-" + i, "s0", "s1", function));
              }
            });
    return all;
  }

  private static Problem problem(
      String name, long kbps, List<Application> applications, Sharing sharing) {
    Network network =
        Network.of(
            List.of("s0", "s1"),
            List.of(
                Link.of(
                    "s0",
                    "s1",
                    DataRate.ofKilobitsPerSecond(kbps),
                    LinkDelay.constant(Latency.ofMillis(2)))));
    return Problem.of(name, network, applications, Problem.PAPER_EPSILON, sharing);
  }
}
