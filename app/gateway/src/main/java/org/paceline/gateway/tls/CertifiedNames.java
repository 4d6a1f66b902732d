package org.paceline.gateway.tls;

import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.paceline.intents.address.CanonicalAddress;

/**
 * What a caller's certificate names: the hosts that it may be, as {@code URI:urn:paceline:host:ID},
 * and the addresses that it may speak for, as {@code IP}.
 */
public final class CertifiedNames {
  static final String HOST = "urn:paceline:host:";

  /** As X.509 numbers the kinds of alternative names. */
  private static final int URI = 6;

  private static final int ADDRESS = 7;

  private final Optional<X509Certificate> certificate;
  private final Set<String> hosts;
  private final Set<String> addresses;

  private CertifiedNames(
      Optional<X509Certificate> certificate, Set<String> hosts, Set<String> addresses) {
    this.certificate = certificate;
    this.hosts = Set.copyOf(hosts);
    this.addresses = Set.copyOf(addresses);
  }

  /** Of who is at the other end of a connection whose handshake is over. */
  public static CertifiedNames of(SSLSession session) {
    try {
      Certificate own = session.getPeerCertificates()[0];
      return own instanceof X509Certificate ? of((X509Certificate) own) : nobody();
    } catch (SSLPeerUnverifiedException e) {
      return nobody();
    }
  }

  /** Speaks for nobody, and is told so by name when it greets. */
  private static CertifiedNames nobody() {
    return new CertifiedNames(Optional.empty(), Set.of(), Set.of());
  }

  static CertifiedNames of(X509Certificate own) {
    Set<String> hosts = new TreeSet<>();
    Set<String> addresses = new TreeSet<>();
    Collection<List<?>> names;
    try {
      names = own.getSubjectAlternativeNames();
    } catch (CertificateParsingException e) {
      return nobody();
    }
    for (List<?> name : names == null ? List.<List<?>>of() : names) {
      String text = String.valueOf(name.get(1));
      if (Integer.valueOf(URI).equals(name.get(0)) && text.startsWith(HOST)) {
        hosts.add(text.substring(HOST.length()));
      } else if (Integer.valueOf(ADDRESS).equals(name.get(0))) {
        addresses.add(CanonicalAddress.of(text));
      }
    }
    return new CertifiedNames(Optional.of(own), hosts, addresses);
  }

  /** Whether it has shown one at all. */
  public boolean isShown() {
    return certificate.isPresent();
  }

  /** Empty where it has shown none of this kind. */
  Optional<X509Certificate> certificate() {
    return certificate;
  }

  /** From when on nobody is let in with it. */
  public Optional<Instant> end() {
    return certificate.map(own -> own.getNotAfter().toInstant());
  }

  /** The hosts that the caller may be. */
  public Set<String> hosts() {
    return hosts;
  }

  /** Addresses of those, which it may speak for and no others; none where it names none. */
  public Set<String> addresses() {
    return addresses;
  }
}
