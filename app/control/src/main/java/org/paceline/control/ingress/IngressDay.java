package org.paceline.control.ingress;

import com.google.auto.value.AutoValue;
import java.time.LocalDate;

/** What the list of a day would have caught of that day's alpha flows. */
@AutoValue
public abstract class IngressDay {
  public abstract LocalDate day();

  /** How many pairs were in force. */
  public abstract int pairs();

  /** How many alpha flows there were. */
  public abstract int flows();

  /** What they sent; above 0. */
  public abstract long alphaBytes();

  /** What those of them sent that are between pairs which were in force. */
  public abstract long matchedBytes();

  /**
   * @throws IllegalArgumentException if nothing was sent, or more was matched than was sent
   */
  public static IngressDay of(
      LocalDate day, int pairs, int flows, long alphaBytes, long matchedBytes) {
    if (alphaBytes < 1 || matchedBytes < 0 || matchedBytes > alphaBytes) {
      throw new IllegalArgumentException(
          "On "
              + day
              + " "
              + matchedBytes
              + " of "
              + alphaBytes
              + " alpha bytes were matched, which cannot be.");
    }
    return new AutoValue_IngressDay(day, pairs, flows, alphaBytes, matchedBytes);
  }

  /** The day with what was found of it later, where lists are made more than once a day. */
  IngressDay plus(IngressDay later) {
    return of(
        day(),
        pairs(),
        flows() + later.flows(),
        sum(alphaBytes(), later.alphaBytes()),
        sum(matchedBytes(), later.matchedBytes()));
  }

  /** An exporter may tell anything; what it tells is not to end in an overflow. */
  static long sum(long bytes, long more) {
    return bytes + more < 0 ? Long.MAX_VALUE : bytes + more;
  }

  /** From 0 to 1. */
  public final double share() {
    return (double) matchedBytes() / alphaBytes();
  }
}
