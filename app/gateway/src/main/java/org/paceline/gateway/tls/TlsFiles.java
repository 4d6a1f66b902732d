package org.paceline.gateway.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the files of a tlsDirectory held at one moment. */
final class TlsFiles {
  static final String AUTHORITY = "ca.pem";
  static final String CERTIFICATE = "controller.pem";
  static final String KEY = "controller.key";

  /** Need not be there: nothing is revoked then. */
  static final String REVOKED = "crl.pem";

  /** Need not be there: nobody enrols then. */
  static final String AUTHORITY_KEY = "ca.key";

  private static final List<String> NEEDED = List.of(AUTHORITY, CERTIFICATE, KEY);

  private final Path directory;
  private final Map<String, byte[]> contents = new HashMap<>();

  private TlsFiles(Path directory) {
    this.directory = directory;
  }

  static TlsFiles read(Path directory) {
    TlsFiles files = new TlsFiles(directory);
    NEEDED.forEach(files::take);
    files.take(REVOKED);
    files.take(AUTHORITY_KEY);
    return files;
  }

  private void take(String name) {
    try {
      contents.put(name, Files.readAllBytes(directory.resolve(name)));
    } catch (IOException e) {
      // Missing for now; check says so where it matters.
    }
  }

  /**
   * @throws IOException that names the file which is missing or open to others
   */
  void check() throws IOException {
    for (String name : NEEDED) {
      if (!has(name)) {
        throw new IOException(
            "The tlsDirectory ("
                + directory
                + ") has no readable file ("
                + name
                + "). Maybe make it with tools/certificates.");
      }
    }
    Path revoked = directory.resolve(REVOKED);
    if (!has(REVOKED) && Files.exists(revoked)) {
      throw new IOException(
          "The file (" + revoked + ") cannot be read. Maybe let ONOS's user read it.");
    }
    mustBeSecret(directory.resolve(KEY));
    if (has(AUTHORITY_KEY)) {
      mustBeSecret(directory.resolve(AUTHORITY_KEY));
    }
  }

  private static void mustBeSecret(Path key) throws IOException {
    Set<PosixFilePermission> rights = Files.getPosixFilePermissions(key);
    if (rights.contains(PosixFilePermission.OTHERS_READ)) {
      throw new IOException("The key (" + key + ") can be read by everybody. Maybe chmod o= it.");
    }
  }

  Path directory() {
    return directory;
  }

  boolean has(String name) {
    return contents.containsKey(name);
  }

  /** Of a file that is there. */
  byte[] content(String name) {
    return contents.getOrDefault(name, new byte[0]);
  }

  /** Whether the other one holds the same to the byte. */
  boolean isSameAs(TlsFiles other) {
    return contents.keySet().equals(other.contents.keySet())
        && contents.keySet().stream()
            .allMatch(name -> Arrays.equals(content(name), other.content(name)));
  }
}
