package org.paceline.agent.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;

/**
 * By what this host and the controller know each other.
 *
 * @param authority the certificate of who signed the controller's
 * @param certificate this host's own, which names its hostId
 * @param key that belongs to it
 */
public record TlsFiles(Path authority, Path certificate, Path key) {
  private static final String MAKE = "make it with tools/certificates";

  static Optional<TlsFiles> read(Path config, YamlMap tls, Faults faults) {
    Optional<Path> authority =
        tls.require(ConfigKey.AUTHORITY, text -> readable(config, text, MAKE));
    Optional<Path> certificate =
        tls.require(ConfigKey.CERTIFICATE, text -> readable(config, text, MAKE));
    Optional<Path> key = tls.require(ConfigKey.KEY, text -> secret(config, text, MAKE));
    tls.nothingElse(ConfigKey.names(ConfigKey.Part.TLS));
    return authority.isPresent() && certificate.isPresent() && key.isPresent()
        ? Optional.of(new TlsFiles(authority.get(), certificate.get(), key.get()))
        : Optional.empty();
  }

  /** A file that only root, or who runs this, could have written. */
  private static Path readable(Path config, String text, String way) {
    Path file = config.resolveSibling(Path.of(text));
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new IllegalArgumentException(
          "The file (" + file + ") cannot be read. Maybe " + way + ".");
    }
    FileRights.require(file);
    return file;
  }

  /** A file that nobody but its owner can read. */
  static Path secret(Path config, String text, String way) {
    Path file = readable(config, text, way);
    try {
      Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
      if (rights.contains(PosixFilePermission.OTHERS_READ)
          || rights.contains(PosixFilePermission.GROUP_READ)) {
        throw new IllegalArgumentException(
            "The key (" + file + ") can be read by others than its owner. Maybe chmod go= it.");
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "The rights of the key (" + file + ") cannot be read: " + e.getMessage(), e);
    }
    return file;
  }
}
