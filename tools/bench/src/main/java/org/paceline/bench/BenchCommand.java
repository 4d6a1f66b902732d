package org.paceline.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.paceline.bench.workload.FlowRecordFile;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tools/paceline bench}. */
@Command(
    name = "paceline bench",
    description = "Measures Paceline.",
    subcommands = {
      BenchCommand.AllocatorCommand.class,
      BenchCommand.ElephantsCommand.class,
      BenchCommand.WirelessCommand.class
    },
    synopsisSubcommandLabel = "WHAT")
public final class BenchCommand implements Runnable {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  @SuppressWarnings("unused") // picocli acts on it.
  private boolean help;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        new CommandLine(this), "Say what to measure. Maybe: paceline bench allocator");
  }

  /** What each of them may be told. */
  abstract static class Measurement implements Callable<Integer> {
    @Option(
        names = "--quick",
        description = "Fewer repetitions or smaller sizes: a sixth to a third of the time.")
    boolean quick;

    @Option(
        names = "--out",
        paramLabel = "DIR",
        description = "Where results go (default ${DEFAULT-VALUE}).")
    Path out;

    @Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "Show this.")
    @SuppressWarnings("unused") // picocli acts on it.
    private boolean help;

    Measurement(String what) {
      out = Path.of("out", "bench-" + what);
    }

    abstract void measure() throws IOException, InterruptedException;

    @Override
    public Integer call() throws IOException, InterruptedException {
      measure();
      return 0;
    }
  }

  /** {@code tools/paceline bench allocator}. */
  @Command(
      name = "allocator",
      description =
          "One link against the MILP baselines, networks by size, small networks to the optimum,"
              + " and events on a live solution: table.md, result.json and plots in DIR. Takes"
              + " about half an hour.")
  static final class AllocatorCommand extends Measurement {
    @Option(
        names = "--only",
        paramLabel = "PART",
        split = ",",
        converter = PartConverter.class,
        description =
            "Leave out the other parts: one-link, paper-program, networks, small-networks,"
                + " load-delay, time-limit, incremental.")
    private Set<AllocatorBench.Part> parts = EnumSet.allOf(AllocatorBench.Part.class);

    AllocatorCommand() {
      super("allocator");
    }

    @Override
    void measure() throws IOException {
      new AllocatorBench(quick, parts, out).run();
    }
  }

  /** {@code tools/paceline bench elephants}. */
  @Command(
      name = "elephants",
      description =
          "A million flow records from a file, and 50,000 a second over loopback for a minute:"
              + " table.md and result.json in DIR. Takes about three minutes.")
  static final class ElephantsCommand extends Measurement {
    @Option(
        names = "--month",
        paramLabel = "FILE",
        description =
            "Only write the made-up month of records here, as CSV, for tools/paceline elephants.")
    private Optional<Path> month = Optional.empty();

    ElephantsCommand() {
      super("elephants");
    }

    @Override
    void measure() throws IOException, InterruptedException {
      if (month.isPresent()) {
        ElephantsBench.writeMonth(FlowRecordFile.Layout.PACELINE, month.get());
      } else {
        new ElephantsBench(quick, out).run();
      }
    }
  }

  /** {@code tools/paceline bench wireless}. */
  @Command(
      name = "wireless",
      description =
          "The model of wireless cells against a packet-level simulator of 802.11, ns-3, which the"
              + " first run fetches (69 MB): table.md and result.json in DIR. Takes about ten"
              + " minutes.")
  static final class WirelessCommand extends Measurement {
    WirelessCommand() {
      super("wireless");
    }

    @Override
    void measure() throws IOException, InterruptedException {
      new WirelessBench(quick, out).run();
    }
  }

  /** Reads the part of a name as it is written. */
  static final class PartConverter implements CommandLine.ITypeConverter<AllocatorBench.Part> {
    @Override
    public AllocatorBench.Part convert(String name) {
      return Arrays.stream(AllocatorBench.Part.values())
          .filter(part -> part.toString().equals(name))
          .findAny()
          .orElseThrow(
              () ->
                  new CommandLine.TypeConversionException(
                      "There is no part ("
                          + name
                          + "). Maybe one of "
                          + Arrays.toString(AllocatorBench.Part.values())
                          + "."));
    }
  }

  /** Runs the command and exits with its status. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new BenchCommand()).execute(arguments));
  }
}
