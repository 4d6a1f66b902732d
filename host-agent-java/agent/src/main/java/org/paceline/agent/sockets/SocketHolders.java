package org.paceline.agent.sockets;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds a process that has a socket open, and as which of its files: through the open files of all
 * processes, as there is no other way, but first of those that had one before. Where several
 * processes share it, one of them will do. Owned by one thread.
 */
public final class SocketHolders {
  private static final int REMEMBERED = 64;
  private static final long SHORTEST_PAUSE_NANOS = 250_000_000L;
  private static final String SOCKET = "socket:[";

  private final Path proc;
  private final Set<String> busy = new LinkedHashSet<>();
  private long lastSearch = System.nanoTime() - SHORTEST_PAUSE_NANOS;

  public SocketHolders(Path proc) {
    this.proc = proc;
  }

  /** One of the files that a process has open. */
  public record Holder(long pid, int file) {}

  /** Of those sockets for which one is found; what is not found is not looked for at once again. */
  public Map<Long, Holder> find(Set<Long> inodes) {
    Set<Long> missing = new HashSet<>(inodes);
    Map<Long, Holder> found = new HashMap<>();
    for (String pid : List.copyOf(busy)) {
      look(pid, missing, found);
    }
    if (!missing.isEmpty() && System.nanoTime() - lastSearch >= SHORTEST_PAUSE_NANOS) {
      lastSearch = System.nanoTime();
      try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
        for (Path process : processes) {
          look(proc.relativize(process).toString(), missing, found);
        }
      } catch (IOException | DirectoryIteratorException e) {
        // Without a process file system nobody is found, which the caller has to say.
        return found;
      }
    }
    return found;
  }

  private void look(String pid, Set<Long> missing, Map<Long, Holder> found) {
    if (missing.isEmpty()) {
      return;
    }
    boolean any = false;
    Path open = proc.resolve(pid).resolve("fd");
    try (DirectoryStream<Path> files = Files.newDirectoryStream(open)) {
      for (Path file : files) {
        long inode = inode(file);
        if (missing.remove(inode)) {
          int number = Integer.parseInt(open.relativize(file).toString());
          found.put(inode, new Holder(Long.parseLong(pid), number));
          any = true;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // It has ended, or may not be looked at.
      busy.remove(pid);
      return;
    }
    if (any && busy.add(pid) && busy.size() > REMEMBERED) {
      busy.remove(busy.iterator().next());
    }
  }

  /** 0 where it is no socket. */
  private static long inode(Path file) {
    try {
      String target = Files.readSymbolicLink(file).toString();
      return target.startsWith(SOCKET)
          ? Long.parseLong(target.substring(SOCKET.length(), target.length() - 1))
          : 0;
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }
}
