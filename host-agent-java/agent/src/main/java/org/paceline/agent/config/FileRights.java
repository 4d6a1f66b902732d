package org.paceline.agent.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Whoever can write what a privileged agent obeys has its privileges. */
final class FileRights {
  private FileRights() {}

  /**
   * A fault where others than the owner could have written the file; one that is not there passes.
   */
  static void check(Path file, Faults faults) {
    if (!Files.exists(file)) {
      return;
    }
    try {
      Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
      if (rights.contains(PosixFilePermission.OTHERS_WRITE)
          || rights.contains(PosixFilePermission.GROUP_WRITE)) {
        faults.add("Others than its owner can write this file. Maybe chmod go-w it.");
      }
    } catch (IOException | UnsupportedOperationException e) {
      faults.add("Who can write this file cannot be told: " + e.getMessage());
    }
  }
}
