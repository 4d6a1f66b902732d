package org.paceline.agent.netns;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The wall clock of one process, which can be stepped while it runs; its monotonic clock goes on.
 * The machine's own clock is others' too, and time namespaces leave the wall clock alone, so a
 * library between the process and the C library adds the step.
 */
final class SteppedClock {
  /** The lab's, from this module's folder. */
  private static final Path SOURCE =
      Path.of("..", "..", "tools", "lab", "paceline_lab", "machine", "native", "clock.c");

  private final Path library;
  private final Path step;

  SteppedClock(Path directory) throws IOException, InterruptedException {
    assumeTrue(
        Sh.run("sh", "-c", "command -v cc || true").length() > 0,
        "Skipped: without a C compiler (cc) no process's clock can be stepped.");
    library = directory.resolve("step.so");
    step = directory.resolve("step");
    Sh.run("cc", "-shared", "-fPIC", "-o", library.toString(), SOURCE.toString(), "-ldl");
  }

  /** What starts a program with this clock. */
  List<String> words() {
    return List.of("env", "LD_PRELOAD=" + library, "CLOCK_STEP=" + step);
  }

  /** From what the machine's says. */
  void step(Duration by) throws IOException {
    Files.writeString(step, Long.toString(by.toSeconds()));
  }
}
