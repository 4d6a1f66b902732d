package org.paceline.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.paceline.bench.report.Report;
import org.paceline.bench.report.Spread;

/** Measures everything about the allocator in one run. */
final class AllocatorBench {
  private final boolean quick;
  private final Path out;
  private final Report report = new Report("Allocator");

  AllocatorBench(boolean quick, Path out) {
    this.quick = quick;
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
    Map<String, Spread> kernels = new OneLinkBench(quick, out, report).run();
    report.write(out);
    new BaselineBench(quick, report).run(kernels);
    report.write(out);
    new NetworkBench(quick, out, report).run();
    report.write(out);
    System.out.println(report.markdown());
    System.err.println("paceline bench: written to " + out.toAbsolutePath());
  }
}
