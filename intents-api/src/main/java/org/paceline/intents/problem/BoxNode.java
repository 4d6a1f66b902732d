package org.paceline.intents.problem;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.intents.network.LinkId;

/** One box of a {@link BoxTree}. */
@AutoValue
public abstract class BoxNode {
  /**
   * Lambda, billionths of utility per millibit per second, from 0; absent links cost nothing. Empty
   * where the prices are those of the box that this one is a half of; the first box then has none.
   */
  public abstract Optional<Map<LinkId, Double>> prices();

  /** Empty where the prices show that the box holds nothing above the bound. */
  public abstract Optional<BoxSplit> split();

  public static BoxNode of(Optional<Map<LinkId, Double>> prices, Optional<BoxSplit> split) {
    return new AutoValue_BoxNode(
        prices.map(own -> Collections.unmodifiableMap(new TreeMap<>(own))), split);
  }
}
