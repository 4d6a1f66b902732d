package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the directory for temporary files is of no use, real file systems of that kind. */
class NativePartTest extends InNamespaces {
  @ParameterizedTest
  @CsvSource({
    "noexec, failed to map segment",
    "size=16k, No space left on device",
    "ro, is not writable",
  })
  void anAgentThatCannotUnpackItsNativePartSaysWhyAndWhatToDo(String mount, String why)
      throws Exception {
    List<String> before = new ArrayList<>(List.of("unshare", "--mount", "sh", "-c"));
    Path temporary = Files.createDirectory(directory.resolve("temporary"));
    before.add("mount -t tmpfs -o " + mount + " tmpfs '" + temporary + "' && exec \"$@\"");
    before.addAll(List.of("sh", "env", "JAVA_TOOL_OPTIONS=-Djna.tmpdir=" + temporary));
    try (AgentProcess agent = agentWith(before, "")) {
      assertThat(agent.awaitExit()).isEqualTo(2);
      assertThat(agent.output())
          .contains("cannot load its native part", temporary.toString(), why, "-Djna.tmpdir=");
    }
    assertHostIsAsFound();

    // As the package has it: beside the program.
    String ready = "target/native/com/sun/jna/linux-" + System.getProperty("os.arch");
    Path library = Path.of(ready.replace("amd64", "x86-64")).toAbsolutePath();
    assertThat(library).isDirectoryContaining("glob:**/libjnidispatch.so");
    before.add(
        "JAVA_TOOL_OPTIONS=-Djna.tmpdir=" + temporary + " -Djna.boot.library.path=" + library);
    try (AgentProcess agent = agentWith(before, "")) {
      awaitAttached();
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }
}
