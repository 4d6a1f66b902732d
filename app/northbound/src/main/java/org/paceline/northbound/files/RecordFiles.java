package org.paceline.northbound.files;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.paceline.control.audit.RecordExport;

/**
 * Exports records as JSON, one a line and a file for each range of numbers, which nobody but ONOS's
 * user may read. A file has its name when all of it is on the disk.
 */
public final class RecordFiles<T> implements RecordExport<T> {
  private static final int CHUNK = 1 << 16;

  private final Path directory;
  private final String kind;
  private final String node;
  private final Function<T, String> json;

  /**
   * @param directory is made where it is not there
   * @param kind of the records, with which the names of files begin
   * @param node of the cluster on whose machine this is
   * @param json a record in one line
   */
  public RecordFiles(Path directory, String kind, String node, Function<T, String> json) {
    this.directory = directory;
    this.kind = kind;
    this.node = node;
    this.json = json;
  }

  @Override
  public String write(long first, long last, Iterable<T> records) throws IOException {
    String name = String.format("%s-%09d-%09d", kind, first, last);
    Path unfinished = directory.resolve(name + ".unfinished");
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(
            directory,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      try {
        fill(unfinished, records);
        Path file = named(unfinished, name);
        // Else a power cut could take the new name away again.
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
          names.force(true);
        }
        return "It was exported to (" + file.toAbsolutePath() + ") on the node " + node + ".";
      } finally {
        Files.deleteIfExists(unfinished);
      }
    } catch (IOException failure) {
      throw new IOException(
          "(" + directory.resolve(name) + ") cannot be written: " + why(failure) + ".", failure);
    }
  }

  /**
   * Gives the file its name. What was exported before may be of a store that was emptied since, or
   * came up without its last writes: it stays, and what differs has a name of its own.
   */
  private Path named(Path unfinished, String name) throws IOException {
    Path file = directory.resolve(name + ".jsonl");
    for (int n = 2; Files.exists(file); n++) {
      if (isSame(file, unfinished)) {
        return file;
      }
      file = directory.resolve(name + "-" + n + ".jsonl");
    }
    return Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static boolean isSame(Path one, Path other) throws IOException {
    if (Files.size(one) != Files.size(other)) {
      return false;
    }
    try (InputStream first = Files.newInputStream(one);
        InputStream second = Files.newInputStream(other)) {
      byte[] some = first.readNBytes(CHUNK);
      while (some.length > 0 && Arrays.equals(some, second.readNBytes(CHUNK))) {
        some = first.readNBytes(CHUNK);
      }
      return some.length == 0;
    }
  }

  private void fill(Path unfinished, Iterable<T> records) throws IOException {
    // What a crash left; and nobody's link is followed.
    Files.deleteIfExists(unfinished);
    try (FileChannel channel =
            FileChannel.open(
                unfinished,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------")));
        BufferedWriter lines =
            new BufferedWriter(Channels.newWriter(channel, StandardCharsets.UTF_8))) {
      for (T record : records) {
        lines.write(json.apply(record));
        lines.write('\n');
      }
      lines.flush();
      channel.force(true);
    }
  }

  /** The message of a file's failure is often its name alone. */
  private static String why(IOException failure) {
    return failure instanceof AccessDeniedException
        ? "ONOS's user may not"
        : Optional.ofNullable(
                failure instanceof FileSystemException
                    ? ((FileSystemException) failure).getReason()
                    : failure.getMessage())
            .orElseGet(() -> failure.getClass().getSimpleName());
  }
}
