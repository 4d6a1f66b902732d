package org.paceline.gateway.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The authority's list of what it has revoked, as it is made anew (RFC 5280, section 5). */
final class RevocationList {
  private final Path directory;
  private final HostSigner signer;

  /** By serial number, when it was revoked. */
  private final Map<BigInteger, Instant> revoked = new TreeMap<>();

  private RevocationList(Path directory, HostSigner signer) {
    this.directory = directory;
    this.signer = signer;
  }

  /**
   * With what is on the list that is in force.
   *
   * @throws IOException if that is another authority's, or cannot be read
   */
  static RevocationList of(TlsFiles files, HostSigner signer) throws IOException {
    RevocationList list = new RevocationList(files.directory(), signer);
    if (files.has(TlsFiles.REVOKED)) {
      list.takeOver(files.content(TlsFiles.REVOKED));
    }
    return list;
  }

  private void takeOver(byte[] content) throws IOException {
    try {
      X509CRL list =
          (X509CRL)
              CertificateFactory.getInstance("X.509")
                  .generateCRL(new ByteArrayInputStream(content));
      // Signed by this one, the others would count no more.
      list.verify(signer.authority().getPublicKey());
      for (X509CRLEntry entry :
          Optional.ofNullable(list.getRevokedCertificates()).orElseGet(Set::of)) {
        revoked.put(entry.getSerialNumber(), entry.getRevocationDate().toInstant());
      }
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "The list of what is revoked ("
              + directory.resolve(TlsFiles.REVOKED)
              + ") is not one of the authority whose key is here: "
              + e.getMessage()
              + ". Maybe revoke where that list is made.",
          e);
    }
  }

  /**
   * @param serial in hexadecimal digits
   */
  void add(String serial, Instant at) {
    revoked.putIfAbsent(new BigInteger(serial, 16), at);
  }

  /** Signs it, and puts it in the place of the one before. */
  void write(Instant now) throws IOException {
    String pem = signer.revocationList(revoked, now);
    Path whole = directory.resolve("crl.new");
    Files.writeString(whole, pem, StandardCharsets.US_ASCII);
    Files.setPosixFilePermissions(whole, PosixFilePermissions.fromString("rw-r--r--"));
    Files.move(
        whole,
        directory.resolve(TlsFiles.REVOKED),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }
}
