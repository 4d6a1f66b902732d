package org.paceline.control.scheme.elephant;

import java.util.Map;
import java.util.Set;
import org.paceline.control.scheme.Scheme;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/**
 * What the scheme goes on with: which ports can keep elephants apart, how they were split, what
 * others were granted there, how full of others those were that it passed over, and the circuits.
 */
final class Splits implements Scheme.Memory {
  static final Splits NONE =
      new Splits(Set.of(), Map.of(), Map.of(), Map.of(), SeatedCircuits.NONE);

  private final Set<LinkId> able;
  private final Map<LinkId, DataRate> others;
  private final Map<LinkId, DataRate> granted;
  private final Map<LinkId, Long> passedOver;
  private final SeatedCircuits circuits;

  Splits(
      Set<LinkId> able,
      Map<LinkId, DataRate> others,
      Map<LinkId, DataRate> granted,
      Map<LinkId, Long> passedOver,
      SeatedCircuits circuits) {
    this.able = Set.copyOf(able);
    this.others = Map.copyOf(others);
    this.granted = Map.copyOf(granted);
    this.passedOver = Map.copyOf(passedOver);
    this.circuits = circuits;
  }

  /** The links whose ports can keep elephants apart. */
  Set<LinkId> able() {
    return able;
  }

  /** The share of all others at each port that is divided. */
  Map<LinkId, DataRate> others() {
    return others;
  }

  /** What they were granted there when it was. */
  DataRate granted(LinkId link) {
    return granted.getOrDefault(link, DataRate.ZERO);
  }

  Splits with(SeatedCircuits seated) {
    return new Splits(able, others, granted, passedOver, seated);
  }

  SeatedCircuits circuits() {
    return circuits;
  }

  /** What others had of each able port that no elephant leaves by, in twentieths of its link. */
  Map<LinkId, Long> passedOver() {
    return passedOver;
  }
}
