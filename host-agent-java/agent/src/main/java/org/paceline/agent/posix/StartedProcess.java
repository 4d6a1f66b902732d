package org.paceline.agent.posix;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process that an agent has started, for another one to know it by: numbers are given anew, but
 * never with the same time.
 *
 * @param startTicks when it began, since the host did, in the kernel's own unit: no step of the
 *     wall clock changes it
 */
public record StartedProcess(long pid, long startTicks) {
  /** As in {@link #text}. */
  public static final String PATTERN = "\\d{1,9} \\d{1,18}";

  // What precedes it ends with the process's name, which may hold anything, in parentheses.
  private static final int START_AFTER_NAME = 20;

  public static Optional<StartedProcess> of(long pid) {
    try {
      String stat =
          Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 1).split(" ", -1);
      return Optional.of(new StartedProcess(pid, Long.parseLong(fields[START_AFTER_NAME])));
    } catch (IOException | RuntimeException e) {
      // It has ended.
      return Optional.empty();
    }
  }

  public static StartedProcess parse(String text) {
    String[] words = text.split(" ", -1);
    return new StartedProcess(Long.parseLong(words[0]), Long.parseLong(words[1]));
  }

  public String text() {
    return pid + " " + startTicks;
  }

  /** Empty where it is no more, whoever has its number now. */
  public Optional<ProcessHandle> alive() {
    return of(pid).filter(this::equals).flatMap(same -> ProcessHandle.of(pid));
  }
}
