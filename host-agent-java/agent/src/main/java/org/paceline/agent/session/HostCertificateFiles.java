package org.paceline.agent.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.paceline.agent.config.TlsFiles;

/**
 * What an enrolled host has: its certificate with its key, in one file, so that a crash can never
 * leave the one without the other, and the authority's.
 */
public final class HostCertificateFiles {
  private static final String OWN = "agent.pem";
  private static final String AUTHORITY = "ca.pem";

  private HostCertificateFiles() {}

  /** As agent.yaml names them. */
  public static TlsFiles in(Path directory) {
    return new TlsFiles(
        directory.resolve(AUTHORITY), directory.resolve(OWN), directory.resolve(OWN));
  }

  /** Whether these are such files, and not ones that an operator looks after. */
  static boolean are(TlsFiles files) {
    return files.certificate().equals(files.key());
  }

  /** Each is there as a whole before it takes the place of the former one. */
  static void write(TlsFiles files, String authority, String certificate, String key)
      throws IOException {
    replace(files.authority(), authority);
    replace(files.certificate(), certificate + key);
  }

  private static void replace(Path file, String text) throws IOException {
    Path next = file.resolveSibling(".paceline.new");
    // Of a renewal that was cut off.
    Files.deleteIfExists(next);
    try {
      Files.createFile(
          next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(next, text, StandardCharsets.US_ASCII);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
  }
}
