package org.paceline.control.operations;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How much of a processor the questions of one user may take: much at once, for whoever looks into
 * something, and a small part of one in the long run. Plans share the memory with all questions:
 * whoever asks without end keeps the collector at work, which stops plans, too, whatever priority a
 * question has.
 */
final class ProcessorAllowance {
  private final Duration atOnce;
  private final int part;
  private final Map<String, Account> accounts = new HashMap<>();

  /** What was left of one, and when. */
  private static final class Account {
    final long nanosLeft;
    final long at;

    Account(long nanosLeft, long at) {
      this.nanosLeft = nanosLeft;
      this.at = at;
    }
  }

  /**
   * @param atOnce of a processor's time
   * @param part one of so many of a processor's, in the long run
   */
  ProcessorAllowance(Duration atOnce, int part) {
    this.atOnce = atOnce;
    this.part = part;
  }

  /**
   * How long until this user may ask, none for whoever may now. The last question may have taken
   * more than was left.
   *
   * @param now in nanoseconds, of a clock that nobody steps
   */
  Duration until(String user, long now) {
    long missing = -left(user, now);
    return missing < 0 ? Duration.ZERO : Duration.ofNanos((missing + 1) * part);
  }

  /** A question took so much of a processor. O(users who asked of late). */
  void took(String user, Duration spent, long now) {
    long left = left(user, now) - spent.toNanos();
    accounts.keySet().removeIf(one -> left(one, now) >= atOnce.toNanos());
    accounts.put(user, new Account(left, now));
  }

  private long left(String user, long now) {
    Account account = accounts.get(user);
    return account == null
        ? atOnce.toNanos()
        : Math.min(atOnce.toNanos(), account.nanosLeft + (now - account.at) / part);
  }
}
