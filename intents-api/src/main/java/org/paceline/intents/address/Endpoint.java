package org.paceline.intents.address;

import com.google.auto.value.AutoValue;

/** Where packets come from or go to: one address, or all that share a prefix. */
@AutoValue
public abstract class Endpoint {
  /** The same for every way to write it: an address, or a prefix with its length. */
  abstract String text();

  public abstract AddressPrefix prefix();

  /**
   * Reads {@code 10.0.0.1}, {@code 10.0.0.0/24}, or the like of IPv6. A prefix of all bits is the
   * address. What has bits behind its prefix is refused: who writes 10.0.0.9/29 may not know that
   * 10.0.0.14 is in it and 10.0.0.16 is not.
   *
   * @throws IllegalArgumentException if it is neither; no name is looked up
   */
  public static Endpoint parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      IpAddress address = IpAddress.parse(text);
      return of(AddressPrefix.of(address, address.width()));
    }
    AddressPrefix prefix = AddressPrefix.parse(text);
    if (!IpAddress.parse(text.substring(0, slash).trim()).equals(prefix.network())) {
      throw new IllegalArgumentException(
          "The prefix ("
              + text
              + ") has bits behind its length. Maybe you meant "
              + prefix
              + ", or an address without a length.");
    }
    return of(prefix);
  }

  private static Endpoint of(AddressPrefix prefix) {
    return new AutoValue_Endpoint(
        isAddress(prefix) ? prefix.network().toString() : prefix.toString(), prefix);
  }

  private static boolean isAddress(AddressPrefix prefix) {
    return prefix.length() == prefix.network().width();
  }

  /** Whether it is one address and no more. */
  public final boolean isAddress() {
    return isAddress(prefix());
  }

  /** Whether there are addresses in both. */
  public final boolean overlaps(Endpoint other) {
    return prefix().covers(other.prefix()) || other.prefix().covers(prefix());
  }

  @Override
  public final String toString() {
    return text();
  }
}
