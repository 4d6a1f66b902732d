package org.paceline.agent.pacing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.paceline.agent.enforce.ManagedInterface;
import org.paceline.agent.posix.StartedProcess;

/**
 * What an agent writes down for the one after it, should it be killed: how the interfaces were
 * found, which process cleans up, and which others work for it.
 *
 * @param lock removed together with the state
 */
public record StateFile(Path path, Path lock) {
  private static final String GUARDIAN = "guardian";
  private static final String HELPER = "helper";
  private static final String DEVICE = "device";
  private static final String LEASE = "lease";
  private static final String HOOK = "hook";

  /** Where the agent says how things are. */
  public Path statusSocket() {
    return Path.of(lock.toString().replaceFirst("lock$", "sock"));
  }

  /** Which sockets were told a rate, and what they had before. */
  public Path sockets() {
    return lock.resolveSibling(lock.getFileName() + ".sockets");
  }

  /** Its name while its guardian takes down what it names. */
  Path ending() {
    return path.resolveSibling(path.getFileName() + ".ending");
  }

  /** Whether an agent that was killed has left anything to go on with, or to clean up. */
  public boolean isLeft() {
    return Stream.of(path, taken(), ending(), sockets()).anyMatch(Files::exists);
  }

  /** Its name while the next agent takes it over. */
  private Path taken() {
    return path.resolveSibling(path.getFileName() + ".taken");
  }

  /**
   * Keeps the guardian of an agent that was killed from taking down what is now this one's; false
   * where there is nothing left, or it has begun.
   */
  public boolean takeOver() throws IOException {
    Path taken = taken();
    try {
      Files.move(path, taken, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return false;
    }
    StateFile left = new StateFile(taken, lock);
    left.guardian().ifPresent(ProcessHandle::destroyForcibly);
    // The guardian has ended them, unless it was killed too.
    left.processes(HELPER).forEach(ProcessHandle::destroy);
    Files.move(taken, path, StandardCopyOption.ATOMIC_MOVE);
    return true;
  }

  /** What the controller has agreed to holds for the next agent too, until that one is told. */
  public void agreed(Duration lease) throws IOException {
    if (Files.exists(path) && !lease().equals(lease)) {
      Files.writeString(path, LEASE + " " + lease.toSeconds() + "\n", StandardOpenOption.APPEND);
    }
  }

  public Duration lease() throws IOException {
    return lines(LEASE).stream()
        .reduce((earlier, later) -> later)
        .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)))
        .orElse(Duration.ZERO);
  }

  /** How an interface was before any agent touched it. */
  record Found(int gsoMaxSegs, boolean hook, Optional<String> queue) {}

  public void write(List<ManagedInterface> interfaces, StartedProcess guardian) throws IOException {
    StringBuilder text = new StringBuilder();
    interfaces.forEach(
        i ->
            text.append(DEVICE + " ")
                .append(i.name())
                .append(' ')
                .append(i.gsoMaxSegs())
                .append(i.foundQueue().map(queue -> " " + queue).orElse(""))
                .append('\n'));
    interfaces.stream()
        .filter(ManagedInterface::foundHook)
        .forEach(i -> text.append(HOOK + " ").append(i.name()).append('\n'));
    text.append(GUARDIAN + " ").append(guardian.text()).append('\n');
    Files.writeString(path, text, StandardCharsets.UTF_8);
  }

  /** One more process that must not stay behind. */
  void helper(StartedProcess helper) throws IOException {
    Files.writeString(path, HELPER + " " + helper.text() + "\n", StandardOpenOption.APPEND);
  }

  /** The process that cleans up after an earlier agent, where it still does. */
  private Optional<ProcessHandle> guardian() throws IOException {
    return processes(GUARDIAN).stream().findFirst();
  }

  /** Those of this kind that have not ended. */
  private List<ProcessHandle> processes(String word) throws IOException {
    return lines(word).stream()
        .map(StartedProcess::parse)
        .flatMap(process -> process.alive().stream())
        .toList();
  }

  /** The process that takes down what an earlier agent left, where it has begun to. */
  public Optional<ProcessHandle> cleaning() throws IOException {
    return new StateFile(ending(), lock).guardian();
  }

  /** The interfaces as an agent that was killed had found them. */
  public List<ManagedInterface> leftBehind() throws IOException {
    List<ManagedInterface> interfaces = new ArrayList<>();
    for (String line : lines(DEVICE)) {
      String name = line.split(" ", -1)[0];
      Optional<Found> found = found(name);
      if (found.isPresent()) {
        interfaces.add(
            new ManagedInterface(
                name,
                "",
                List.of(),
                found.get().gsoMaxSegs(),
                found.get().hook(),
                found.get().queue()));
      }
    }
    return interfaces;
  }

  void forget() throws IOException {
    Files.deleteIfExists(path);
  }

  Optional<Found> found(String device) throws IOException {
    boolean hook = lines(HOOK).contains(device);
    return lines(DEVICE).stream()
        .map(rest -> rest.split(" ", 3))
        .filter(words -> words[0].equals(device))
        .map(
            words ->
                new Found(
                    Integer.parseInt(words[1]),
                    hook,
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
        Pattern.compile(
            switch (word) {
              case DEVICE -> "device \\S+ \\d{1,9}( .+)?";
              case HOOK -> "hook \\S+";
              case GUARDIAN, HELPER -> word + " " + StartedProcess.PATTERN;
              default -> word + " \\d{1,9}";
            });
    return Files.readAllLines(path, StandardCharsets.UTF_8).stream()
        .filter(line -> whole.matcher(line).matches())
        .map(line -> line.substring(word.length() + 1))
        .toList();
  }
}
