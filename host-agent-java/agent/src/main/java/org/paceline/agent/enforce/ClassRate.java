package org.paceline.agent.enforce;

/**
 * What a class may send.
 *
 * @param bitsPerSecond always, whatever others send
 * @param ceilingBitsPerSecond in all, with what it borrows; the same where it borrows nothing
 * @param rank who borrows first: 0 before 1, and so on to {@link #LAST}; 0 where it borrows nothing
 */
public record ClassRate(long bitsPerSecond, long ceilingBitsPerSecond, int rank) {
  /** HTB knows so many (TC_HTB_NUMPRIO in pkt_sched.h), from 0 on. */
  public static final int LAST = 7;

  /** Of one that borrows nothing. */
  public static ClassRate of(long bitsPerSecond) {
    return new ClassRate(bitsPerSecond, bitsPerSecond, 0);
  }

  /** Of one that borrows before all others, up to a ceiling. */
  public static ClassRate upTo(long bitsPerSecond, long ceilingBitsPerSecond) {
    return upTo(bitsPerSecond, ceilingBitsPerSecond, 0);
  }

  /**
   * Of one that borrows up to a ceiling; nothing where that is not above its rate.
   *
   * @param rank above {@link #LAST} it counts as that
   */
  public static ClassRate upTo(long bitsPerSecond, long ceilingBitsPerSecond, int rank) {
    return ceilingBitsPerSecond > bitsPerSecond
        ? new ClassRate(bitsPerSecond, ceilingBitsPerSecond, Math.min(LAST, rank))
        : of(bitsPerSecond);
  }

  public boolean borrows() {
    return ceilingBitsPerSecond > bitsPerSecond;
  }
}
