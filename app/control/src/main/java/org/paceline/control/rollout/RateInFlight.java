package org.paceline.control.rollout;

import java.util.Optional;
import java.util.TreeMap;

/**
 * What an enforcer may hold at this moment of one thing that it is told, however the network delays
 * what it is told: the greatest of what it was read to hold and of what is on its way.
 */
final class RateInFlight {
  private final TreeMap<Long, Long> onTheirWay = new TreeMap<>();
  private long inForce;
  private Optional<Long> commanded = Optional.empty();
  private long answered;

  RateInFlight(long inForce) {
    this.inForce = inForce;
  }

  long possible() {
    return onTheirWay.values().stream().mapToLong(Long::longValue).reduce(inForce, Math::max);
  }

  /** What it was told last, whether it has answered or not. */
  Optional<Long> commanded() {
    return commanded;
  }

  void sent(long version, long rate) {
    onTheirWay.put(version, rate);
    commanded = Optional.of(rate);
  }

  /** Whether what it was told later is answered: then an answer to this one says nothing. */
  boolean isOutdated(long version) {
    return version < answered;
  }

  /** It was read to hold this after it had been told all up to this version. */
  void acknowledged(long version, long rate) {
    onTheirWay.headMap(version, true).clear();
    answered = version;
    inForce = rate;
  }

  /** It holds what it was told last of all up to this version. */
  void settled(long version) {
    Optional.ofNullable(onTheirWay.floorEntry(version))
        .ifPresent(told -> inForce = told.getValue());
    onTheirWay.headMap(version, true).clear();
  }

  boolean isUnanswered() {
    return !onTheirWay.isEmpty();
  }

  /** It was read to hold this between two changes. */
  void observed(long rate) {
    inForce = rate;
  }

  /** It is to be told again. */
  void forgetCommand() {
    commanded = Optional.empty();
  }

  /** Whatever it was told, it holds nothing any more. */
  void end() {
    onTheirWay.clear();
    inForce = 0;
    commanded = Optional.empty();
  }
}
