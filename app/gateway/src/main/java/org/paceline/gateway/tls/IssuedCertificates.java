package org.paceline.gateway.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.paceline.control.enrolment.IssuedCertificate;

/**
 * Which certificates of hosts are out, in the form of openssl's own lists: what tools/certificates
 * makes and revokes is in the same file, whoever signed it.
 */
final class IssuedCertificates {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** As openssl wants the moment of a revocation. */
  private static final DateTimeFormatter SHORT_TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final int SHORT = "yyMMddHHmmssZ".length();
  private static final String SUBJECT = "/O=Paceline/CN=";
  private static final String VALID = "V";
  private static final String REVOKED = "R";

  // The fields of a line.
  private static final int STATE = 0;
  private static final int END = 1;
  private static final int WHEN_REVOKED = 2;
  private static final int SERIAL = 3;
  private static final int NAME = 5;
  private static final int FIELDS = 6;

  private final Path file;

  private IssuedCertificates(Path file) {
    this.file = file;
  }

  static IssuedCertificates in(Path directory) {
    return new IssuedCertificates(directory.resolve("issued.txt"));
  }

  /** In the order in which they were issued. Lines that no certificate of a host is in are not. */
  List<IssuedCertificate> all() throws IOException {
    return lines().stream()
        .map(IssuedCertificates::parse)
        .flatMap(Optional::stream)
        .collect(Collectors.toUnmodifiableList());
  }

  /** When the list was changed last; empty where there is none. */
  Optional<FileTime> changed() throws IOException {
    return Files.exists(file) ? Optional.of(Files.getLastModifiedTime(file)) : Optional.empty();
  }

  private List<String> lines() throws IOException {
    return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.UTF_8) : List.of();
  }

  private static Optional<IssuedCertificate> parse(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length != FIELDS || !fields[NAME].startsWith(SUBJECT)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          IssuedCertificate.of(
              fields[SERIAL].toLowerCase(Locale.ROOT).replaceFirst("^0+(?=.)", ""),
              fields[NAME].substring(SUBJECT.length()),
              time(fields[END]),
              fields[STATE].equals(REVOKED)
                  // openssl may say why, too.
                  ? Optional.of(time(fields[WHEN_REVOKED].split(",", 2)[0]))
                  : Optional.empty()));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Instant time(String text) {
    return (text.length() == SHORT ? SHORT_TIME : TIME).parse(text, Instant::from);
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
            VALID,
            TIME.format(certificate.getNotAfter().toInstant()),
            "",
            (serial.length() % 2 == 0 ? "" : "0") + serial,
            "unknown",
            SUBJECT + host);
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    Files.writeString(file, line + "\n", StandardCharsets.US_ASCII, StandardOpenOption.APPEND);
  }

  /** Notes of all that the host was given that it is revoked from now on. */
  void noteRevoked(String host, Instant now) throws IOException {
    List<String> changed = new ArrayList<>();
    for (String line : lines()) {
      String[] fields = line.split("\t", -1);
      if (fields.length == FIELDS
          && fields[STATE].equals(VALID)
          && fields[NAME].equals(SUBJECT + host)) {
        fields[STATE] = REVOKED;
        fields[WHEN_REVOKED] = SHORT_TIME.format(now);
      }
      changed.add(String.join("\t", fields));
    }
    Path whole = file.resolveSibling("issued.new");
    Files.deleteIfExists(whole);
    Files.createFile(
        whole, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(whole, changed, StandardCharsets.UTF_8);
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
