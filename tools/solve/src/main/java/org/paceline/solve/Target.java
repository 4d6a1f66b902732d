package org.paceline.solve;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Where a result goes. A file is there as a whole or, if anything fails, as it was before. */
final class Target {
  /** Writes a result. */
  interface Content {
    void write(OutputStream out) throws IOException;
  }

  private final Optional<Path> file;

  private Target(Optional<Path> file) {
    this.file = file;
  }

  static Target standardOutput() {
    return new Target(Optional.empty());
  }

  /**
   * @throws Refusal if the file cannot come into being, so that nobody solves for nothing
   */
  static Target file(Path file) throws Refusal {
    try {
      Path real = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      Path folder = real.getParent();
      if (Files.isDirectory(real) || folder == null) {
        throw new Refusal(file + " is a directory. Maybe name a file in it.");
      }
      if (!Files.isDirectory(folder)) {
        throw new Refusal("there is no directory " + folder + " for " + file + ". Maybe make it.");
      }
      if (!Files.isWritable(Files.isRegularFile(real) || !Files.exists(real) ? folder : real)) {
        throw new Refusal(file + " may not be written.");
      }
      return new Target(Optional.of(real));
    } catch (IOException e) {
      throw new Refusal(file + " cannot be written: " + e.getMessage());
    }
  }

  void write(Content content) throws IOException {
    if (file.isEmpty()) {
      try (OutputStream out =
          new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16)) {
        content.write(out);
      }
      return;
    }
    Path path = file.get();
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      // A device or pipe, such as /dev/null, must not be replaced by a file.
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 16)) {
        content.write(out);
      }
      return;
    }
    Path draft =
        path.resolveSibling("." + path.getFileName() + "." + ProcessHandle.current().pid());
    try {
      try (OutputStream out =
          new BufferedOutputStream(
              Files.newOutputStream(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              1 << 16)) {
        content.write(out);
      }
      Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
