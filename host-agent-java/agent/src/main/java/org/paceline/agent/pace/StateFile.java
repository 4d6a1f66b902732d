package org.paceline.agent.pace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an agent writes down for the one after it, should it be killed: how the interfaces were
 * found, and which process cleans up.
 *
 * @param lock removed together with the state
 */
public record StateFile(Path path, Path lock) {
  private static final String GUARDIAN = "guardian";

  /** Where the agent says how things are. */
  public Path statusSocket() {
    return lock.resolveSibling(lock.getFileName().toString().replaceFirst("lock$", "sock"));
  }

  void write(List<ManagedInterface> interfaces, long guardian) throws IOException {
    StringBuilder text = new StringBuilder();
    interfaces.forEach(i -> text.append(i.name()).append(' ').append(i.gsoMaxSegs()).append('\n'));
    text.append(GUARDIAN).append(' ').append(guardian).append('\n');
    Files.writeString(path, text, StandardCharsets.UTF_8);
  }

  /** The process that cleans up after an earlier agent, where it still does. */
  public Optional<ProcessHandle> guardian() throws IOException {
    return Optional.ofNullable(read().get(GUARDIAN))
        .flatMap(ProcessHandle::of)
        // A number may belong to somebody else by now.
        .filter(
            process -> process.info().command().orElse("").matches(".*/(sh|dash|bash|busybox)"));
  }

  Optional<Integer> gsoMaxSegs(String device) throws IOException {
    return Optional.ofNullable(read().get(device)).map(Math::toIntExact);
  }

  private Map<String, Long> read() throws IOException {
    Map<String, Long> values = new HashMap<>();
    if (Files.exists(path)) {
      for (String line : Files.readAllLines(path, StandardCharsets.UTF_8)) {
        String[] words = line.split(" ", -1);
        if (words.length == 2 && words[1].matches("\\d{1,9}")) {
          values.put(words[0], Long.parseLong(words[1]));
        }
      }
    }
    return values;
  }
}
