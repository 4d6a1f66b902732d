package org.paceline.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.paceline.allocator.virtualqueue.LinearFilling;
import org.paceline.allocator.virtualqueue.LinearFilling.Flow;
import org.paceline.bench.report.Report;
import org.paceline.bench.workload.PrintedAirtime;
import org.paceline.bench.workload.SimulatedCell;
import org.paceline.bench.workload.SimulatedCell.Kind;
import org.paceline.intents.unit.DataRate;

/**
 * The model of wireless cells against ns-3, a packet-level simulator of 802.11: where the border of
 * what a cell carries is, and whether rates within it are carried.
 */
final class WirelessBench {
  private static final Path PYTHON = Path.of(".run", "ns3", "bin", "python3");
  private static final Path SIMULATOR = Path.of("tools", "wireless", "simulate_cell.py");
  private static final double CLOSE = 0.1;
  private static final double MOST_OF_ALL = 0.95;

  /** beta: the part of the region that is given to flows. */
  private static final double VIRTUAL = 0.95;

  private static final double ALL = 0.98;
  private static final int PAYLOAD = 1500;

  private final boolean quick;
  private final Path out;
  private final Report report = new Report("Wireless cells");

  WirelessBench(boolean quick, Path out) {
    this.quick = quick;
    this.out = out;
  }

  void run() throws IOException, InterruptedException {
    Files.createDirectories(out);
    report.remark(
        "802.11g by ns-3, 4 s a cell after 2 s" + (quick ? "; quick run: every fifth cell." : "."));
    border();
    weights();
    report.publish(out);
  }

  private void border() throws IOException, InterruptedException {
    List<SimulatedCell> kept = SimulatedCell.kept();
    List<SimulatedCell> wanted =
        quick
            ? IntStream.range(0, kept.size()).filter(c -> c % 5 == 0).mapToObj(kept::get).toList()
            : kept;
    List<SimulatedCell> cells = simulated("simulated-cells.csv", wanted);
    Report.Section table =
        report.section(
            "Border",
            "How much more than the simulator the model allows, along the rates that the simulator"
                + " carries; the last column is the same of the paper's equations as printed, which"
                + " know no interference.",
            "cells",
            "how many",
            "within 10 %",
            "least..greatest",
            "as printed");
    for (Kind kind : Kind.values()) {
      row(table, kind.toString(), cells.stream().filter(cell -> cell.kind() == kind).toList());
    }
    row(table, "all", cells);
    claim("cells", cells);
    claim(
        "saturated cells",
        cells.stream()
            .filter(cell -> cell.kind() != Kind.LIMITED && cell.kind() != Kind.INTERFERENCE)
            .toList());
  }

  private static void row(Report.Section table, String name, List<SimulatedCell> cells) {
    boolean printed = cells.stream().noneMatch(cell -> cell.kind() == Kind.INTERFERENCE);
    table.row(
        name,
        Integer.toString(cells.size()),
        Long.toString(close(cells)),
        spread(cells.stream().mapToDouble(SimulatedCell::error).toArray()),
        printed ? spread(cells.stream().mapToDouble(PrintedAirtime::error).toArray()) : "");
  }

