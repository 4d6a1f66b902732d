package org.paceline.gateway;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.paceline.control.ingress.ExporterCounts;
import org.paceline.control.ingress.FlowRecordSource;
import org.paceline.control.settings.ElephantListSettings;
import org.paceline.control.work.Faults;
import org.paceline.flowrecords.DecodeCounts;
import org.paceline.flowrecords.FlowCollector;
import org.paceline.flowrecords.FlowDecoder;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

/**
 * Flow records of exporters at a UDP port, which is open only while the settings name any. UDP is
 * believed as it comes: whoever can send by the address of an exporter can invent flows.
 */
public final class FlowRecordReceiver implements FlowRecordSource, AutoCloseable {
  private final Faults faults;
  private Optional<ElephantListSettings> wanted = Optional.empty();
  private Map<IpAddress, FlowDecoder> decoders = Map.of();
  private Optional<FlowCollector> collector = Optional.empty();
  private Optional<String> trouble = Optional.empty();
  private boolean isClosed;

  public FlowRecordReceiver(Faults faults) {
    this.faults = faults;
  }

  @Override
  public synchronized void receive(
      ElephantListSettings settings, BiConsumer<IpAddress, FlowRecord> sink) {
    boolean isSame =
        wanted
            .filter(before -> before.place().equals(settings.place()))
            .filter(before -> before.senders().equals(settings.senders()))
            .isPresent();
    wanted = Optional.of(settings);
    if (isClosed || isSame && trouble.isEmpty()) {
      return;
    }
    end();
    if (!settings.senders().isEmpty()) {
      open(settings, sink);
    }
  }

  private void open(ElephantListSettings settings, BiConsumer<IpAddress, FlowRecord> sink) {
    FlowDecoder all = new FlowDecoder(record -> {});
    Map<IpAddress, FlowDecoder> made = new TreeMap<>();
    for (IpAddress exporter : settings.senders()) {
      made.put(exporter, all.another(record -> sink.accept(exporter, record)));
    }
    InetSocketAddress place =
        new InetSocketAddress(settings.place().getHostString(), settings.place().getPort());
    try {
      collector =
          Optional.of(
              FlowCollector.open(
                  place,
                  from -> Optional.ofNullable(made.get(from)),
                  bug ->
                      faults.write("A flow record could not be taken in; the next one is", bug)));
      decoders = made;
    } catch (IOException e) {
      trouble =
          Optional.of(
              "No flow records are received: the UDP port ("
                  + place
                  + ") cannot be had, for: "
                  + e.getMessage()
                  + ". Maybe another collector has it; end that one, or choose another port for"
                  + " both flowPort and the exporters. Setting any setting tries again.");
    }
  }

  private void end() {
    collector.ifPresent(FlowCollector::close);
    collector = Optional.empty();
    decoders = Map.of();
    trouble = Optional.empty();
  }

  @Override
  public synchronized Map<IpAddress, ExporterCounts> counts() {
    Map<IpAddress, ExporterCounts> counts = new TreeMap<>();
    decoders.forEach((exporter, decoder) -> counts.put(exporter, counts(decoder.counts())));
    return counts;
  }

  private static ExporterCounts counts(DecodeCounts decoded) {
    return ExporterCounts.builder()
        .datagrams(decoded.datagrams())
        .records(decoded.records())
        .malformed(decoded.malformed())
        .unknownTemplates(decoded.unknownTemplates())
        .incomplete(decoded.incomplete())
        .lostRecords(decoded.lostRecords())
        .lostDatagrams(decoded.lostDatagrams())
        .build();
  }

  @Override
  public synchronized long refused() {
    return collector.map(FlowCollector::refused).orElse(0L);
  }

  @Override
  public synchronized Optional<String> trouble() {
    return trouble;
  }

  /** When it returns, nothing is received any more and the port is free. */
  @Override
  public synchronized void close() {
    isClosed = true;
    end();
  }
}
