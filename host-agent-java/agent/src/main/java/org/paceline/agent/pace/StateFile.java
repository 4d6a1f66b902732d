package org.paceline.agent.pace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What an agent writes down for the one after it, should it be killed: how the interfaces were
 * found, and which process cleans up.
 *
 * @param lock removed together with the state
 */
public record StateFile(Path path, Path lock) {
  private static final String GUARDIAN = "guardian";
  private static final String DEVICE = "device";

  /** Where the agent says how things are. */
  public Path statusSocket() {
    return lock.resolveSibling(lock.getFileName().toString().replaceFirst("lock$", "sock"));
  }

  /** How an interface was before any agent touched it. */
  record Found(int gsoMaxSegs, Optional<String> queue) {}

  void write(List<ManagedInterface> interfaces, long guardian) throws IOException {
    StringBuilder text = new StringBuilder();
    interfaces.forEach(
        i ->
            text.append(DEVICE + " ")
                .append(i.name())
                .append(' ')
                .append(i.gsoMaxSegs())
                .append(i.foundQueue().map(queue -> " " + queue).orElse(""))
                .append('\n'));
    text.append(GUARDIAN + " ").append(guardian).append('\n');
    Files.writeString(path, text, StandardCharsets.UTF_8);
  }

  /** The process that cleans up after an earlier agent, where it still does. */
  public Optional<ProcessHandle> guardian() throws IOException {
    return lines(GUARDIAN).stream()
        .findFirst()
        .flatMap(rest -> ProcessHandle.of(Long.parseLong(rest)))
        // A number may belong to somebody else by now.
        .filter(
            process -> process.info().command().orElse("").matches(".*/(sh|dash|bash|busybox)"));
  }

  Optional<Found> found(String device) throws IOException {
    return lines(DEVICE).stream()
        .map(rest -> rest.split(" ", 3))
        .filter(words -> words[0].equals(device))
        .map(
            words ->
                new Found(
                    Integer.parseInt(words[1]),
                    words.length > 2 ? Optional.of(words[2]) : Optional.empty()))
        .findFirst();
  }

  /** What follows the word on its lines. */
  private List<String> lines(String word) throws IOException {
    if (!Files.exists(path)) {
      return List.of();
    }
    // A line that a full disk cut short says nothing.
    Pattern whole =
        Pattern.compile(word.equals(DEVICE) ? "device \\S+ \\d{1,9}( .+)?" : word + " \\d{1,9}");
    return Files.readAllLines(path, StandardCharsets.UTF_8).stream()
        .filter(line -> whole.matcher(line).matches())
        .map(line -> line.substring(word.length() + 1))
        .toList();
  }
}
