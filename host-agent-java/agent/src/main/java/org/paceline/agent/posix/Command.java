package org.paceline.agent.posix;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs a program to its end. */
public final class Command {
  private Command() {}

  /**
   * @param output what it printed, complaints included
   */
  public record Outcome(int exitCode, String output) {
    public boolean ok() {
      return exitCode == 0;
    }
  }

  public static Outcome run(String... words) throws IOException {
    return feed("", words);
  }

  /** Fails with what the program complained of. */
  public static void require(String... words) throws IOException {
    Outcome outcome = run(words);
    if (!outcome.ok()) {
      throw new IOException(outcome.output().trim());
    }
  }

  public static Outcome feed(String input, String... words) throws IOException {
    Process process = new ProcessBuilder(List.of(words)).redirectErrorStream(true).start();
    try (OutputStream stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // It left without reading; its exit code and output say why.
      process.getInputStream().available();
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      return new Outcome(process.waitFor(), output);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + words[0] + " ran", e);
    }
  }
}
