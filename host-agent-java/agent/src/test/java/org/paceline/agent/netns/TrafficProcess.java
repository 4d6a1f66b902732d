package org.paceline.agent.netns;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** {@link Traffic} in a namespace, until it is closed. */
final class TrafficProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader said;

  private TrafficProcess(Process process, BufferedReader said) {
    this.process = process;
    this.said = said;
  }

  static TrafficProcess start(String namespace, String... arguments) throws IOException {
    return start(namespace, List.of(), arguments);
  }

  /**
   * @param before what starts it, such as a program that makes it another user's
   */
  static TrafficProcess start(String namespace, List<String> before, String... arguments)
      throws IOException {
    String[] words = Sh.java(before, Traffic.class, arguments);
    Process process =
        new ProcessBuilder(Sh.inside(namespace, words))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader said = reader(process);
    if (!"ready".equals(said.readLine())) {
      process.destroyForcibly();
      throw new IOException("the traffic did not start: " + Arrays.toString(words));
    }
    return new TrafficProcess(process, said);
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** All that a process says until this line comes, or its end. */
  static String until(Process process, String last) throws IOException {
    BufferedReader reader = reader(process);
    StringBuilder all = new StringBuilder();
    for (Optional<String> line = Optional.ofNullable(reader.readLine());
        line.isPresent() && !line.get().equals(last);
        line = Optional.ofNullable(reader.readLine())) {
      all.append(line.get()).append('\n');
    }
    return all.toString();
  }

  long pid() {
    return process.pid();
  }

  /** A word to those that take some; what it answers. */
  String ask(String word) throws IOException {
    process.getOutputStream().write((word + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    return String.valueOf(said.readLine());
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Several that end together, also where one of them does not start. */
  static final class Group implements AutoCloseable {
    private final List<TrafficProcess> started = new ArrayList<>();

    TrafficProcess start(String namespace, String... arguments) throws IOException {
      TrafficProcess one = TrafficProcess.start(namespace, arguments);
      started.add(one);
      return one;
    }

    @Override
    public void close() throws InterruptedException {
      for (TrafficProcess one : started) {
        one.close();
      }
    }
  }
}
