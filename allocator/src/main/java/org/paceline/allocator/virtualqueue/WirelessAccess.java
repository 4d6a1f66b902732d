package org.paceline.allocator.virtualqueue;

import org.paceline.intents.unit.DataRate;

/**
 * How long frames of 802.11g occupy the channel, sent at once or after RTS and CTS. Gkantsidis et
 * al. 2009, section 3.4.1 and table 2, with what ERP-OFDM adds (IEEE 802.11-2020, clauses 17 and
 * 18): whole symbols, the service and tail bits, and the signal extension after each frame. All
 * durations are in seconds.
 */
public enum WirelessAccess {
  BASIC,
  RTS_CTS;

  static final double SLOT = 9e-6;

  private static final double SIFS = 10e-6;
  private static final double DIFS = 28e-6;
  private static final double PREAMBLE = 20e-6;
  private static final double SYMBOL = 4e-6;
  private static final double EXTENSION = 6e-6;
  private static final int SERVICE_AND_TAIL_BITS = 22;

  /** b_MAC: the header, LLC and the check sequence. */
  private static final int MAC_BYTES = 36;

  private static final int RTS_BITS = 160;
  private static final int ANSWER_BITS = 112;

  /** The mandatory rates of ERP-OFDM, in bit/s, greatest first. */
  private static final double[] MANDATORY = {24e6, 12e6, 6e6};

  /** T_O and the frame: from the channel being idle to the end of the acknowledgement. */
  double exchange(WirelessLink link) {
    double rate = bitsPerSecond(link.association());
    double reserved =
        this == RTS_CTS ? control(RTS_BITS, rate) + SIFS + control(ANSWER_BITS, rate) + SIFS : 0;
    return DIFS + reserved + frame(link) + SIFS + control(ANSWER_BITS, rate);
  }

  /**
   * T_coll of a collision in which no frame is longer: the frame that is lost, and EIFS, in which
   * others still leave room for its acknowledgement.
   */
  double collision(WirelessLink link) {
    double rate = bitsPerSecond(link.association());
    double lost = this == RTS_CTS ? control(RTS_BITS, rate) : frame(link);
    return lost + SIFS + control(ANSWER_BITS, rate) + DIFS;
  }

  private static double frame(WirelessLink link) {
    return onAir(MAC_BYTES * 8.0 + link.payloadBits(), bitsPerSecond(link.association()));
  }

  /** Control frames use the greatest mandatory rate that is no greater than the data's. */
  private static double control(int bits, double rate) {
    for (double mandatory : MANDATORY) {
      if (mandatory <= rate) {
        return onAir(bits, mandatory);
      }
    }
    return onAir(bits, MANDATORY[MANDATORY.length - 1]);
  }

  private static double onAir(double bits, double rate) {
    double symbols = Math.ceil((SERVICE_AND_TAIL_BITS + bits) / (rate * SYMBOL));
    return PREAMBLE + symbols * SYMBOL + EXTENSION;
  }

  private static double bitsPerSecond(DataRate rate) {
    return rate.millibitsPerSecond() / 1e3;
  }
}
