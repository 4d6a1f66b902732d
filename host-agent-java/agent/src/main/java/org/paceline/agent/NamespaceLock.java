package org.paceline.agent;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.paceline.agent.pace.StateFile;

/** One agent a network namespace: two would take each other's classes away. */
final class NamespaceLock {
  private static final Duration PREDECESSOR_CLEANS = Duration.ofSeconds(20);

  private final Path file;
  private final FileChannel channel;
  private final FileLock lock;

  private NamespaceLock(Path file, FileChannel channel, FileLock lock) {
    this.file = file;
    this.channel = channel;
    this.lock = lock;
  }

  private static Path lockFile() throws IOException {
    String namespace =
        Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString().replaceAll("\\D", "");
    Path directory = Path.of("/run");
    if (!Files.isWritable(directory)) {
      directory = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    }
    return directory.resolve("paceline-agent-" + namespace + ".lock");
  }

  /** Where the agent of this namespace answers. */
  static Path statusFile() throws IOException {
    return new StateFile(lockFile(), lockFile()).statusSocket();
  }

  static NamespaceLock take() throws IOException {
    Path file = lockFile();
    NamespaceLock lock = open(file);
    Optional<ProcessHandle> cleaning = lock.state().cleaning();
    if (cleaning.isEmpty()) {
      return lock;
    }
    // The guardian of an agent that was killed before: what it removes must not be ours.
    lock.channel.close();
    awaitEnd(cleaning.get());
    return open(file);
  }

  private static void awaitEnd(ProcessHandle guardian) throws IOException {
    try {
      guardian.onExit().get(PREDECESSOR_CLEANS.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new Refused(
          "An earlier agent's guardian (process "
              + guardian.pid()
              + ") still cleans up. Maybe end it.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static NamespaceLock open(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    Optional<FileLock> lock = Optional.ofNullable(channel.tryLock());
    if (lock.isEmpty()) {
      channel.close();
      throw new Refused(
          "Another agent runs in this network namespace (it holds "
              + file
              + "). Maybe stop that one first.");
    }
    return new NamespaceLock(file, channel, lock.get());
  }

  /**
   * What is written down beside the lock: in a file of its own, for closing any other handle of a
   * locked file gives the lock up.
   */
  StateFile state() {
    return new StateFile(file.resolveSibling(file.getFileName() + ".state"), file);
  }

  void release() throws IOException {
    Files.deleteIfExists(file);
    lock.release();
    channel.close();
  }
}
