package org.paceline.yang.restconf.message;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The configuration's entity tag, made of what it holds: equal on every node of the cluster and
 * after a restart, with nothing to store.
 */
public final class EntityTag {
  private static final int HEX = 16;

  private EntityTag() {}

  public static String of(String configuration) {
    return '"' + digest(configuration) + '"';
  }

  /** Whether the list of tags of an If-Match or If-None-Match header holds this one. */
  public static boolean matches(String header, String tag) {
    return header.trim().equals("*")
        || Arrays.stream(header.split(",", -1)).map(String::trim).anyMatch(tag::equals);
  }

  public static String digest(String text) {
    try {
      byte[] bytes =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return new BigInteger(1, bytes).toString(HEX);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }
}
