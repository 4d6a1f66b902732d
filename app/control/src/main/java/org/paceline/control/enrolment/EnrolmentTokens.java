package org.paceline.control.enrolment;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Subject;
import org.paceline.control.port.Records;

/**
 * The tokens by which hosts may enrol. Made, withdrawn and used: each is in the log of changes. The
 * store holds digests, so that whoever reads it can enrol nothing.
 */
public final class EnrolmentTokens {
  private static final int SECRET_BYTES = 16;
  private static final int MOST = 10_000;
  private static final int BYTE = 0xff;

  private final Records<EnrolmentToken> records;
  private final ChangeLog changes;
  private final Supplier<Optional<EnrolmentAuthority>> authority;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  /**
   * @param authority whoever signs at the moment, if anybody does
   */
  public EnrolmentTokens(
      Records<EnrolmentToken> records,
      ChangeLog changes,
      Supplier<Optional<EnrolmentAuthority>> authority,
      Clock clock) {
    this.records = records;
    this.changes = changes;
    this.authority = authority;
    this.clock = clock;
  }

  /** A token that has just been made, with what its host is given, which is shown once. */
  public static final class Made {
    private final EnrolmentToken token;
    private final String text;

    private Made(EnrolmentToken token, String text) {
      this.token = token;
      this.text = text;
    }

    public EnrolmentToken token() {
      return token;
    }

    public String text() {
      return text;
    }
  }

  /**
   * Lets a host enrol once.
   *
   * @param body what was sent to ask for it
   * @param addresses that the certificate shall name; empty: none
   * @param life how long it is worth something
   * @throws IllegalArgumentException as {@link EnrolmentToken#of}
   * @throws Refused if nobody signs here, or there are many tokens
   */
  public synchronized Made make(
      Author author, String body, String host, Set<String> addresses, Duration life) {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    EnrolmentToken token =
        EnrolmentToken.of(
            digest(secret),
            host,
            addresses,
            author.actor(),
            clock.instant().plus(EnrolmentToken.life(life)).truncatedTo(ChronoUnit.SECONDS));
    EnrolmentAuthority signing =
        authority
            .get()
            .filter(EnrolmentAuthority::signs)
            .orElseThrow(
                () ->
                    new Refused(
                        "This controller signs no certificates: the tlsDirectory has no ca.key."
                            + " Maybe make the host's with tools/certificates, or bring the key."));
    forgetOver();
    if (records.size() >= MOST) {
      throw new Refused("There are " + MOST + " tokens already. Maybe withdraw some first.");
    }
    return changes.carryOut(
        author,
        subject(token),
        "A token for (" + host + ") to enrol is made.",
        body,
        "",
        token.toString(),
        at -> {
          records.replace(token.digest(), token);
          return new Made(token, signing.token(secret));
        });
  }

  private void forgetOver() {
    for (String digest : Set.copyOf(records.keys())) {
      records
          .find(digest)
          .filter(token -> token.isOver(clock.instant()))
          .ifPresent(token -> records.remove(digest));
    }
  }

  /** Those that are worth something, the first to end first. */
  public List<EnrolmentToken> all() {
    return Set.copyOf(records.keys()).stream()
        .map(records::find)
        .flatMap(Optional::stream)
        .filter(token -> !token.isOver(clock.instant()))
        .sorted(Comparator.comparing(EnrolmentToken::end).thenComparing(EnrolmentToken::digest))
        .collect(Collectors.toUnmodifiableList());
  }

  /**
   * No host enrols by the token any more.
   *
   * @throws Absent if there is none of this id
   */
  public synchronized void withdraw(Author author, String id) {
    EnrolmentToken withdrawn =
        all().stream()
            .filter(token -> token.id().equals(id))
            .findFirst()
            .orElseThrow(
                () ->
                    new Absent(
                        "There is no token ("
                            + id
                            + "): it was used, is over, or never was. Maybe the list of tokens"
                            + " names the one that you mean."));
    withdraw(author, withdrawn);
  }

  private void withdraw(Author author, EnrolmentToken token) {
    end(author, token, "The token for (" + token.host() + ") is withdrawn.");
  }

  /** Of all tokens for the host. */
  synchronized void withdrawAll(Author author, String host) {
    all().stream()
        .filter(token -> token.host().equals(host))
        .forEach(token -> withdraw(author, token));
  }

  /** Whether the secret is one that {@link #redeem} would take; changes nothing. */
  public boolean isWorth(byte[] secret) {
    return find(secret).isPresent();
  }

  private Optional<EnrolmentToken> find(byte[] secret) {
    // The digest is looked up, so how long that takes says nothing about any secret.
    return records.find(digest(secret)).filter(token -> !token.isOver(clock.instant()));
  }

  /**
   * What the secret lets its bearer do, and nobody a second time; empty where it is none, is over
   * or was used.
   */
  public synchronized Optional<EnrolmentToken> redeem(byte[] secret) {
    return find(secret)
        .map(
            token ->
                end(
                    Author.of(token.author(), Optional.empty()),
                    token,
                    "The host (" + token.host() + ") enrols by its token."));
  }

  private EnrolmentToken end(Author author, EnrolmentToken token, String operation) {
    return changes.carryOut(
        author,
        subject(token),
        operation,
        "",
        token.toString(),
        "",
        at -> {
          records.remove(token.digest());
          return token;
        });
  }

  /** Whether this change made the token, or ended it. */
  public boolean isMade(PendingChange change) {
    return records.find(change.subject().key()).isPresent() == change.isKept();
  }

  private static Subject subject(EnrolmentToken token) {
    return Subject.of(Subject.Kind.ENROLMENT_TOKEN, token.digest());
  }

  static String digest(byte[] secret) {
    try {
      StringBuilder text = new StringBuilder();
      for (byte one : MessageDigest.getInstance("SHA-256").digest(secret)) {
        text.append(String.format("%02x", one & BYTE));
      }
      return text.toString();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
