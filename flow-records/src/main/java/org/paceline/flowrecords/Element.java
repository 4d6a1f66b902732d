package org.paceline.flowrecords;

import java.util.Arrays;

/**
 * The information elements that are of use here, by their numbers in IANA's registry; NetFlow 9 has
 * the same numbers for those that it knows.
 */
enum Element {
  OCTETS(1),
  SOURCE_IPV4(8),
  DESTINATION_IPV4(12),
  END_UPTIME(21),
  START_UPTIME(22),
  SOURCE_IPV6(27),
  DESTINATION_IPV6(28),
  SAMPLING_INTERVAL(34),
  SAMPLER_ID(48),
  SAMPLER_INTERVAL(50),
  TOTAL_OCTETS(85),
  START_SECONDS(150),
  END_SECONDS(151),
  START_MILLISECONDS(152),
  END_MILLISECONDS(153),
  START_MICROSECONDS(154),
  END_MICROSECONDS(155),
  START_NANOSECONDS(156),
  END_NANOSECONDS(157),
  START_BEFORE_EXPORT(158),
  END_BEFORE_EXPORT(159),
  SYSTEM_START(160),
  DURATION_MILLISECONDS(161),
  SELECTOR_ID(302),
  PACKET_INTERVAL(305),
  PACKET_SPACE(306),
  SAMPLE_SIZE(309),
  POPULATION(310),
  PROBABILITY(311),
  /** Any other one. */
  OTHER(-1);

  private static final Element[] BY_NUMBER = new Element[512];

  static {
    Arrays.fill(BY_NUMBER, OTHER);
    for (Element one : values()) {
      if (one.number >= 0) {
        BY_NUMBER[one.number] = one;
      }
    }
  }

  private final int number;

  Element(int number) {
    this.number = number;
  }

  static Element of(int number) {
    return number < BY_NUMBER.length ? BY_NUMBER[number] : OTHER;
  }
}
