package org.paceline.agent.netns;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Another kernel, as a process of this one, with this machine's files: Debian's Linux in user mode,
 * which has fq and programs at egress whatever this machine's kernel has, and can be suspended.
 */
final class UserModeLinux {
  private static final Path KIT = Path.of("src/test/uml").toAbsolutePath();
  private static final int OFF_SECONDS = 20;
  private static final List<String> WORDS =
      List.of(
          // All that it starts ends with it, and no network but its own is in sight.
          "unshare",
          "--net",
          "--pid",
          "--fork",
          "--kill-child",
          "--mount-proc",
          "linux.uml",
          "rootfstype=hostfs",
          "rootflags=/",
          "rw",
          "mem=1200M",
          "con=null",
          "con0=null,fd:1",
          "quiet",
          "init=" + KIT.resolve("init"));

  private UserModeLinux() {}

  /**
   * Boots it, runs the words and switches it off.
   *
   * @param directory for what both kernels tell each other, and temporary files
   * @return what was said meanwhile
   * @throws AssertionError where the words fail
   */
  static String run(Path directory, Duration limit, List<String> words) throws Exception {
    assumeTrue(
        Sh.run("sh", "-c", "command -v linux.uml || true").length() > 0,
        "Skipped: Linux in user mode is not installed. Maybe: apt-get install user-mode-linux");
    Path preload = directory.resolve("preload.so");
    Sh.run(
        "gcc",
        "-O2",
        "-shared",
        "-fPIC",
        "-o",
        preload.toString(),
        KIT.resolve("xstate.c").toString(),
        KIT.resolve("suspend.c").toString());
    Files.writeString(
        directory.resolve("command"),
        words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" ")) + "\n");
    Path output = directory.resolve("output");
    List<String> all = new ArrayList<>(WORDS);
    all.add("WORK=" + directory);
    ProcessBuilder builder = new ProcessBuilder(all);
    builder
        .environment()
        .putAll(
            Map.of(
                "LD_PRELOAD", preload.toString(),
                "TMPDIR", "/dev/shm",
                "WORK", directory.toString()));
    Process machine =
        builder
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended;
    try {
      ended = hasEnded(machine, directory, limit);
    } finally {
      machine.destroyForcibly().waitFor();
    }
    String said = Files.readString(output);
    assumeTrue(
        Files.exists(directory.resolve("started")),
        () -> "Skipped: Linux in user mode does not boot here: " + said);
    if (!ended || !exitCode(directory).equals("0")) {
      throw new AssertionError(
          (ended ? "failed with exit code (" + exitCode(directory) + ")" : "not done in " + limit)
              + ":\n"
              + said);
    }
    return said;
  }

  /**
   * The command, that is: this kernel may go on turning after it has said that it is switched off.
   */
  private static boolean hasEnded(Process machine, Path directory, Duration limit)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (System.nanoTime() < end) {
      if (machine.waitFor(1, TimeUnit.SECONDS)) {
        return true;
      }
      if (!exitCode(directory).isEmpty()) {
        machine.waitFor(OFF_SECONDS, TimeUnit.SECONDS);
        return true;
      }
    }
    return false;
  }

  private static String exitCode(Path directory) throws IOException {
    Path file = directory.resolve("exit");
    return Files.exists(file) ? Files.readString(file).trim() : "";
  }
}
