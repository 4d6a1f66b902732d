package org.paceline.agent.session;

import java.io.IOException;
import java.io.StringWriter;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** A new key of this host's, which never leaves it, and the request that somebody signs it. */
final class SigningRequest {
  /** Whoever signs says what the certificate names, and does not ask this. */
  private static final X500Principal SUBJECT = new X500Principal("O=Paceline");

  private final KeyPair key;

  private SigningRequest(KeyPair key) {
    this.key = key;
  }

  static SigningRequest ofNewKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return new SigningRequest(generator.generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java makes no keys of the curve P-256.", e);
    }
  }

  /** PKCS #10, DER. */
  byte[] request() throws IOException {
    try {
      return new JcaPKCS10CertificationRequestBuilder(SUBJECT, key.getPublic())
          .build(new JcaContentSignerBuilder("SHA256withECDSA").build(key.getPrivate()))
          .getEncoded();
    } catch (OperatorCreationException e) {
      throw new IOException("The key signs nothing: " + e.getMessage(), e);
    }
  }

  /** As files hold it: PKCS #8, PEM. */
  String key() throws IOException {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(new JcaPKCS8Generator(key.getPrivate(), null));
    }
    return text.toString();
  }
}
