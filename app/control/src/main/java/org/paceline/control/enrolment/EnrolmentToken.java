package org.paceline.control.enrolment;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.address.CanonicalAddress;

/** What lets one host enrol, once. Its secret is not in it: only what the secret is known by. */
@AutoValue
public abstract class EnrolmentToken {
  /** {@link #USUAL_LIFE}, for the shell's help, which is made of constants. */
  public static final int USUAL_LIFE_MINUTES = 60;

  /**
   * How long it is worth something unless somebody says otherwise. YANG is held to it by a test.
   */
  public static final Duration USUAL_LIFE = Duration.ofMinutes(USUAL_LIFE_MINUTES);

  /** At most. */
  public static final Duration LONGEST_LIFE = Duration.ofDays(30);

  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}");
  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
  private static final int MOST_ADDRESSES = 100;
  private static final int SHOWN = 12;

  /** SHA-256 of the secret, in hexadecimal digits. */
  public abstract String digest();

  /** The hostId that the certificate will name. */
  public abstract String host();

  /** For which its agent may speak, and for no others; empty: for those that the network sees. */
  public abstract Set<String> addresses();

  public abstract String author();

  /** From then on it is worth nothing. */
  public abstract Instant end();

  /**
   * @throws IllegalArgumentException that names the value which is none
   */
  public static EnrolmentToken of(
      String digest, String host, Set<String> addresses, String author, Instant end) {
    if (!DIGEST.matcher(digest).matches()) {
      throw new IllegalArgumentException("The digest (" + digest + ") must be one of SHA-256.");
    }
    if (!HOST.matcher(host).matches() || !ConversationId.mayBeAgents(host)) {
      throw new IllegalArgumentException(
          "The host ("
              + host
              + ") is no hostId: 1 to 64 letters, digits, '_', '.', ':' or '-', and no word of"
              + " Paceline's own. Maybe use the host's name.");
    }
    if (addresses.size() > MOST_ADDRESSES) {
      throw new IllegalArgumentException(
          "The certificate would name ("
              + addresses.size()
              + ") addresses, and at most ("
              + MOST_ADDRESSES
              + ") are allowed. Maybe name none: then the network says which are the host's.");
    }
    Set<String> canonical = new TreeSet<>();
    addresses.forEach(address -> canonical.add(CanonicalAddress.of(address)));
    return new AutoValue_EnrolmentToken(digest, host, Set.copyOf(canonical), author, end);
  }

  /**
   * @throws IllegalArgumentException if a token must not be worth something for that long
   */
  static Duration life(Duration wanted) {
    if (wanted.isZero() || wanted.isNegative() || wanted.compareTo(LONGEST_LIFE) > 0) {
      throw new IllegalArgumentException(
          "The time ("
              + wanted.toSeconds()
              + " s) must be above 0 and at most "
              + LONGEST_LIFE.toDays()
              + " days. Maybe ("
              + USUAL_LIFE.toSeconds()
              + ") s.");
    }
    return wanted;
  }

  /** By which people name it. */
  public String id() {
    return digest().substring(0, SHOWN);
  }

  boolean isOver(Instant now) {
    return !now.isBefore(end());
  }

  /** As the log of changes and a person read it. */
  @Override
  public final String toString() {
    return id()
        + " for ("
        + host()
        + ")"
        + (addresses().isEmpty() ? "" : " at " + new TreeSet<>(addresses()))
        + " until "
        + end();
  }
}
