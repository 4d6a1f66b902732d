package org.paceline.bench.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A {@link Load} in a namespace, until it is closed. */
final class Worker implements AutoCloseable {
  // What measures must not wait for a processor that those it measures keep busy.
  private static final Set<String> PUNCTUAL = Set.of("ping", "echo");

  private final Process process;
  private final BufferedReader says;

  private Worker(Process process, BufferedReader says) {
    this.process = process;
    this.says = says;
  }

  static Worker start(String namespace, String what, int... numbers) throws IOException {
    List<String> words = new ArrayList<>();
    if (PUNCTUAL.contains(what)) {
      words.addAll(List.of("chrt", "--fifo", "50"));
    }
    words.addAll(List.of("java", "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    words.addAll(List.of(System.getProperty("java.class.path"), Load.class.getName(), what));
    words.add(Integer.toString(numbers.length > 0 ? numbers[0] : 0));
    words.add(Integer.toString(numbers.length > 1 ? numbers[1] : 0));
    Process process =
        new ProcessBuilder(Hosts.inside(namespace, words.toArray(String[]::new)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader says =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    if (!"ready".equals(says.readLine())) {
      process.destroyForcibly();
      throw new IOException("what was to talk (" + what + ") did not start");
    }
    return new Worker(process, says);
  }

  /** All it says until its end. */
  List<String> rest() {
    return says.lines().toList();
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }
}
