package org.paceline.gateway.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Which certificates of hosts are out, in the form of openssl's own lists: what tools/certificates
 * revokes is looked up there, whoever signed it.
 */
final class IssuedCertificates {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path file;

  private IssuedCertificates(Path file) {
    this.file = file;
  }

  static IssuedCertificates in(Path directory) {
    return new IssuedCertificates(directory.resolve("issued.txt"));
  }

  void note(X509Certificate certificate) throws IOException {
    String serial = certificate.getSerialNumber().toString(16).toUpperCase(Locale.ROOT);
    String host =
        CertifiedNames.of(certificate).hosts().stream()
            .findFirst()
            .orElseThrow(() -> new IOException("The certificate names no host."));
    String line =
        String.join(
            "\t",
            "V",
            TIME.format(certificate.getNotAfter().toInstant()),
            "",
            (serial.length() % 2 == 0 ? "" : "0") + serial,
            "unknown",
            "/O=Paceline/CN=" + host);
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    Files.writeString(file, line + "\n", StandardCharsets.US_ASCII, StandardOpenOption.APPEND);
  }
}