  private static String spread(double[] errors) {
    return errors.length == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "%+.1f..%+.1f %%",
            Arrays.stream(errors).min().orElseThrow() * 100,
            Arrays.stream(errors).max().orElseThrow() * 100);
  }

  private static long close(List<SimulatedCell> cells) {
    return cells.stream().filter(cell -> Math.abs(cell.error()) <= CLOSE).count();
  }

  private void claim(String name, List<SimulatedCell> cells) {
    double part = (double) close(cells) / cells.size();
    report.claim(
        name + " in which the model is within 10 % of the simulator",
        MOST_OF_ALL * 100,
        part * 100,
        "%",
        part >= MOST_OF_ALL,
        1);
  }

  /** Stations at these association rates that share by these weights. */
  private record Sharing(List<Integer> mbps, List<Integer> weights) {
    @Override
    public String toString() {
      return mbps + " Mbit/s, weights " + weights;
    }
  }

  private static final List<Sharing> SHARINGS =
      List.of(
          new Sharing(List.of(54, 12), List.of(1, 1)),
          new Sharing(List.of(54, 12), List.of(3, 1)),
          new Sharing(List.of(54, 54, 54), List.of(1, 2, 3)),
          new Sharing(List.of(54, 24, 12, 6), List.of(1, 1, 1, 1)),
          new Sharing(List.of(54, 24, 12, 6), List.of(8, 4, 2, 1)));

  /** Weighted max-min rates within the region are carried: nobody's queue fills. */
  private void weights() throws IOException, InterruptedException {
    List<SimulatedCell> offered = new ArrayList<>();
    List<SimulatedCell> greedy = new ArrayList<>();
    for (Sharing sharing : SHARINGS) {
      for (boolean rts : new boolean[] {false, true}) {
        offered.add(allowed(sharing, rts));
        greedy.add(cell(sharing, rts, "greedy", SimulatedCell.Flow.SATURATED));
      }
    }
    List<SimulatedCell> carried = simulated("weighted.csv", offered);
    List<SimulatedCell> without = simulated("greedy.csv", greedy);
    Report.Section table =
        report.section(
            "Weights",
            "Upstream rates by weighted max-min within 0.95 of the region, in kbit/s, and what the"
                + " simulator carries of them; beside that what is carried where nobody is held to"
                + " a rate.",
            "stations",
            "RTS/CTS",
            "rates",
            "least part carried",
            "sum",
            "sum without");
    double least = 1;
    for (int c = 0; c < carried.size(); c++) {
      List<SimulatedCell.Flow> flows = carried.get(c).flows();
      double part =
          flows.stream()
              .mapToDouble(flow -> flow.carriedKbps() / Double.parseDouble(flow.offered()))
              .min()
              .orElseThrow();
      least = Math.min(least, part);
      table.row(
          SHARINGS.get(c / 2).toString(),
          carried.get(c).rts() ? "yes" : "no",
          flows.stream().map(SimulatedCell.Flow::offered).toList().toString(),
          String.format(Locale.ROOT, "%.3f", part),
          Long.toString(sum(carried.get(c))),
          Long.toString(sum(without.get(c))));
    }
    report.claim(
        "least part that is carried of weighted max-min rates",
        ALL * 100,
        least * 100,
        "%",
        least >= ALL,
        carried.size());
    // The paper's scenario 2: 54 and 12 Mbit/s with 3 : 1, without RTS.
    double more = 100.0 * sum(carried.get(2)) / sum(without.get(2)) - 100;
    report.claim(
        "scenario 2: more in sum by weights of 3 : 1 than without", 20, more, "%", more >= 20, 1);
  }

  private static long sum(SimulatedCell cell) {
    return cell.flows().stream().mapToLong(SimulatedCell.Flow::carriedKbps).sum();
  }

  private static SimulatedCell cell(Sharing sharing, boolean rts, String name, String offered) {
    return new SimulatedCell(
        name + SHARINGS.indexOf(sharing) + (rts ? "-rts" : ""),
        rts,
        1,
        IntStream.range(0, sharing.mbps().size())
            .mapToObj(
                s ->
                    new SimulatedCell.Flow(s + 1, true, sharing.mbps().get(s), PAYLOAD, offered, 0))
            .toList());
  }

  private static SimulatedCell allowed(Sharing sharing, boolean rts) {
    SimulatedCell greedy = cell(sharing, rts, "weighted", SimulatedCell.Flow.SATURATED);
    List<Flow> flows =
        IntStream.range(0, sharing.weights().size())
            .mapToObj(s -> Flow.of(Integer.toString(s), sharing.weights().get(s), DataRate.MAX))
            .toList();
    Map<String, DataRate> rates = LinearFilling.fill(greedy.region(), flows);
    List<SimulatedCell.Flow> offering = new ArrayList<>();
    for (int s = 0; s < flows.size(); s++) {
      DataRate rate = rates.getOrDefault(Integer.toString(s), DataRate.ZERO);
      long kbps = (long) (VIRTUAL * rate.toKbpsFloor());
      offering.add(SimulatedCell.Flow.offering(s + 1, true, sharing.mbps().get(s), PAYLOAD, kbps));
    }
    return new SimulatedCell(greedy.name(), rts, greedy.seed(), offering);
  }

  /**
   * Asks the simulator, in a process of its own.
   *
   * @param file below the results, for its answer
   */
  private List<SimulatedCell> simulated(String file, List<SimulatedCell> cells)
      throws IOException, InterruptedException {
    Path log = out.resolve("simulator.log");
    Path asked = out.resolve("asked.csv");
    Files.writeString(
        asked,
        SimulatedCell.COLUMNS
            + "\n"
            + cells.stream().map(SimulatedCell::lines).collect(Collectors.joining()));
    Process process =
        new ProcessBuilder(PYTHON.toString(), SIMULATOR.toString())
            .redirectInput(asked.toFile())
            .redirectError(log.toFile())
            .start();
    StringBuilder answer = new StringBuilder();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        answer.append(line).append('\n');
        System.err.println("paceline bench: " + line);
      }
    }
    if (process.waitFor() != 0) {
      throw new IOException("The simulator failed; " + log.toAbsolutePath() + " says why.");
    }
    Files.writeString(out.resolve(file), answer);
    return SimulatedCell.read(new StringReader(answer.toString()));
  }
}
