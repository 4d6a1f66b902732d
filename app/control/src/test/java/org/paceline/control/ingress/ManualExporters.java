package org.paceline.control.ingress;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.paceline.control.settings.ElephantListSettings;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

/** Exporters that tell what the test says. */
public final class ManualExporters implements FlowRecordSource {
  private final Map<IpAddress, ExporterCounts> counts = new TreeMap<>();
  private BiConsumer<IpAddress, FlowRecord> sink = (exporter, record) -> {};
  private Optional<String> trouble = Optional.empty();

  @Override
  public void receive(ElephantListSettings settings, BiConsumer<IpAddress, FlowRecord> sink) {
    this.sink = sink;
  }

  /** A datagram with one record. */
  public void tell(IpAddress exporter, FlowRecord record) {
    ExporterCounts before = counts.getOrDefault(exporter, ExporterCounts.NONE);
    counts.put(
        exporter,
        ExporterCounts.builder()
            .datagrams(before.datagrams() + 1)
            .records(before.records() + 1)
            .malformed(before.malformed())
            .build());
    sink.accept(exporter, record);
  }

  /** Datagrams that are none. */
  void tellNonsense(IpAddress exporter, int times) {
    ExporterCounts before = counts.getOrDefault(exporter, ExporterCounts.NONE);
    counts.put(
        exporter,
        ExporterCounts.builder()
            .datagrams(before.datagrams() + times)
            .records(before.records())
            .malformed(before.malformed() + times)
            .build());
  }

  void trouble(String why) {
    trouble = Optional.of(why);
  }

  @Override
  public Map<IpAddress, ExporterCounts> counts() {
    return Map.copyOf(counts);
  }

  @Override
  public long refused() {
    return 0;
  }

  @Override
  public Optional<String> trouble() {
    return trouble;
  }
}
