package org.paceline.agent.runtime;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.paceline.protocol.AgentUsage;

/** What the agent and the programs that work for it take from the host. */
public final class ProcessUsage {
  // The kernel's unit in /proc on every Linux.
  private static final long NANOS_PER_TICK = 10_000_000L;
  private static final long PAGE_BYTES = 4_096;

  private ProcessUsage() {}

  public static AgentUsage now(List<Long> helpers) {
    List<Path> processes = new ArrayList<>(List.of(Path.of("/proc/self/stat")));
    helpers.forEach(pid -> processes.add(Path.of("/proc/" + pid + "/stat")));
    long ticks = 0;
    long pages = 0;
    for (Path process : processes) {
      try {
        String stat = Files.readString(process, StandardCharsets.UTF_8);
        // The name may hold anything, blanks and brackets too; what follows has fixed places.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        for (int i = 11; i <= 14; i++) {
          ticks += Long.parseLong(fields[i]);
        }
        pages += Long.parseLong(fields[21]);
      } catch (IOException e) {
        // A helper that has just ended is counted with the agent's ended children.
        continue;
      }
    }
    return AgentUsage.newBuilder()
        .setCpuNanos(ticks * NANOS_PER_TICK)
        .setResidentBytes(pages * PAGE_BYTES)
        .build();
  }
}
