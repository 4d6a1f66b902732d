package org.paceline.solve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.intents.problem.Solution;
import org.paceline.json.solution.SolutionReader;

/** Runs the command as its users do: as a process. */
class SolveProcess {
  static final Path EXAMPLES = Path.of("examples");

  @TempDir Path folder = Path.of("");

  /** What a process left behind. */
  record Ran(int status, String out, String messages) {
    String lastMessage() {
      String[] lines = messages.split("\n");
      return lines[lines.length - 1];
    }
  }

  Ran solve(String... arguments) throws IOException, InterruptedException {
    return solve(InputStream.nullInputStream(), arguments);
  }

  Ran solve(InputStream in, String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                // It runs for seconds, some fifty times over.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                SolveCommand.class.getName()));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("stdout");
    Path messages = folder.resolve("stderr");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(messages.toFile())
            .start();
    try (OutputStream stdin = process.getOutputStream()) {
      in.transferTo(stdin);
    } catch (IOException e) {
      // The command read no further, as it may.
      assertThat(e).hasMessageContaining("pipe");
    }
    return new Ran(process.waitFor(), Files.readString(out), Files.readString(messages));
  }

  Path file(String json) throws IOException {
    return Files.writeString(folder.resolve("problem.json"), json);
  }

  static Solution solution(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return SolutionReader.read(in).orElseThrow();
    }
  }
}
