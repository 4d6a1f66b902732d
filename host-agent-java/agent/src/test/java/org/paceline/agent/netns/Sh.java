package org.paceline.agent.netns;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs programs, in a network namespace or outside. */
final class Sh {
  /** The agent as it ships: Maven has packed it before these tests, beside their classes. */
  static final Path JAR =
      Path.of(Sh.class.getProtectionDomain().getCodeSource().getLocation().getPath())
          .resolveSibling("paceline-agent.jar");

  /** The archive of its classes, which Maven makes beside it; without it the agent starts, too. */
  static final Path ARCHIVE = JAR.resolveSibling("paceline-agent.jsa");

  private Sh() {}

  /** What the program prints; what it complains of, such as other tests' namespaces, is apart. */
  static String run(String... words) throws IOException, InterruptedException {
    Path complaints = Files.createTempFile("sh", ".err");
    try {
      Process process = new ProcessBuilder(words).redirectError(complaints.toFile()).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(
            Arrays.toString(words) + ": " + output + Files.readString(complaints));
      }
      return output;
    } finally {
      Files.delete(complaints);
    }
  }

  /**
   * The agent's program, from the archive of its classes, as its package starts it.
   *
   * @param memory what Java is told about that
   * @return the words, with such words before them as make it another user's, say
   */
  static List<String> agent(List<String> before, List<String> memory, String... arguments) {
    List<String> words = new ArrayList<>(before);
    words.addAll(List.of("java", "-XX:SharedArchiveFile=" + ARCHIVE));
    words.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0"));
    words.addAll(List.of("-Xlog:all=off", "-Xlog:all=warning:stderr"));
    words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    words.addAll(memory);
    words.addAll(List.of("-jar", JAR.toString()));
    words.addAll(List.of(arguments));
    return words;
  }

  /** A command of the agent's. */
  static String[] command(List<String> before, String... arguments) {
    return agent(before, List.of("-Xmx64m"), arguments).toArray(String[]::new);
  }

  /**
   * A Java program of the tests that lasts for seconds: to compile it well would take longer than
   * it saves.
   *
   * @return the words, with such words before them as make it another user's, say
   */
  static String[] java(List<String> before, Class<?> main, String... arguments) {
    List<String> words = new ArrayList<>(before);
    words.addAll(List.of("java", "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    words.addAll(List.of(arguments));
    return words.toArray(String[]::new);
  }

  /** Unlike {@code ip netns exec}, this leaves /sys as it is. */
  static String[] inside(String namespace, String... words) {
    List<String> all = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + namespace));
    all.addAll(List.of(words));
    return all.toArray(String[]::new);
  }
}
