package org.paceline.flowrecords;

import java.util.function.Consumer;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

/** NetFlow version 5: records of one layout, IPv4 only. */
final class NetFlow5 {
  static final int VERSION = 5;

  private static final int RECORD = 48;
  private static final int SAMPLING_BITS = 0x3fff;

  private final Exporters exporters;
  private final Tally tally;
  private final Consumer<FlowRecord> sink;

  NetFlow5(Exporters exporters, Tally tally, Consumer<FlowRecord> sink) {
    this.exporters = exporters;
    this.tally = tally;
    this.sink = sink;
  }

  /** Reads what follows the version. */
  void decode(IpAddress address, Bytes datagram) throws Malformed {
    int count = datagram.unsignedShort();
    long uptime = datagram.unsignedInt();
    long seconds = datagram.unsignedInt();
    long nanoseconds = datagram.unsignedInt();
    long sequence = datagram.unsignedInt();
    int engine = datagram.unsignedShort();
    // The two bits above say how packets are chosen, which does not matter here.
    int interval = Math.max(1, datagram.unsignedShort() & SAMPLING_BITS);
    Exporter exporter = exporters.get(address, VERSION, engine);
    tally.lostRecords(exporter.sequence.took(sequence, count));
    ExportClock clock = ExportClock.of(seconds * 1_000 + nanoseconds / 1_000_000, uptime);
    for (int i = 0; i < count; i++) {
      record(datagram.part(RECORD), clock, interval);
    }
    if (datagram.remaining() > 0) {
      throw new Malformed();
    }
  }

  private void record(Bytes record, ExportClock clock, int interval) throws Malformed {
    IpAddress source = IpAddress.ofIpv4((int) record.unsignedInt());
    IpAddress destination = IpAddress.ofIpv4((int) record.unsignedInt());
    // The next hop, the interfaces and the number of packets.
    record.skip(12);
    long bytes = record.unsignedInt() * interval;
    long first = clock.atUptime(record.unsignedInt());
    long last = clock.atUptime(record.unsignedInt());
    try {
      sink.accept(FlowRecord.of(source, destination, first, last, bytes));
      tally.records++;
    } catch (IllegalArgumentException e) {
      tally.incomplete++;
    }
  }
}
