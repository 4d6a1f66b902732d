package org.paceline.agent.enforce;

/**
 * What a class may send.
 *
 * @param bitsPerSecond always, whatever others send
 * @param ceilingBitsPerSecond in all, with what it borrows; the same where it borrows nothing
 */
public record ClassRate(long bitsPerSecond, long ceilingBitsPerSecond) {
  /** Of one that borrows nothing. */
  public static ClassRate of(long bitsPerSecond) {
    return new ClassRate(bitsPerSecond, bitsPerSecond);
  }

  /** Of one that borrows up to a ceiling; nothing where that is not above its rate. */
  public static ClassRate upTo(long bitsPerSecond, long ceilingBitsPerSecond) {
    return new ClassRate(bitsPerSecond, Math.max(bitsPerSecond, ceilingBitsPerSecond));
  }

  public boolean borrows() {
    return ceilingBitsPerSecond > bitsPerSecond;
  }
}
