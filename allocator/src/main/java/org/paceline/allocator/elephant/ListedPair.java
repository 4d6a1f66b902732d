package org.paceline.allocator.elephant;

import com.google.auto.value.AutoValue;
import java.time.LocalDate;
import java.util.Comparator;

/** A pair of prefixes on a list, with what put it there. */
@AutoValue
public abstract class ListedPair {
  /** Who has sent most comes first; equals stand by their addresses, so that lists are the same. */
  static final Comparator<ListedPair> LARGEST_FIRST =
      Comparator.comparing(ListedPair::bytes, Comparator.reverseOrder())
          .thenComparing(ListedPair::pair);

  public abstract PrefixPair pair();

  /** What its alpha flows have sent since it was listed. */
  public abstract long bytes();

  /** The last day on which one of its alpha flows ended. */
  public abstract LocalDate lastSeen();

  /**
   * @throws IllegalArgumentException if it has sent nothing
   */
  public static ListedPair of(PrefixPair pair, long bytes, LocalDate lastSeen) {
    if (bytes < 1) {
      throw new IllegalArgumentException(
          "The pair " + pair + " is listed for " + bytes + " bytes, which is no alpha flow.");
    }
    return new AutoValue_ListedPair(pair, bytes, lastSeen);
  }

  /** What two of the same pair are together. */
  ListedPair plus(ListedPair other) {
    long sum = bytes() + other.bytes();
    return of(
        pair(),
        sum < 0 ? Long.MAX_VALUE : sum,
        lastSeen().isAfter(other.lastSeen()) ? lastSeen() : other.lastSeen());
  }
}
