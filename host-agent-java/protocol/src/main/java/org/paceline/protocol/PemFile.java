package org.paceline.protocol;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a file in PEM (RFC 7468) holds, read by the JDK alone. Netty has Bouncy Castle read keys
 * where that is there, and with it come 700 classes: a tenth of what an agent's start takes.
 */
public final class PemFile {
  private static final List<String> ALGORITHMS = List.of("EC", "RSA");

  private final String text;

  public PemFile(byte[] content) {
    text = new String(content, StandardCharsets.ISO_8859_1);
  }

  /**
   * Its private key, as PKCS #8 has it and not encrypted, for an elliptic curve or RSA; empty where
   * there is none that the JDK can read so.
   */
  public Optional<PrivateKey> key() {
    for (byte[] block : blocks("PRIVATE KEY")) {
      for (String algorithm : ALGORITHMS) {
        try {
          return Optional.of(
              KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(block)));
        } catch (GeneralSecurityException e) {
          // Another algorithm's.
          continue;
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Its certificates, in their order.
   *
   * @throws CertificateException where it holds none, or one of them cannot be read
   */
  public X509Certificate[] certificates() throws CertificateException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> all = new ArrayList<>();
    for (byte[] block : blocks("CERTIFICATE")) {
      all.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block)));
    }
    if (all.isEmpty()) {
      throw new CertificateException("There is no certificate in PEM.");
    }
    return all.toArray(new X509Certificate[0]);
  }

  /** Each of these, decoded. */
  private List<byte[]> blocks(String label) {
    Matcher found =
        Pattern.compile("-----BEGIN " + label + "-----([^-]*)-----END " + label + "-----")
            .matcher(text);
    List<byte[]> blocks = new ArrayList<>();
    while (found.find()) {
      blocks.add(Base64.getMimeDecoder().decode(found.group(1)));
    }
    return blocks;
  }
}
