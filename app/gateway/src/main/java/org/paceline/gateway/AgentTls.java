package org.paceline.gateway;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.paceline.intents.address.CanonicalAddress;

/**
 * Lets in only agents whose certificate the house's own authority has signed, and believes each to
 * be the hosts that its certificate names as {@code URI:urn:paceline:host:ID}, with the addresses
 * that it names as {@code IP}, where it names any.
 */
final class AgentTls {
  private static final String AUTHORITY = "ca.pem";
  static final String CERTIFICATE = "controller.pem";
  private static final String KEY = "controller.key";
  private static final String HOST = "urn:paceline:host:";

  /** As X.509 numbers the kinds of alternative names. */
  private static final int URI = 6;

  private static final int ADDRESS = 7;

  private AgentTls() {}

  /**
   * @param directory with the authority's certificate and the controller's own, and its key
   * @throws IOException that names the file which is missing, open to others or no such thing
   */
  static SslContext of(Path directory) throws IOException {
    for (String name : List.of(AUTHORITY, CERTIFICATE, KEY)) {
      if (!Files.isReadable(directory.resolve(name))) {
        throw new IOException(
            "The tlsDirectory ("
                + directory
                + ") has no readable file ("
                + name
                + "). Maybe make it with tools/certificates.");
      }
    }
    Set<PosixFilePermission> rights = Files.getPosixFilePermissions(directory.resolve(KEY));
    if (rights.contains(PosixFilePermission.OTHERS_READ)) {
      throw new IOException(
          "The key (" + directory.resolve(KEY) + ") can be read by everybody. Maybe chmod o= it.");
    }
    try {
      // The JDK's own TLS: a native library would have to find its way into an OSGi bundle.
      return GrpcSslContexts.configure(
              SslContextBuilder.forServer(
                  directory.resolve(CERTIFICATE).toFile(), directory.resolve(KEY).toFile()),
              SslProvider.JDK)
          .trustManager(directory.resolve(AUTHORITY).toFile())
          .clientAuth(ClientAuth.REQUIRE)
          .build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new IOException(
          "The certificates in (" + directory + ") cannot be used: " + e.getMessage(), e);
    }
  }

  /** What a caller's certificate names. */
  static final class Names {
    private static final Names NOTHING = new Names(Set.of(), Set.of());

    /** The hosts that the caller may be. */
    final Set<String> hosts;

    /** Addresses of those, which it may speak for and no others; none where it names none. */
    final Set<String> addresses;

    private Names(Set<String> hosts, Set<String> addresses) {
      this.hosts = hosts;
      this.addresses = addresses;
    }
  }

  /** What the caller's certificate names; empty where callers need no certificate. */
  static Optional<Names> names(Optional<SSLSession> session) {
    return session.map(AgentTls::named);
  }

  private static Names named(SSLSession session) {
    Set<String> hosts = new LinkedHashSet<>();
    Set<String> addresses = new LinkedHashSet<>();
    try {
      Certificate own = session.getPeerCertificates()[0];
      if (own instanceof X509Certificate) {
        Collection<List<?>> names = ((X509Certificate) own).getSubjectAlternativeNames();
        for (List<?> name : names == null ? List.<List<?>>of() : names) {
          String text = String.valueOf(name.get(1));
          if (Integer.valueOf(URI).equals(name.get(0)) && text.startsWith(HOST)) {
            hosts.add(text.substring(HOST.length()));
          } else if (Integer.valueOf(ADDRESS).equals(name.get(0))) {
            addresses.add(CanonicalAddress.of(text));
          }
        }
      }
    } catch (SSLPeerUnverifiedException | CertificateParsingException e) {
      // Speaks for nobody, and is told so by name when it greets.
      return Names.NOTHING;
    }
    return new Names(hosts, addresses);
  }
}
