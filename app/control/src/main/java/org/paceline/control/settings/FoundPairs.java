package org.paceline.control.settings;

import com.google.auto.value.AutoValue;
import java.util.Set;
import org.paceline.allocator.elephant.PrefixLengths;
import org.paceline.allocator.elephant.PrefixPair;
import org.paceline.intents.address.IpAddress;

/** The pairs of prefixes on lists of elephants, all of the same lengths, for a quick match. */
@AutoValue
public abstract class FoundPairs {
  public static final FoundPairs NONE = of(PrefixLengths.HOSTS, Set.of());

  abstract PrefixLengths lengths();

  public abstract Set<PrefixPair> pairs();

  /**
   * @param lengths those of all pairs
   */
  public static FoundPairs of(PrefixLengths lengths, Set<PrefixPair> pairs) {
    return new AutoValue_FoundPairs(lengths, Set.copyOf(pairs));
  }

  /** Whether what is sent from here to there is between a pair. */
  public final boolean matches(IpAddress source, IpAddress destination) {
    return source.isIpv4() == destination.isIpv4()
        && pairs().contains(PrefixPair.of(source, destination, lengths()));
  }
}
