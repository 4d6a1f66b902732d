package org.paceline.bench.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.paceline.allocator.virtualqueue.LinearConstraint;
import org.paceline.allocator.virtualqueue.WirelessAccess;
import org.paceline.allocator.virtualqueue.WirelessCell;
import org.paceline.allocator.virtualqueue.WirelessLink;
import org.paceline.intents.unit.DataRate;

/**
 * A wireless cell with what a packet-level simulator says that it carries, as lines of
 * tools/wireless/simulate_cell.py.
 */
public record SimulatedCell(String name, boolean rts, long seed, List<Flow> flows) {
  /** The header of the lines. */
  public static final String COLUMNS =
      "cell,rts,seed,station,direction,mbps,payload,offered,carried";

  private static final String KEPT = "/wireless/simulated-cells.csv";

  public SimulatedCell {
    flows = List.copyOf(flows);
  }

  /**
   * A flow between a station and the access point.
   *
   * @param offered kbit/s, or a word where there is always a frame to send
   * @param carriedKbps of payload; 0 where nothing is known yet
   */
  public record Flow(
      int station, boolean up, int mbps, int payload, String offered, long carriedKbps) {
    public static final String SATURATED = "saturated";

    /** Saturated, and controlled by nobody. */
    static final String INTERFERING = "interfering";

    /** A flow that offers so much. */
    public static Flow offering(int station, boolean up, int mbps, int payload, long kbps) {
      return new Flow(station, up, mbps, payload, Long.toString(kbps), 0);
    }

    boolean isInterfering() {
      return offered.equals(INTERFERING);
    }

    boolean isLimited() {
      return !offered.equals(SATURATED) && !isInterfering();
    }

    /** Who contends for the air. */
    String transmitter() {
      return up ? "station " + station : "access point";
    }

    private String id() {
      return (up ? "up " : "down ") + station;
    }
  }

  /** Which question a cell asks of the model; the first that fits. */
  public enum Kind {
    INTERFERENCE("an interfering station", cell -> cell.any(Flow::isInterfering)),
    LIMITED("one station limited", cell -> cell.any(Flow::isLimited)),
    DOWNSTREAM("from the access point", cell -> cell.any(flow -> !flow.up())),
    PAYLOADS("other payloads", cell -> cell.any(flow -> flow.payload() != 1500)),
    DIFFERENT("different association rates", cell -> cell.rates() > 1),
    EQUAL("equal association rates", cell -> true);

    private final String text;
    private final Predicate<SimulatedCell> fits;

    Kind(String text, Predicate<SimulatedCell> fits) {
      this.text = text;
      this.fits = fits;
    }

    static Kind of(SimulatedCell cell) {
      for (Kind kind : values()) {
        if (kind.fits.test(cell)) {
          return kind;
        }
      }
      return EQUAL;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private boolean any(Predicate<Flow> flow) {
    return flows.stream().anyMatch(flow);
  }

  private long rates() {
    return flows.stream().mapToInt(Flow::mbps).distinct().count();
  }

  public Kind kind() {
    return Kind.of(this);
  }

  /** Those that are kept, with what the simulator said of them. */
  public static List<SimulatedCell> kept() throws IOException {
    try (Reader lines =
        new InputStreamReader(
            Objects.requireNonNull(
                SimulatedCell.class.getResourceAsStream(KEPT), "the jar lacks " + KEPT),
            StandardCharsets.UTF_8)) {
      return read(lines);
    }
  }

  /** Cells of lines with a header; lines that begin with # say something else. */
  public static List<SimulatedCell> read(Reader lines) throws IOException {
    Map<String, SimulatedCell> cells = new LinkedHashMap<>();
    boolean headed = false;
    for (String line : new BufferedReader(lines).lines().toList()) {
      if (line.startsWith("#")) {
        continue;
      }
      if (!headed) {
        if (!line.equals(COLUMNS)) {
          throw new IOException("The columns are not (" + COLUMNS + ") but (" + line + ").");
        }
        headed = true;
        continue;
      }
      String[] words = line.split(",", -1);
      Flow flow =
          new Flow(
              Integer.parseInt(words[3]),
              words[4].equals("up"),
              Integer.parseInt(words[5]),
              Integer.parseInt(words[6]),
              words[7],
              words[8].isEmpty() ? 0 : Long.parseLong(words[8]));
      cells.merge(
          words[0],
          new SimulatedCell(
              words[0], words[1].equals("yes"), Long.parseLong(words[2]), List.of(flow)),
          SimulatedCell::with);
    }
    return List.copyOf(cells.values());
  }

  private SimulatedCell with(SimulatedCell more) {
    List<Flow> all = new ArrayList<>(flows);
    all.addAll(more.flows);
    return new SimulatedCell(name, rts, seed, all);
  }

  /** For the simulator. */
  public String lines() {
    return flows.stream()
        .map(
            flow ->
                String.join(
                        ",",
                        name,
                        rts ? "yes" : "no",
                        Long.toString(seed),
                        Integer.toString(flow.station()),
                        flow.up() ? "up" : "down",
                        Integer.toString(flow.mbps()),
                        Integer.toString(flow.payload()),
                        flow.offered(),
                        "")
                    + "\n")
        .collect(Collectors.joining());
  }

  private WirelessCell model() {
    List<WirelessLink> links = new ArrayList<>();
    for (Flow flow : flows) {
      links.add(
          WirelessLink.of(
              flow.id(),
              flow.transmitter(),
              flow.payload(),
              DataRate.ofKilobitsPerSecond(flow.mbps() * 1_000L)));
    }
    return WirelessCell.of(rts ? WirelessAccess.RTS_CTS : WirelessAccess.BASIC, links);
  }

  /** What the model says that the flows can have, by their numbers in the list. */
  public List<LinearConstraint> region() {
    Map<String, List<String>> controlled = new TreeMap<>();
    Set<String> interfering = new TreeSet<>();
    for (int flow = 0; flow < flows.size(); flow++) {
      if (flows.get(flow).isInterfering()) {
        interfering.add(flows.get(flow).transmitter());
      } else {
        controlled.put(Integer.toString(flow), List.of(flows.get(flow).id()));
      }
    }
    return model().region(controlled, interfering);
  }

  /**
   * How much more than the simulator the model allows, when all rates grow or shrink together until
   * the model's border: 0.1 is a tenth too much.
   */
  public double error() {
    Map<String, DataRate> carried = new TreeMap<>();
    for (int flow = 0; flow < flows.size(); flow++) {
      carried.put(
          Integer.toString(flow), DataRate.ofKilobitsPerSecond(flows.get(flow).carriedKbps()));
    }
    double used =
        region().stream().mapToDouble(part -> part.utilisation(carried)).max().orElseThrow();
    return 1 / used - 1;
  }
}
