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
      Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
      if (rights.contains(PosixFilePermission.OTHERS_WRITE)
          || rights.contains(PosixFilePermission.GROUP_WRITE)) {
        faults.add("Others than its owner can write this file. Maybe chmod go-w it.");
      }
      owner(file).ifPresent(faults::add);
    } catch (IOException | UnsupportedOperationException e) {
      faults.add("Who can write this file cannot be told: " + e.getMessage());
    }
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
