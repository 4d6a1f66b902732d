package org.paceline.agent.session;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.paceline.agent.config.TlsFiles;
import org.paceline.agent.runtime.CannotRun;
import org.paceline.protocol.HostCertificate;
import org.paceline.protocol.PemFile;

/**
 * By what this agent and the controller know each other, as the files say at each connection: who
 * renews them need not start the agent again, which would end its pacing.
 */
final class RenewedTls {
  private static final int THIRDS = 3;

  private final TlsFiles files;
  private Contents read;
  private SslContext context;

  /**
   * @throws CannotRun where the files hold no certificates
   */
  RenewedTls(TlsFiles files) {
    this.files = files;
    try {
      read = Contents.of(files);
      context = read.context();
    } catch (IOException | IllegalArgumentException e) {
      throw new CannotRun(
          "The certificates of (tls) cannot be used: "
              + e.getMessage()
              + ". Maybe make them with tools/certificates.");
    }
  }

  /** For the next connection. */
  SslContext context() {
    return context;
  }

  /**
   * Takes over what has changed in the files; says whether something has.
   *
   * @throws IOException where it cannot be used: the former context holds
   */
  boolean renew() throws IOException {
    Contents now = Contents.of(files);
    if (now.isSameAs(read)) {
      return false;
    }
    try {
      context = now.context();
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    read = now;
    return true;
  }

  /** Whether the last third has begun of the certificate that an enrolled host has now. */
  boolean isDue(Instant now) {
    if (!HostCertificateFiles.are(files)) {
      return false;
    }
    try {
      X509Certificate own =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(
                      new ByteArrayInputStream(Files.readAllBytes(files.certificate())));
      Instant from = own.getNotBefore().toInstant();
      Instant end = own.getNotAfter().toInstant();
      return now.isAfter(end.minus(Duration.between(from, end).dividedBy(THIRDS)));
    } catch (IOException | CertificateException e) {
      return false;
    }
  }

  /** Lays it where the next connection finds it. */
  void keep(HostCertificate signed, SigningRequest request) throws IOException {
    HostCertificateFiles.write(
        files, signed.getAuthority(), signed.getCertificate(), request.key());
  }

  private static final class Contents {
    private final byte[] authority;
    private final byte[] certificate;
    private final byte[] key;

    private Contents(byte[] authority, byte[] certificate, byte[] key) {
      this.authority = authority;
      this.certificate = certificate;
      this.key = key;
    }

    static Contents of(TlsFiles files) throws IOException {
      return new Contents(
          Files.readAllBytes(files.authority()),
          Files.readAllBytes(files.certificate()),
          Files.readAllBytes(files.key()));
    }

    SslContext context() throws IOException {
      SslContextBuilder builder =
          GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
              .trustManager(new ByteArrayInputStream(authority));
      Optional<PrivateKey> own = new PemFile(key).key();
      try {
        return (own.isPresent()
                ? builder.keyManager(own.get(), new PemFile(certificate).certificates())
                // In another form, such as PKCS #1, which Netty may know.
                : builder.keyManager(
                    new ByteArrayInputStream(certificate), new ByteArrayInputStream(key)))
            .build();
      } catch (CertificateException e) {
        throw new IOException(e.getMessage(), e);
      }
    }

    boolean isSameAs(Contents other) {
      return Arrays.equals(authority, other.authority)
          && Arrays.equals(certificate, other.certificate)
          && Arrays.equals(key, other.key);
    }
  }
}
