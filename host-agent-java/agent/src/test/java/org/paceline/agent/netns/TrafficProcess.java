package org.paceline.agent.netns;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** {@link Traffic} in a namespace, until it is closed. */
final class TrafficProcess implements AutoCloseable {
  private final Process process;

  private TrafficProcess(Process process) {
    this.process = process;
  }

  static TrafficProcess start(String namespace, String... arguments) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "java",
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Traffic.class.getName()));
    words.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(Sh.inside(namespace, words.toArray(String[]::new)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    if (!"ready".equals(reader.readLine())) {
      process.destroyForcibly();
      throw new IOException("the traffic did not start: " + words);
    }
    return new TrafficProcess(process);
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }
}
