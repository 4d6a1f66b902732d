package org.paceline.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Set;
import org.paceline.bench.report.Report;

/** Measures everything about the allocator in one run. */
final class AllocatorBench {
  /** What can be measured on its own. */
  enum Part {
    /** One link, and the aggregated knapsack beside it. */
    ONE_LINK,
    /** One link, and the paper's program beside it. */
    PAPER_PROGRAM,
    /** Networks by size. */
    NETWORKS,
    /** Small networks to the optimum. */
    SMALL_NETWORKS,
    /** Small networks whose delays depend on load, beside an independent model. */
    LOAD_DELAY,
    /** What is done beyond the time limit. */
    TIME_LIMIT,
    /** Events on a live solution. */
    INCREMENTAL;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final boolean quick;
  private final Set<Part> parts;
  private final Path out;
  private final Report report = new Report("Allocator");

  AllocatorBench(boolean quick, Set<Part> parts, Path out) {
    this.quick = quick;
    this.parts = parts;
    this.out = out;
  }

  void run() throws IOException {
    Files.createDirectories(out);
    report.remark(
        String.format(
            "%s, %s, Java %s, %d processors, load average %.1f at the start%s. Durations are"
                + " milliseconds: median (least..greatest).",
            Instant.now().truncatedTo(ChronoUnit.SECONDS),
            System.getProperty("os.arch"),
            Runtime.version(),
            Runtime.getRuntime().availableProcessors(),
            java.lang.management.ManagementFactory.getOperatingSystemMXBean()
                .getSystemLoadAverage(),
            quick ? "; quick run" : ""));
    if (parts.contains(Part.ONE_LINK)) {
      new OneLinkBench(quick, out, report).run();
      report.write(out);
    }
    if (parts.contains(Part.PAPER_PROGRAM)) {
      new PaperBench(quick, out, report).run();
      report.write(out);
    }
    if (parts.contains(Part.NETWORKS)) {
      new NetworkBench(quick, out, report).run();
      report.write(out);
    }
    if (parts.contains(Part.SMALL_NETWORKS)) {
      new SmallNetworkBench(quick, report).run();
      report.write(out);
    }
    if (parts.contains(Part.LOAD_DELAY)) {
      new LoadDelayBench(quick, report).run();
      report.write(out);
    }
    if (parts.contains(Part.TIME_LIMIT)) {
      new TimeLimitBench(quick, report).run();
      report.write(out);
    }
    if (parts.contains(Part.INCREMENTAL)) {
      new IncrementalBench(quick, report).run();
      report.write(out);
    }
    report.publish(out);
  }
}
