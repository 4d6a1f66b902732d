package org.paceline.bench.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a process and its helpers take from the host.
 *
 * @param cpuSeconds in hundredths, as the kernel counts
 * @param residentKilobytes of all of them
 * @param programKilobytes of the process alone
 */
record Usage(double cpuSeconds, long residentKilobytes, long programKilobytes) {
  private static final double SECONDS_PER_TICK = 0.01;

  // In what /proc says after a process's name: its own time in two kinds, then its ended
  // children's.
  private static final int OWN = 11;
  private static final int ENDED = 13;
  private static final int END = 15;

  static Usage of(ProcessHandle process) throws IOException {
    double seconds = 0;
    long resident = 0;
    List<ProcessHandle> all = Stream.concat(Stream.of(process), process.descendants()).toList();
    for (ProcessHandle one : all) {
      Path proc = Path.of("/proc/" + one.pid());
      if (Files.exists(proc)) {
        seconds += seconds(proc, OWN);
        resident += resident(proc);
      }
    }
    return new Usage(seconds, resident, resident(Path.of("/proc/" + process.pid())));
  }

  /** Processor time of what this process has started and what has ended, in seconds. */
  static double secondsOfEnded() throws IOException {
    return seconds(Path.of("/proc/self"), ENDED);
  }

  private static double seconds(Path proc, int first) throws IOException {
    String stat = Files.readString(proc.resolve("stat"), StandardCharsets.UTF_8);
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = 0;
    for (int i = first; i < END; i++) {
      ticks += Long.parseLong(fields[i]);
    }
    return ticks * SECONDS_PER_TICK;
  }

  private static long resident(Path proc) throws IOException {
    return Files.readAllLines(proc.resolve("status"), StandardCharsets.UTF_8).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }
}
