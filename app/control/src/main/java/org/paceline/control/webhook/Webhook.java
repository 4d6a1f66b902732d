package org.paceline.control.webhook;

import com.google.auto.value.AutoValue;
import java.net.URI;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** An address that wants to be told of some kinds of changes. */
@AutoValue
public abstract class Webhook {
  private static final SecureRandom RANDOM = new SecureRandom();

  /** As https://www.standardwebhooks.com has it. */
  private static final String PREFIX = "whsec_";

  private static final int LEAST_BYTES = 24;
  private static final int MOST_BYTES = 64;
  private static final int USUAL_BYTES = 32;
  private static final int LONGEST = 2_000;

  /** What somebody can be told of. */
  public enum Kind {
    POLICY,
    RESERVATION,
    ALARM;

    /** As clients write it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * @throws IllegalArgumentException if there are no such events
     */
    public static Kind parse(String word) {
      return Arrays.stream(values())
          .filter(kind -> kind.word().equals(word))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "There are no events (" + word + "). Maybe policy, reservation or alarm."));
    }
  }

  public abstract String id();

  public abstract URI url();

  /** In the order of {@link Kind}, so that it is always written down alike. */
  public abstract Set<Kind> kinds();

  /** With which messages are signed; shown to nobody. */
  public abstract String secret();

  /**
   * @throws IllegalArgumentException if nothing can be sent there, of nothing, or signed with it
   */
  public static Webhook of(String id, String url, Collection<Kind> kinds, String secret) {
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException(
          "The events must name one kind at least. Maybe " + Arrays.toString(Kind.values()) + ".");
    }
    bytes(secret);
    return new AutoValue_Webhook(
        id, address(url), Collections.unmodifiableSet(new TreeSet<>(kinds)), secret);
  }

  /** One that nobody knows yet. */
  public static String newSecret() {
    byte[] bytes = new byte[USUAL_BYTES];
    RANDOM.nextBytes(bytes);
    return PREFIX + Base64.getEncoder().encodeToString(bytes);
  }

  private static URI address(String text) {
    try {
      URI url = URI.create(text);
      boolean isHttp = List.of("http", "https").contains(String.valueOf(url.getScheme()));
      if (isHttp
          && url.getHost() != null
          && url.getUserInfo() == null
          && url.getFragment() == null
          && url.getPort() <= 0xffff
          && text.length() <= LONGEST) {
        return url;
      }
    } catch (IllegalArgumentException none) {
      // Refused below, as an address of another kind.
    }
    throw new IllegalArgumentException(
        "The url ("
            + text
            + ") must be one of https or http, without a user, a password and a fragment. Maybe"
            + " https://itsm.example/paceline.");
  }

  /** The secret's bytes; a refusal does not repeat it. */
  private static byte[] bytes(String secret) {
    try {
      byte[] bytes =
          secret.startsWith(PREFIX)
              ? Base64.getDecoder().decode(secret.substring(PREFIX.length()))
              : new byte[0];
      if (bytes.length >= LEAST_BYTES && bytes.length <= MOST_BYTES) {
        return bytes;
      }
    } catch (IllegalArgumentException none) {
      // Refused below, without the cause, which would show a part of it.
    }
    throw new IllegalArgumentException(
        "The secret must be whsec_ and then 24 to 64 bytes in base64. Maybe what this prints: echo"
            + " whsec_$(openssl rand -base64 32)");
  }

  public byte[] key() {
    return bytes(secret());
  }

  /** Its address without what a service may have put behind the host as a secret of its own. */
  public final String place() {
    return place(url());
  }

  /**
   * The same of an address that is to be registered.
   *
   * @throws IllegalArgumentException if nothing can be sent there
   */
  public static String place(String url) {
    return place(address(url));
  }

  private static String place(URI url) {
    return url.getScheme() + "://" + url.getAuthority();
  }

  /** Without secrets, wherever it may be printed. */
  @Override
  public final String toString() {
    return "Webhook "
        + id()
        + " to "
        + place()
        + " for "
        + kinds().stream().map(Kind::name).sorted().collect(Collectors.joining(", "));
  }
}
