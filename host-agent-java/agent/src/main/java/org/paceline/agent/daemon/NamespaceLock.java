package org.paceline.agent.daemon;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.paceline.agent.pacing.StateFile;
import org.paceline.agent.runtime.CannotRun;
import org.paceline.agent.runtime.CannotRunYet;

/** One agent a network namespace: two would take each other's classes away. */
public final class NamespaceLock {
  private static final Duration PREDECESSOR_CLEANS = Duration.ofSeconds(20);

  /** Two seconds: who only looks at a lock may get no processor just then. */
  private static final int ATTEMPTS = 100;

  private static final int PAUSE_MILLIS = 20;

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
    return StateDirectory.find().resolve("paceline-agent-" + namespace + ".lock");
  }

  /** Where the agent of this namespace answers. */
  public static Path statusFile() throws IOException {
    return stateOf(lockFile()).statusSocket();
  }

  public static NamespaceLock take() throws IOException {
    Path file = lockFile();
    NamespaceLock lock = open(file);
    Optional<ProcessHandle> cleaning = lock.state().cleaning();
    if (cleaning.isPresent()) {
      // The guardian of an agent that was killed before: what it removes must not be ours.
      lock.channel.close();
      awaitEnd(cleaning.get());
      lock = open(file);
    }
    // Of an agent that was killed: who holds the lock may take its place.
    Files.deleteIfExists(lock.state().statusSocket());
    clearOthers(file);
    return lock;
  }

  /**
   * Of agents that were killed before they had anything to be cleaned up after, and so had no
   * guardian: their namespaces may be gone, and then nobody ever starts another there.
   */
  private static void clearOthers(Path own) throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(StateDirectory.find(), "paceline-agent-*.lock")) {
      for (Path file : files) {
        if (!file.equals(own)) {
          clearWhereNobodys(file);
        }
      }
    }
  }

  private static void clearWhereNobodys(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      Optional<FileLock> free = Optional.ofNullable(channel.tryLock());
      StateFile state = stateOf(file);
      if (free.isPresent() && !state.isLeft()) {
        Files.deleteIfExists(state.statusSocket());
        Files.deleteIfExists(file);
      }
    } catch (FileSystemException gone) {
      // Whose it was has just ended, or it is another user's.
      return;
    }
  }

  private static void awaitEnd(ProcessHandle guardian) throws IOException {
    try {
      guardian.onExit().get(PREDECESSOR_CLEANS.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new CannotRunYet(
          "An earlier agent's guardian (process "
              + guardian.pid()
              + ") still cleans up. Maybe end it.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static NamespaceLock open(Path file) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      Optional<FileLock> lock = Optional.ofNullable(channel.tryLock());
      // One that was deleted meanwhile keeps nobody else out.
      if (lock.isPresent() && Files.exists(file)) {
        return new NamespaceLock(file, channel, lock.get());
      }
      channel.close();
      pause();
    }
    throw new CannotRun(
        "Another agent runs in this network namespace (it holds "
            + file
            + "). Maybe stop that one first.");
  }

  /** Whoever looks whether a lock is anybody's has it for a moment. */
  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /**
   * What is written down beside the lock: in a file of its own, for closing any other handle of a
   * locked file gives the lock up.
   */
  public StateFile state() {
    return stateOf(file);
  }

  private static StateFile stateOf(Path lock) {
    return new StateFile(lock.resolveSibling(lock.getFileName() + ".state"), lock);
  }

  public void release() throws IOException {
    Files.deleteIfExists(file);
    lock.release();
    channel.close();
  }
}
