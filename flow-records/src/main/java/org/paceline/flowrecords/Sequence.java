package org.paceline.flowrecords;

/**
 * The sequence numbers of one exporter: each datagram says how many records, or datagrams, it has
 * sent before. They have 32 bits and start again at 0.
 */
final class Sequence {
  /** A datagram that is so far behind is not late: its exporter has begun anew. */
  private static final int LATEST = 1_000;

  /** A greater gap is no loss, for the same reason. */
  private static final int GREATEST_GAP = 10_000_000;

  private boolean isKnown;
  private int expected;

  /**
   * Takes in a datagram.
   *
   * @return how much was lost before it; negative if it is a late one that was taken for lost
   */
  long took(long number, long units) {
    int gap = gap(number);
    if (gap < 0) {
      return -units;
    }
    expected = (int) (number + units);
    isKnown = true;
    return gap;
  }

  /** Takes in a datagram of which it is not known how many records it holds. */
  long tookUnknown(long number) {
    int gap = gap(number);
    isKnown = false;
    return Math.max(0, gap);
  }

  private int gap(long number) {
    int gap = (int) (number - expected);
    return isKnown && gap > -LATEST && gap < GREATEST_GAP ? gap : 0;
  }
}
