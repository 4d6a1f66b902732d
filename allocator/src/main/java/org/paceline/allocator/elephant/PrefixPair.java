package org.paceline.allocator.elephant;

import com.google.auto.value.AutoValue;
import java.util.Comparator;
import org.paceline.intents.address.AddressPrefix;
import org.paceline.intents.address.IpAddress;

/**
 * Where alpha flows come from and go to: what a switch matches by. It has a direction; what flows
 * back is another pair.
 */
@AutoValue
public abstract class PrefixPair implements Comparable<PrefixPair> {
  private static final Comparator<PrefixPair> ORDER =
      Comparator.comparing(PrefixPair::source).thenComparing(PrefixPair::destination);

  public abstract AddressPrefix source();

  public abstract AddressPrefix destination();

  /**
   * @throws IllegalArgumentException if one is of IPv4 and the other of IPv6
   */
  public static PrefixPair of(AddressPrefix source, AddressPrefix destination) {
    if (source.isIpv4() != destination.isIpv4()) {
      throw new IllegalArgumentException(
          "No packet goes from " + source + " to " + destination + ": one is IPv4, one is IPv6.");
    }
    return new AutoValue_PrefixPair(source, destination);
  }

  /** The pair of prefixes that the addresses are in. */
  public static PrefixPair of(IpAddress source, IpAddress destination, PrefixLengths lengths) {
    return of(lengths.prefixOf(source), lengths.prefixOf(destination));
  }

  /** Whether a packet between the two is one of this pair's. */
  public final boolean matches(IpAddress source, IpAddress destination) {
    return source().contains(source) && destination().contains(destination);
  }

  @Override
  public final int compareTo(PrefixPair other) {
    return ORDER.compare(this, other);
  }

  @Override
  public final String toString() {
    return source() + " -> " + destination();
  }
}
