package org.paceline.agent.smallnetwork;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The peers of this host. A peer is one start of an agent (its epoch), so two hosts with one name
 * are two. What it says counts from the first announcement that repeats a challenge of this host's,
 * and only what is newer than what was heard of it; it is gone when it was not heard for {@link
 * #GONE}, and back with its next announcement. Heard on one thread, asked on another.
 */
final class Members {
  /** Three announcements missed in a row, and some time for the fourth. */
  static final Duration GONE = Duration.ofMillis(3_500);

  /** A peer that has repeated no valid challenge for so long may be a replay of what it said. */
  static final Duration PROOF = Duration.ofSeconds(30);

  /** No datagram that is older can hold a challenge that is still valid. */
  private static final Duration REMEMBERED = Challenges.EACH.multipliedBy(2).plus(PROOF);

  /** Small networks have some tens of hosts. */
  static final int MOST = 64;

  private final Map<Long, Member> byEpoch = new HashMap<>();
  private final Challenges challenges;
  private final long ownEpoch;

  /** What became of an announcement. */
  enum Verdict {
    TAKEN,
    OWN,
    /** It was heard before, or a later one was. */
    NOT_NEWER,
    /** Nothing shows yet that it was not recorded before this agent began. */
    NOT_PROVEN,
    TOO_MANY
  }

  private static final class Member {
    String from = "";
    Announcement last;
    long heardNanos;
    long provenNanos;
    boolean everProven;
    long repeatedNanos;
    boolean everRepeated;

    Member(Announcement last) {
      this.last = last;
    }

    boolean isProven(long nanos) {
      return everProven && nanos - provenNanos <= PROOF.toNanos();
    }

    boolean isPresent(long nanos) {
      return isProven(nanos) && nanos - heardNanos <= GONE.toNanos();
    }
  }

  /**
   * A peer that is there.
   *
   * @param from its address, as the network has it
   */
  record Present(String from, Announcement said) {}

  Members(long ownEpoch, SecureRandom random, long nanos) {
    this.ownEpoch = ownEpoch;
    this.challenges = new Challenges(random, nanos);
  }

  synchronized Verdict hear(Announcement said, String from, long nanos) {
    if (said.epoch() == ownEpoch) {
      return Verdict.OWN;
    }
    forget(nanos);
    Optional<Member> known = Optional.ofNullable(byEpoch.get(said.epoch()));
    if (known.isPresent() && said.sequence() <= known.get().last.sequence()) {
      return Verdict.NOT_NEWER;
    }
    if (known.isEmpty() && byEpoch.size() >= MOST && !dropOneUnproven(nanos)) {
      return Verdict.TOO_MANY;
    }
    Member member = byEpoch.computeIfAbsent(said.epoch(), any -> new Member(said));
    if (member.last.challenge() != said.challenge()) {
      member.everRepeated = false;
    }
    member.last = said;
    member.from = from;
    member.heardNanos = nanos;
    if (said.heard().stream().anyMatch(one -> challenges.isOwn(one, nanos))) {
      member.everProven = true;
      member.provenNanos = nanos;
    }
    return member.isProven(nanos) ? Verdict.TAKEN : Verdict.NOT_PROVEN;
  }

  private void forget(long nanos) {
    byEpoch.values().removeIf(one -> nanos - one.heardNanos > REMEMBERED.toNanos());
  }

  /** Whoever records what is said can fill the table with the unproven, but not keep others out. */
  private boolean dropOneUnproven(long nanos) {
    Optional<Map.Entry<Long, Member>> oldest =
        byEpoch.entrySet().stream()
            .filter(one -> !one.getValue().isProven(nanos))
            .min(Comparator.comparingLong(one -> one.getValue().heardNanos));
    oldest.ifPresent(one -> byEpoch.remove(one.getKey()));
    return oldest.isPresent();
  }

  /** Those that are there, in a fixed order. */
  synchronized List<Present> present(long nanos) {
    return byEpoch.values().stream()
        .filter(one -> one.isPresent(nanos))
        .sorted(Comparator.comparing((Member one) -> one.from).thenComparing(o -> o.last.epoch()))
        .map(one -> new Present(one.from, one.last))
        .toList();
  }

  synchronized long challenge(long nanos) {
    return challenges.now(nanos);
  }

  /** Challenges to repeat: first those that never were, then those that have waited longest. */
  synchronized List<Long> toRepeat(int most, long nanos) {
    List<Member> waiting = new ArrayList<>(byEpoch.values());
    waiting.removeIf(one -> nanos - one.heardNanos > GONE.toNanos());
    waiting.sort(
        Comparator.comparing((Member one) -> one.everRepeated)
            .thenComparing(one -> one.repeatedNanos));
    List<Long> chosen = new ArrayList<>();
    for (Member one : waiting.subList(0, Math.min(most, waiting.size()))) {
      one.everRepeated = true;
      one.repeatedNanos = nanos;
      chosen.add(one.last.challenge());
    }
    return chosen;
  }
}
