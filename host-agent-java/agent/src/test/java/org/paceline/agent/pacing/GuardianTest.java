package org.paceline.agent.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.enforce.ManagedInterface;

class GuardianTest {
  @TempDir private Path directory = Path.of("");

  /** The state file says them, and so whoever can write it would. */
  @Test
  void namesAndQueuesAreNoCommands() throws Exception {
    Path marker = directory.resolve("marker");
    String touch = "/usr/bin/touch " + marker;
    ManagedInterface hostile =
        new ManagedInterface(
            "x' ; " + touch + "; '",
            "",
            List.of(),
            1,
            false,
            Optional.of("fq_codel; " + touch + " `" + touch + "`"));
    ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-c", Guardian.removal(List.of(hostile)));
    // So that nothing of this machine's is taken down.
    shell.environment().put("PATH", directory.toString());
    shell.redirectErrorStream(true).redirectOutput(directory.resolve("said").toFile());
    shell.start().waitFor();
    assertThat(Files.readString(directory.resolve("said"))).contains("not found");
    assertThat(marker).doesNotExist();
  }
}
