package org.paceline.flowrecords;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** What one exporter says of itself: how it samples, and when it started. */
final class Sampling {
  /** One packet of more than that is no sample. */
  static final double MOST = 1 << 24;

  private static final int MOST_SAMPLERS = 64;

  private final Map<Long, Double> rates = new HashMap<>();
  private double all = 1;
  private OptionalLong systemStart = OptionalLong.empty();

  /**
   * @param sampler empty for all of the exporter's records that name none
   */
  void set(OptionalLong sampler, double rate) {
    if (sampler.isEmpty()) {
      all = rate;
    } else if (rates.size() < MOST_SAMPLERS || rates.containsKey(sampler.getAsLong())) {
      rates.put(sampler.getAsLong(), rate);
    }
  }

  /** One of how many packets is looked at; 1 where nobody has said. */
  double rate(OptionalLong sampler) {
    return sampler.isPresent() ? rates.getOrDefault(sampler.getAsLong(), all) : all;
  }

  void setSystemStart(long millis) {
    systemStart = OptionalLong.of(millis);
  }

  /** In milliseconds since 1970. */
  OptionalLong systemStart() {
    return systemStart;
  }
}
