package org.paceline.agent.session;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts whoever is certified by the one authority whose certificate has this fingerprint, and
 * shows that certificate along: for a host that has no other word of whom to believe.
 */
final class PinnedAuthority extends X509ExtendedTrustManager {
  private final byte[] fingerprint;

  /**
   * @param fingerprint SHA-256 of the authority's certificate
   */
  PinnedAuthority(byte[] fingerprint) {
    this.fingerprint = fingerprint.clone();
  }

  private X509ExtendedTrustManager ofAuthority(X509Certificate... chain)
      throws CertificateException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (X509Certificate one : chain) {
        if (MessageDigest.isEqual(digest.digest(one.getEncoded()), fingerprint)) {
          return trusting(one);
        }
      }
    } catch (GeneralSecurityException | IOException e) {
      throw new CertificateException("The controller's certificates cannot be checked.", e);
    }
    throw new CertificateException(
        "The controller is not the one that made the token: its authority is another.");
  }

  private static X509ExtendedTrustManager trusting(X509Certificate authority)
      throws GeneralSecurityException, IOException {
    KeyStore only = KeyStore.getInstance(KeyStore.getDefaultType());
    only.load(null, null);
    only.setCertificateEntry("authority", authority);
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(only);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager extended) {
        return extended;
      }
    }
    throw new GeneralSecurityException("This Java checks no certificates.");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    // With the engine it also looks whether the certificate is the controller's.
    ofAuthority(chain).checkServerTrusted(chain, authType, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    ofAuthority(chain).checkServerTrusted(chain, authType, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("Without its connection nobody is trusted.");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("Nobody calls here.");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw new CertificateException("Nobody calls here.");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("Nobody calls here.");
  }

  // Only servers, which ask for certificates, read it.
  // nosemgrep: accept_self_signed_certificate
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
