package org.paceline.gateway.tls;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CRLException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.paceline.protocol.PemFile;

/**
 * What the files of a directory say together: by what callers know the controller, which authority
 * they must have their certificates of, and which of these that authority has revoked.
 */
final class HouseCertificates {
  private final SslContext context;
  private final CertificateExpiry expiry;
  private final Optional<X509CRL> revoked;
  private final Optional<HostSigner> signer;

  private final String authorities;

  private HouseCertificates(
      SslContext context,
      CertificateExpiry expiry,
      Optional<X509CRL> revoked,
      Optional<HostSigner> signer,
      String authorities) {
    this.context = context;
    this.expiry = expiry;
    this.revoked = revoked;
    this.signer = signer;
    this.authorities = authorities;
  }

  /**
   * @throws IOException that names the file which is missing, open to others or no such thing
   */
  static HouseCertificates of(TlsFiles files) throws IOException {
    files.check();
    CertificateExpiry expiry =
        CertificateExpiry.of(files.directory(), files.content(TlsFiles.CERTIFICATE));
    Optional<HostSigner> signer =
        files.has(TlsFiles.AUTHORITY_KEY)
            ? Optional.of(
                HostSigner.of(
                    files.content(TlsFiles.AUTHORITY), files.content(TlsFiles.AUTHORITY_KEY)))
            : Optional.empty();
    return new HouseCertificates(
        context(files, signer),
        expiry,
        revoked(files),
        signer,
        new String(files.content(TlsFiles.AUTHORITY), StandardCharsets.US_ASCII));
  }

  /**
   * Where hosts may enrol, who has no certificate yet gets as far as that, and is shown the
   * authority's: by that alone it knows whom it speaks to.
   */
  private static SslContext context(TlsFiles files, Optional<HostSigner> signer)
      throws IOException {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    shown.writeBytes(files.content(TlsFiles.CERTIFICATE));
    if (signer.isPresent()) {
      shown.write('\n');
      shown.writeBytes(
          HostSigner.pem(signer.get().authority()).getBytes(StandardCharsets.US_ASCII));
    }
    try {
      // The JDK's own TLS: a native library would have to find its way into an OSGi bundle.
      return GrpcSslContexts.configure(
              server(shown.toByteArray(), files.content(TlsFiles.KEY)), SslProvider.JDK)
          .trustManager(new ByteArrayInputStream(files.content(TlsFiles.AUTHORITY)))
          .clientAuth(signer.isPresent() ? ClientAuth.OPTIONAL : ClientAuth.REQUIRE)
          .build();
    } catch (SSLException | CertificateException | IllegalArgumentException e) {
      throw unusable(files.directory(), e);
    }
  }

  private static SslContextBuilder server(byte[] certificates, byte[] key)
      throws CertificateException {
    Optional<PrivateKey> own = new PemFile(key).key();
    return own.isPresent()
        ? SslContextBuilder.forServer(own.get(), new PemFile(certificates).certificates())
        // In another form, such as PKCS #1, which Netty may know.
        : SslContextBuilder.forServer(
            new ByteArrayInputStream(certificates), new ByteArrayInputStream(key));
  }

  /** Only the authority's own word counts, or whoever can write the file could silence a host. */
  private static Optional<X509CRL> revoked(TlsFiles files) throws IOException {
    if (!files.has(TlsFiles.REVOKED)) {
      return Optional.empty();
    }
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      X509CRL list =
          (X509CRL) factory.generateCRL(new ByteArrayInputStream(files.content(TlsFiles.REVOKED)));
      for (Certificate authority :
          factory.generateCertificates(
              new ByteArrayInputStream(files.content(TlsFiles.AUTHORITY)))) {
        if (isSignedBy(authority, list)) {
          return Optional.of(list);
        }
      }
    } catch (CRLException | CertificateException e) {
      throw unusable(files.directory(), e);
    }
    throw new IOException(
        "The file "
            + TlsFiles.REVOKED
            + " in ("
            + files.directory()
            + ") is not signed by an authority of "
            + TlsFiles.AUTHORITY
            + ". Maybe make it with tools/certificates DIRECTORY --revoke HOST.");
  }

  private static boolean isSignedBy(Certificate authority, X509CRL list) {
    try {
      list.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static IOException unusable(Path directory, Exception why) {
    return new IOException(
        "The certificates in (" + directory + ") cannot be used: " + why.getMessage(), why);
  }

  SslContext context() {
    return context;
  }

  /** Signs for hosts; empty where the authority's key is not here. */
  Optional<HostSigner> signer() {
    return signer;
  }

  /** As the file holds them. */
  String authorities() {
    return authorities;
  }

  CertificateExpiry expiry() {
    return expiry;
  }

  /** The authority's entry that takes the certificate back; empty where it stands by it. */
  Optional<X509CRLEntry> revocation(X509Certificate certificate) {
    return revoked.flatMap(list -> Optional.ofNullable(list.getRevokedCertificate(certificate)));
  }
}
