package org.paceline.agent.sockets;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Finds the process that holds a socket. The kernel offers no way from socket to process but to
 * look through the open files of all processes, so this is done only when asked, at most a few
 * times a second, and what it finds is kept.
 */
public final class ProcessTable {
  private static final int REMEMBERED = 8_192;
  private static final long SHORTEST_PAUSE_NANOS = 250_000_000L;
  private static final String SOCKET = "socket:[";

  private final Path proc;
  private final LongSupplier nanoClock;
  private final Map<Integer, String> userNames;
  private final Map<Long, ProcessInfo> ownerByInode =
      new LinkedHashMap<>(256, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, ProcessInfo> eldest) {
          return size() > REMEMBERED;
        }
      };
  private long lastSearch;

  public ProcessTable(Path proc, Path passwd, LongSupplier nanoClock) {
    this.proc = proc;
    this.nanoClock = nanoClock;
    this.userNames = userNames(passwd);
    this.lastSearch = nanoClock.getAsLong() - SHORTEST_PAUSE_NANOS;
  }

  /** Who is known to hold the socket, without a search. */
  public Optional<ProcessInfo> remembered(long inode) {
    return Optional.ofNullable(ownerByInode.get(inode));
  }

  /** Who holds the socket, with a search where one is due. */
  public Optional<ProcessInfo> find(long inode) {
    if (inode != 0 && !ownerByInode.containsKey(inode)) {
      long now = nanoClock.getAsLong();
      if (now - lastSearch >= SHORTEST_PAUSE_NANOS) {
        lastSearch = now;
        search();
      }
    }
    return remembered(inode);
  }

  /** The sockets that the process holds now; none where it has ended or may not be looked at. */
  public Set<Long> socketsOf(long pid) {
    Set<Long> inodes = new HashSet<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(proc.resolve(Long.toString(pid)).resolve("fd"))) {
      files.forEach(file -> socketInode(file).ifPresent(inodes::add));
    } catch (IOException | java.nio.file.DirectoryIteratorException e) {
      return inodes;
    }
    return inodes;
  }

  public String userName(int uid) {
    return userNames.getOrDefault(uid, Integer.toString(uid));
  }

  private void search() {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path process : processes) {
        searchFiles(process);
      }
    } catch (IOException e) {
      // Without a process file system every owner stays unknown, which the rules can bear.
      return;
    }
  }

  private void searchFiles(Path process) {
    Optional<ProcessInfo> info = Optional.empty();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path file : files) {
        Optional<Long> inode = socketInode(file);
        if (inode.isPresent() && !ownerByInode.containsKey(inode.get())) {
          if (info.isEmpty()) {
            info = Optional.of(info(process));
          }
          ownerByInode.put(inode.get(), info.get());
        }
      }
    } catch (IOException | java.nio.file.DirectoryIteratorException e) {
      // The process ended meanwhile.
      return;
    }
  }

  private static Optional<Long> socketInode(Path file) {
    try {
      String target = Files.readSymbolicLink(file).toString();
      return target.startsWith(SOCKET)
          ? Optional.of(Long.parseLong(target.substring(SOCKET.length(), target.length() - 1)))
          : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private ProcessInfo info(Path process) {
    return new ProcessInfo(
        Integer.parseInt(proc.relativize(process).toString()),
        firstLine(process.resolve("comm")),
        executable(process),
        "",
        cgroup(process));
  }

  private static String executable(Path process) {
    try {
      return Files.readSymbolicLink(process.resolve("exe")).toString();
    } catch (IOException e) {
      return "";
    }
  }

  private static String cgroup(Path process) {
    return cgroup(lines(process.resolve("cgroup")));
  }

  /**
   * The unified hierarchy's path; where all are in its root, as on hosts that keep to the old
   * hierarchies, systemd's, or the first that says more.
   */
  static String cgroup(List<String> lines) {
    List<String> ordered = new ArrayList<>();
    lines.stream().filter(line -> line.startsWith("0::")).forEach(ordered::add);
    lines.stream().filter(line -> line.contains(":name=systemd:")).forEach(ordered::add);
    ordered.addAll(lines);
    // A number, the controllers, the path: which may have a colon.
    List<String> paths =
        ordered.stream()
            .map(line -> line.split(":", 3))
            .filter(f -> f.length == 3)
            .map(f -> f[2])
            .toList();
    return paths.stream()
        .filter(path -> !path.equals("/"))
        .findFirst()
        .or(() -> paths.stream().findFirst())
        .orElse("");
  }

  private static String firstLine(Path file) {
    return lines(file).stream().findFirst().orElse("");
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return List.of();
    }
  }

  private static Map<Integer, String> userNames(Path passwd) {
    Map<Integer, String> names = new HashMap<>();
    for (String line : lines(passwd)) {
      String[] fields = line.split(":", -1);
      if (fields.length > 2 && fields[2].matches("\\d{1,9}")) {
        names.putIfAbsent(Integer.parseInt(fields[2]), fields[0]);
      }
    }
    return names;
  }
}
