package org.paceline.northbound.login;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Slows down who guesses passwords. Of one user ten logins from one address may fail at once, and
 * then one in five seconds; from one address fifty, and then one a second. Whoever is told to wait
 * is not looked at, be the password right or wrong, so that nothing is learnt from it. Nobody is
 * locked out from elsewhere: what somebody guesses at one address changes nothing at another.
 *
 * <p>O(1) a login: of each only the moment is kept at which all that failed would have failed at
 * the steady rate (the generic cell rate algorithm, ITU-T I.371). Bounded: of more than ten
 * thousand at once, others are not kept.
 */
final class FailedLogins {
  /** What fails in the same moment counts in full, but nobody waits longer. */
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  /** Longer names are told apart by this much. */
  private static final int NAME = 64;

  /** Whoever has an address of IPv6 has the 2^64 beside it, too (RFC 4291, section 2.5.1). */
  private static final int PREFIX_BYTES = 8;

  private static final long SECOND = 1_000_000_000;

  private final LongSupplier nanos;
  private final Failures ofUsers;
  private final Failures ofAddresses;

  /**
   * @param nanos a clock that never goes back
   */
  FailedLogins(LongSupplier nanos) {
    this.nanos = nanos;
    ofUsers = new Failures(10, Duration.ofSeconds(5), nanos.getAsLong());
    ofAddresses = new Failures(50, Duration.ofSeconds(1), nanos.getAsLong());
  }

  /** After which time, in whole seconds, a login as this user from there is looked at again. */
  Optional<Duration> refuse(String user, String address) {
    long now = nanos.getAsLong();
    long wait =
        Math.max(ofUsers.wait(there(user, address), now), ofAddresses.wait(site(address), now));
    return wait <= 0
        ? Optional.empty()
        : Optional.of(Duration.ofSeconds((wait + SECOND - 1) / SECOND));
  }

  void failed(String user, String address) {
    long now = nanos.getAsLong();
    ofUsers.add(there(user, address), now);
    ofAddresses.add(site(address), now);
  }

  /** Whoever mistyped before has a new start; the address has not. */
  void succeeded(String user, String address) {
    ofUsers.forget(there(user, address));
  }

  private static List<Object> there(String user, String address) {
    return List.of(user.length() > NAME ? user.substring(0, NAME) : user, site(address));
  }

  private static Object site(String address) {
    try {
      byte[] bytes = InetAddress.getByName(address).getAddress();
      return ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, PREFIX_BYTES));
    } catch (UnknownHostException noAddress) {
      return address;
    }
  }

  /** Of some, by what tells them apart. */
  private static final class Failures {
    private static final int MANY = 10_000;

    private final long interval;
    private final long atOnce;
    private final Map<Object, Long> due = new ConcurrentHashMap<>();

    /** When those were last taken out whose failures are long ago. */
    private volatile long looked;

    Failures(int atOnce, Duration interval, long now) {
      this.looked = now;
      this.interval = interval.toNanos();
      this.atOnce = atOnce * this.interval;
    }

    long wait(Object who, long now) {
      Long moment = due.get(who);
      return moment == null ? 0 : moment - now - atOnce + interval;
    }

    void add(Object who, long now) {
      if (due.size() >= MANY && now - looked > SECOND) {
        looked = now;
        due.values().removeIf(moment -> moment - now < 0);
      }
      if (due.size() < MANY || due.containsKey(who)) {
        due.merge(who, now + interval, (before, first) -> later(before, now));
      }
    }

    private long later(long before, long now) {
      long next = (before - now < 0 ? now : before) + interval;
      long last = now + atOnce - interval + LONGEST_WAIT.toNanos();
      return next - last > 0 ? last : next;
    }

    void forget(Object who) {
      due.remove(who);
    }
  }
}
