package org.paceline.control.ingress;

import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.paceline.control.settings.ElephantListSettings;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

/** Where flow records come from. */
public interface FlowRecordSource {
  /**
   * From now on receives what these senders send, or nothing where there are none. All counts begin
   * anew if the exporters or the place are others than before.
   *
   * @param sink takes each record with who told it, in one thread; it must not fail
   */
  void receive(ElephantListSettings settings, BiConsumer<IpAddress, FlowRecord> sink);

  /** What has come so far from each of the exporters. */
  Map<IpAddress, ExporterCounts> counts();

  /** How many datagrams of others were dropped. */
  long refused();

  /** For a person: why nothing is received though it should; empty where all is well. */
  Optional<String> trouble();
}
