package org.paceline.control.reservations;

import com.google.auto.value.AutoValue;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.unit.DataRate;

/**
 * How far a reserved transfer is: a backup or the like, of which size and deadline are known
 * (Sieber et al. 2020, section 3.1). docs/algorithms/reservations.md.
 */
@AutoValue
public abstract class Transfer {
  /** A petabyte: no link here carries more in a year. */
  public static final long MOST_BYTES = 1_000_000_000_000_000L;

  /**
   * Rates count frames, and a file's size does not count their headers: these are a twentieth of
   * full TCP frames. The rest is headroom.
   */
  private static final int PERCENT_OF_PAYLOAD = 110;

  private static final Duration MOST_MARGIN = Duration.ofSeconds(10);

  private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000);
  private static final BigInteger MILLIBITS_PER_BYTE = BigInteger.valueOf(8_000);
  private static final BigInteger HUNDRED = BigInteger.valueOf(100);

  /** All that are to be sent. */
  public abstract long bytes();

  /** That count for it, as far as reports have come. */
  public abstract long sentBytes();

  /** Up to where each conversation's bytes are distributed among the transfers that it is for. */
  public abstract Map<ConversationId, Long> distributed();

  /** When all was sent, or the deadline passed; empty while it goes on. */
  public abstract Optional<Instant> endedAt();

  public static Transfer of(
      long bytes, long sentBytes, Map<ConversationId, Long> distributed, Optional<Instant> ended) {
    return new AutoValue_Transfer(bytes, sentBytes, Map.copyOf(distributed), ended);
  }

  /**
   * So many bytes more.
   *
   * @param counted of this conversation, all of which is distributed now
   */
  Transfer sent(long more, ConversationId by, long counted) {
    Map<ConversationId, Long> all = new TreeMap<>(distributed());
    all.put(by, counted);
    return of(bytes(), sentBytes() + more, all, endedAt());
  }

  Transfer without(ConversationId over) {
    Map<ConversationId, Long> others = new TreeMap<>(distributed());
    others.remove(over);
    return of(bytes(), sentBytes(), others, endedAt());
  }

  Transfer ended(Instant at) {
    return of(bytes(), sentBytes(), Map.of(), Optional.of(at));
  }

  public long leftBytes() {
    return Math.max(0, bytes() - sentBytes());
  }

  /** Whether all was sent in time; only what has ended is met or missed. */
  public boolean isMet() {
    return leftBytes() == 0;
  }

  /**
   * In which part of its time a transfer is to be sent. A rate that is computed again and again
   * from what is left ends exactly where it aims at, and reports of it come later.
   */
  static Duration aimed(Duration time) {
    Duration margin = time.dividedBy(20);
    return time.minus(margin.compareTo(MOST_MARGIN) < 0 ? margin : MOST_MARGIN);
  }

  /** The least constant rate at which what is left is sent in this time, with a tenth on top. */
  DataRate rate(Duration timeLeft) {
    return rate(leftBytes(), timeLeft);
  }

  /**
   * Rounded up.
   *
   * @param timeLeft above nothing
   */
  static DataRate rate(long bytes, Duration timeLeft) {
    BigInteger nanos =
        BigInteger.valueOf(timeLeft.getSeconds())
            .multiply(NANOS_PER_SECOND)
            .add(BigInteger.valueOf(timeLeft.getNano()))
            .multiply(HUNDRED);
    BigInteger[] rate =
        BigInteger.valueOf(bytes)
            .multiply(MILLIBITS_PER_BYTE)
            .multiply(BigInteger.valueOf(PERCENT_OF_PAYLOAD))
            .multiply(NANOS_PER_SECOND)
            .divideAndRemainder(nanos);
    BigInteger up = rate[1].signum() == 0 ? rate[0] : rate[0].add(BigInteger.ONE);
    return up.bitLength() > 62 ? DataRate.MAX : DataRate.ofMillibitsPerSecond(up.longValueExact());
  }
}
