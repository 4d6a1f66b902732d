package org.paceline.elephants;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Runs the command as its users do: as a process. */
class ElephantsProcess {
  @TempDir Path folder = Path.of("");

  /** What a process left behind. */
  record Ran(int status, String out, String messages) {
    String lastMessage() {
      String[] lines = messages.split("\n");
      return lines[lines.length - 1];
    }
  }

  Ran elephants(String... arguments) throws IOException, InterruptedException {
    Path out = folder.resolve("stdout");
    Path messages = folder.resolve("stderr");
    Process process =
        command(arguments).redirectOutput(out.toFile()).redirectError(messages.toFile()).start();
    return new Ran(process.waitFor(), Files.readString(out), Files.readString(messages));
  }

  static ProcessBuilder command(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ElephantsCommand.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  static BufferedReader messages(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
  }

  Path file(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), List.of(lines));
  }
}
