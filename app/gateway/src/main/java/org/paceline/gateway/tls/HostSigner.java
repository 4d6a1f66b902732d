package org.paceline.gateway.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;

/**
 * Signs hosts' keys with the authority's. What a certificate says is said here and by whoever let
 * the host enrol: of a signing request only the key counts.
 */
final class HostSigner {
  /** An agent renews its own when a third of that is left. */
  private static final Duration LIFE = Duration.ofDays(90);

  /** For hosts whose clocks are behind. */
  private static final Duration BEHIND = Duration.ofMinutes(5);

  private static final int SERIAL_BITS = 127;
  private static final int SHORTEST_RSA = 2_048;
  private static final int LONGEST_RSA = 4_096;
  private static final Set<Integer> CURVES = Set.of(256, 384);

  private final X509Certificate authority;
  private final PrivateKey key;
  private final SecureRandom random = new SecureRandom();

  private HostSigner(X509Certificate authority, PrivateKey key) {
    this.authority = authority;
    this.key = key;
  }

  /**
   * @param authority the first of its certificates, PEM
   * @param key that belongs to it, PEM, not encrypted
   * @throws IOException if they cannot be used, or do not belong together
   */
  static HostSigner of(byte[] authority, byte[] key) throws IOException {
    try {
      X509Certificate certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(authority));
      HostSigner signer = new HostSigner(certificate, key(key));
      signer.mustBelongTogether();
      return signer;
    } catch (GeneralSecurityException e) {
      throw new IOException("The authority's certificate cannot be used: " + e.getMessage(), e);
    }
  }

  private static PrivateKey key(byte[] pem) throws IOException {
    try (PEMParser parser =
        new PEMParser(
            new InputStreamReader(new ByteArrayInputStream(pem), StandardCharsets.US_ASCII))) {
      for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
        if (part instanceof PrivateKeyInfo) {
          return new JcaPEMKeyConverter().getPrivateKey((PrivateKeyInfo) part);
        }
        if (part instanceof PEMKeyPair) {
          return new JcaPEMKeyConverter().getPrivateKey(((PEMKeyPair) part).getPrivateKeyInfo());
        }
      }
    }
    throw new IOException("The authority's key is no private key in PEM that is not encrypted.");
  }

  private void mustBelongTogether() throws IOException {
    byte[] said = "paceline".getBytes(StandardCharsets.US_ASCII);
    try {
      Signature signature = Signature.getInstance(algorithm());
      signature.initSign(key);
      signature.update(said);
      byte[] signed = signature.sign();
      signature.initVerify(authority.getPublicKey());
      signature.update(said);
      if (signature.verify(signed)) {
        return;
      }
    } catch (GeneralSecurityException e) {
      throw new IOException("The authority's key cannot be used: " + e.getMessage(), e);
    }
    throw new IOException("The authority's key is not the one of its certificate.");
  }

  private String algorithm() {
    return key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
  }

  /** The key that a signing request shows its bearer to have. */
  static PublicKey requested(byte[] signingRequest) {
    PublicKey asked;
    boolean isItsOwn;
    try {
      JcaPKCS10CertificationRequest request = new JcaPKCS10CertificationRequest(signingRequest);
      asked = request.getPublicKey();
      isItsOwn = request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(asked));
    } catch (IOException
        | GeneralSecurityException
        | OperatorCreationException
        | PKCSException
        // Bouncy Castle's, of what is ASN.1 and something else.
        | RuntimeException e) {
      throw new IllegalArgumentException(
          "The signing request cannot be read: " + e.getMessage(), e);
    }
    if (!isStrong(asked)) {
      throw new IllegalArgumentException(
          "The key of the signing request must be one of P-256, P-384, or of RSA with 2,048 to"
              + " 4,096 bits.");
    }
    if (!isItsOwn) {
      throw new IllegalArgumentException("The signing request is not signed by its own key.");
    }
    return asked;
  }

  private static boolean isStrong(PublicKey key) {
    if (key instanceof ECPublicKey) {
      return CURVES.contains(((ECPublicKey) key).getParams().getCurve().getField().getFieldSize());
    }
    if (key instanceof RSAPublicKey) {
      int bits = ((RSAPublicKey) key).getModulus().bitLength();
      return bits >= SHORTEST_RSA && bits <= LONGEST_RSA;
    }
    return false;
  }

  /**
   * A certificate for a host's key, which holds for 90 days and no longer than the authority's.
   *
   * @param addresses that it names; empty: none
   */
  X509Certificate sign(PublicKey of, String host, Set<String> addresses, Instant now)
      throws IOException {
    Instant end = now.plus(LIFE);
    Instant last = authority.getNotAfter().toInstant();
    List<GeneralName> names = new ArrayList<>();
    names.add(new GeneralName(GeneralName.uniformResourceIdentifier, CertifiedNames.HOST + host));
    for (String address : addresses) {
      names.add(
          new GeneralName(
              GeneralName.iPAddress,
              new DEROctetString(InetAddress.getByName(address).getAddress())));
    }
    try {
      return new JcaX509CertificateConverter()
          .getCertificate(
              new JcaX509v3CertificateBuilder(
                      X500Name.getInstance(authority.getSubjectX500Principal().getEncoded()),
                      new BigInteger(SERIAL_BITS, random),
                      Date.from(now.minus(BEHIND).truncatedTo(ChronoUnit.SECONDS)),
                      Date.from(end.isBefore(last) ? end : last),
                      new X500NameBuilder(BCStyle.INSTANCE)
                          .addRDN(BCStyle.O, "Paceline")
                          .addRDN(BCStyle.CN, host)
                          .build(),
                      of)
                  .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                  .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                  .addExtension(
                      Extension.extendedKeyUsage,
                      false,
                      new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth))
                  .addExtension(
                      Extension.subjectAlternativeName,
                      false,
                      new GeneralNames(names.toArray(new GeneralName[0])))
                  .build(new JcaContentSignerBuilder(algorithm()).build(key)));
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IOException("The certificate cannot be signed: " + e.getMessage(), e);
    }
  }

  /**
   * The authority's list of what it has revoked, as PEM. It holds as long as the authority does,
   * for who reads it goes by the newest whatever that says.
   *
   * @param revoked when, by serial number
   */
  String revocationList(Map<BigInteger, Instant> revoked, Instant now) throws IOException {
    X509v2CRLBuilder list =
        new X509v2CRLBuilder(
            X500Name.getInstance(authority.getSubjectX500Principal().getEncoded()), Date.from(now));
    list.setNextUpdate(authority.getNotAfter());
    revoked.forEach((serial, at) -> list.addCRLEntry(serial, Date.from(at), CRLReason.unspecified));
    try {
      return pem(list.build(new JcaContentSignerBuilder(algorithm()).build(key)));
    } catch (OperatorCreationException e) {
      throw new IOException("The list of what is revoked cannot be signed: " + e.getMessage(), e);
    }
  }

  /** As files hold it. */
  static String pem(X509Certificate certificate) throws IOException {
    return pem((Object) certificate);
  }

  private static String pem(Object certificate) throws IOException {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(certificate);
    }
    return text.toString();
  }

  X509Certificate authority() {
    return authority;
  }
}
