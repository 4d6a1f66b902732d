package org.paceline.northbound.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How a receiver knows that a message is ours and of now: HMAC-SHA256 of its id, time and body, as
 * Standard Webhooks 1.0 has it, for which there are libraries in many languages.
 */
final class Signature {
  private static final String ALGORITHM = "HmacSHA256";

  private Signature() {}

  static String of(byte[] key, String id, long seconds, String body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      byte[] signed = (id + "." + seconds + "." + body).getBytes(StandardCharsets.UTF_8);
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java has " + ALGORITHM, e);
    }
  }
}
