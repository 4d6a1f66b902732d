package org.paceline.bench.workload;

import java.util.Set;
import java.util.stream.Collectors;

/**
 * Equations 6 to 11 of Gkantsidis et al. 2009 as they are printed, to see what their slips cost;
 * docs/algorithms/wireless-cells.md lists them. They know no interference.
 */
public final class PrintedAirtime {
  private static final double SLOT = 9e-6;
  private static final double SIFS = 10e-6;
  private static final double DIFS = 28e-6;
  private static final double PHY = 20e-6;
  private static final int WINDOW = 15;

  private PrintedAirtime() {}

  /** As {@link SimulatedCell#error}. */
  public static double error(SimulatedCell cell) {
    Set<String> transmitters =
        cell.flows().stream()
            .map(SimulatedCell.Flow::transmitter)
            .collect(Collectors.toUnmodifiableSet());
    double slowest =
        cell.flows().stream().mapToDouble(flow -> collision(flow, cell.rts())).max().orElseThrow();
    double contention = contention(transmitters.size(), slowest);
    double used = 0;
    for (SimulatedCell.Flow flow : cell.flows()) {
      double overhead = DIFS + SIFS + control(112, flow) + PHY;
      double asking = cell.rts() ? control(160, flow) + control(112, flow) + 2 * SIFS : 0;
      double frames = flow.carriedKbps() * 1e3 / 8 / flow.payload();
      used += frames * (contention + overhead + asking + frame(flow));
    }
    return 1 / used - 1;
  }

  private static double collision(SimulatedCell.Flow flow, boolean rts) {
    return rts ? control(160, flow) + SIFS + DIFS + control(112, flow) : frame(flow);
  }

  private static double frame(SimulatedCell.Flow flow) {
    return (36 + flow.payload()) * 8 / (flow.mbps() * 1e6);
  }

  private static double control(int bits, SimulatedCell.Flow flow) {
    return PHY + bits / (flow.mbps() * 1e6);
  }

  /** For one alone equation 11 divides by zero: half a window here. */
  private static double contention(int many, double slowest) {
    if (many == 1) {
      return WINDOW / 2.0 * SLOT;
    }
    double root = Math.sqrt(WINDOW * (WINDOW - 2.0) + Math.pow(4.0 * many - 3, 2));
    double collides = (4.0 * many + WINDOW - 5 - root) / (2 * (WINDOW - 2.0));
    return SLOT / ((1 - collides) * collides) + collides / (1 - collides) * slowest;
  }
}
