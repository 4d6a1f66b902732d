package org.paceline.protocol;

import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * What a host's agent is given to enrol: a secret for the controller, and the SHA-256 of the
 * certificate of the authority that the controller's must be signed by. So the first connection is
 * as sure as any later one, and nobody copies a certificate before.
 */
public final class EnrolmentTokenText {
  private static final String BEGIN = "paceline-";
  private static final int SECRET_BYTES = 16;
  private static final int FINGERPRINT_BYTES = 32;

  private final byte[] secret;
  private final byte[] fingerprint;

  private EnrolmentTokenText(byte[] secret, byte[] fingerprint) {
    this.secret = secret;
    this.fingerprint = fingerprint;
  }

  /**
   * @throws IllegalArgumentException if one of them has another length
   */
  public static EnrolmentTokenText of(byte[] secret, byte[] fingerprint) {
    if (secret.length != SECRET_BYTES || fingerprint.length != FINGERPRINT_BYTES) {
      throw new IllegalArgumentException(
          "A token has a secret of 16 bytes and a SHA-256, not ("
              + secret.length
              + ") and ("
              + fingerprint.length
              + ").");
    }
    return new EnrolmentTokenText(secret.clone(), fingerprint.clone());
  }

  /** Empty where it is none: mistyped, cut off, or something else. */
  public static Optional<EnrolmentTokenText> parse(String text) {
    if (!text.startsWith(BEGIN)) {
      return Optional.empty();
    }
    try {
      byte[] both = Base64.getUrlDecoder().decode(text.substring(BEGIN.length()));
      return both.length == SECRET_BYTES + FINGERPRINT_BYTES
          ? Optional.of(
              new EnrolmentTokenText(
                  Arrays.copyOf(both, SECRET_BYTES),
                  Arrays.copyOfRange(both, SECRET_BYTES, both.length)))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  public byte[] secret() {
    return secret.clone();
  }

  /** SHA-256 of the authority's certificate, as DER. */
  public byte[] fingerprint() {
    return fingerprint.clone();
  }

  @Override
  public String toString() {
    byte[] both = Arrays.copyOf(secret, SECRET_BYTES + FINGERPRINT_BYTES);
    System.arraycopy(fingerprint, 0, both, SECRET_BYTES, FINGERPRINT_BYTES);
    return BEGIN + Base64.getUrlEncoder().withoutPadding().encodeToString(both);
  }
}
