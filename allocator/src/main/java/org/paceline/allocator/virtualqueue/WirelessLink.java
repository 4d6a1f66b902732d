package org.paceline.allocator.virtualqueue;

import com.google.auto.value.AutoValue;
import org.paceline.intents.unit.DataRate;

/**
 * One way through the air of a cell, from a host to its access point or back, i -> j in Gkantsidis
 * et al. 2009. Its frames have one payload and one association rate, those of 802.11g.
 */
@AutoValue
public abstract class WirelessLink {
  /** The longest MSDU. */
  public static final int MOST_PAYLOAD = 2304;

  /** Below it a host speaks 802.11b, with other preambles and slots. */
  public static final DataRate LEAST_RATE = DataRate.ofKilobitsPerSecond(6_000);

  /** Unique in its cell. */
  public abstract String id();

  /** Who contends for the air: a host, or the access point for all links that leave it. */
  public abstract String transmitter();

  /** L_ij: of an IP packet, its headers included. */
  public abstract int payloadBytes();

  /** r_ij. */
  public abstract DataRate association();

  /**
   * @throws IllegalArgumentException if the payload or the rate is not 802.11g's
   */
  public static WirelessLink of(
      String id, String transmitter, int payloadBytes, DataRate association) {
    if (payloadBytes < 1 || payloadBytes > MOST_PAYLOAD) {
      throw new IllegalArgumentException(
          "The payload of the wireless link ("
              + id
              + ") must be from 1 to "
              + MOST_PAYLOAD
              + " bytes and not "
              + payloadBytes
              + ". Maybe 1500.");
    }
    if (association.compareTo(LEAST_RATE) < 0) {
      throw new IllegalArgumentException(
          "The association rate ("
              + association
              + ") of the wireless link ("
              + id
              + ") must be at least "
              + LEAST_RATE
              + ", the least of 802.11g. Maybe the host is not associated, or speaks 802.11b.");
    }
    return new AutoValue_WirelessLink(id, transmitter, payloadBytes, association);
  }

  double payloadBits() {
    return payloadBytes() * 8.0;
  }
}
