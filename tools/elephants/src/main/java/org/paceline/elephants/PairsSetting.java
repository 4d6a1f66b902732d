package org.paceline.elephants;

import java.util.List;
import java.util.stream.Collectors;
import org.paceline.allocator.elephant.ListedPair;

/** The prefix list as the controller's setting {@code elephantPairs} takes it. */
final class PairsSetting {
  private PairsSetting() {}

  static String of(List<ListedPair> list) {
    return list.stream()
        .map(one -> one.pair().source() + ">" + one.pair().destination())
        .collect(Collectors.joining(",", "", "\n"));
  }
}
