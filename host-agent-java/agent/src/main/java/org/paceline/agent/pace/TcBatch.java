package org.paceline.agent.pace;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One tc process that lives as long as the agent and takes commands through a pipe: a tenth of a
 * millisecond each instead of a process each. It says nothing where a command went well; a word
 * that it does not know, sent after the commands, makes it answer, and what came before that answer
 * is all there is to say about them.
 */
final class TcBatch implements AutoCloseable {
  // tc forgets to free 4 kB with each command that changes something.
  private static final int COMMANDS_OF_ONE = 4_000;

  private Process tc;
  private BufferedWriter commands;
  private BufferedReader answers;
  private long exchanges;
  private int given;

  TcBatch() throws IOException {
    tc = start();
    commands = writer(tc);
    answers = reader(tc);
  }

  private static Process start() throws IOException {
    // Without line buffering a dump would wait in tc until its buffer is full.
    return new ProcessBuilder("stdbuf", "-oL", "tc", "-s", "-force", "-batch", "-")
        .redirectErrorStream(true)
        .start();
  }

  private static BufferedWriter writer(Process process) {
    return new BufferedWriter(
        new OutputStreamWriter(process.getOutputStream(), StandardCharsets.US_ASCII), 1 << 16);
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8), 1 << 16);
  }

  /** Runs the lines in their order; what tc printed, its complaints included. */
  List<String> run(List<String> lines) throws IOException {
    if (!tc.isAlive()) {
      // Some wrong arguments make tc leave in spite of -force.
      restart();
    }
    exchanges++;
    String marker = "done" + exchanges;
    List<String> printed = new ArrayList<>();
    // tc answers while it is fed: an unread answer of a pipe's size would stop both.
    int unanswered = 0;
    for (String line : lines) {
      commands.write(line);
      commands.newLine();
      if (++unanswered == 200) {
        unanswered = 0;
        printed.addAll(exchange("part" + exchanges));
      }
    }
    printed.addAll(exchange(marker));
    given += lines.size();
    if (given > COMMANDS_OF_ONE) {
      restart();
    }
    return printed;
  }

  private List<String> exchange(String marker) throws IOException {
    commands.write(marker);
    commands.newLine();
    commands.flush();
    List<String> printed = new ArrayList<>();
    String answer = "Object \"" + marker + "\" is unknown";
    while (true) {
      Optional<String> line = Optional.ofNullable(answers.readLine());
      if (line.isEmpty()) {
        throw new IOException("tc ended: " + String.join(" ", printed));
      }
      if (line.get().startsWith(answer)) {
        return printed;
      }
      // The complaint about the last marker itself.
      if (!line.get().startsWith("Command failed -:")) {
        printed.add(line.get());
      }
    }
  }

  /** Forgets which number each interface had: one that was made anew has another. */
  void restart() throws IOException {
    close();
    tc = start();
    commands = writer(tc);
    answers = reader(tc);
    given = 0;
  }

  long pid() {
    return tc.pid();
  }

  @Override
  public void close() {
    tc.destroy();
  }
}
