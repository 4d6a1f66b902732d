package org.paceline.agent.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;

/** Whoever can write what a privileged agent obeys has its privileges. */
final class FileRights {
  private static final int ROOT = 0;

  private FileRights() {}

  /**
   * A fault where others than root, or who runs this, could have written the file; what is no file
   * or not there passes: whoever reads it says so.
   */
  static void check(Path file, Faults faults) {
    if (!Files.exists(file) || Files.isDirectory(file)) {
      return;
    }
    try {
      openTo(file).ifPresent(faults::add);
      owner(file).ifPresent(faults::add);
    } catch (IOException | UnsupportedOperationException e) {
      faults.add("Who can write this file cannot be told: " + e.getMessage());
    }
  }

  /**
   * The same for a file that another one names.
   *
   * @throws IllegalArgumentException where others could have written it
   */
  static void require(Path file) {
    try {
      Optional<String> open = openTo(file);
      Optional<String> why = open.isPresent() ? open : owner(file);
      if (why.isPresent()) {
        throw new IllegalArgumentException("The file (" + file + "): " + why.get());
      }
    } catch (IOException | UnsupportedOperationException e) {
      throw new IllegalArgumentException(
          "Who can write the file (" + file + ") cannot be told: " + e.getMessage(), e);
    }
  }

  private static Optional<String> openTo(Path file) throws IOException {
    Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
    return rights.contains(PosixFilePermission.OTHERS_WRITE)
            || rights.contains(PosixFilePermission.GROUP_WRITE)
        ? Optional.of("Others than its owner can write this file. Maybe chmod go-w it.")
        : Optional.empty();
  }

  private static Optional<String> owner(Path file) throws IOException {
    int owner = uid(file);
    return owner == ROOT || owner == uid(Path.of("/proc/self"))
        ? Optional.empty()
        : Optional.of(
            "The file is the user's with the number ("
                + owner
                + "), who could have written anything. Maybe chown it to root.");
  }

  private static int uid(Path file) throws IOException {
    return (Integer) Files.getAttribute(file, "unix:uid");
  }
}
