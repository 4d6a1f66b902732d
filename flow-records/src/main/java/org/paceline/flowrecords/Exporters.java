package org.paceline.flowrecords;

import com.google.auto.value.AutoValue;
import java.util.Map;
import org.paceline.intents.address.IpAddress;

/** All exporters that were heard of, up to a bound: who was not heard for longest is forgotten. */
final class Exporters {
  private static final int MOST = 256;

  /** One address may export for several observation domains, each with templates of its own. */
  @AutoValue
  abstract static class Key {
    abstract IpAddress address();

    abstract int version();

    abstract long domain();
  }

  private final Map<Key, Exporter> known = new RecentMap<>(MOST);

  Exporter get(IpAddress address, int version, long domain) {
    return known.computeIfAbsent(
        new AutoValue_Exporters_Key(address, version, domain), any -> new Exporter());
  }
}
