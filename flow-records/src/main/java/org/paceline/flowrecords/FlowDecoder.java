package org.paceline.flowrecords;

import java.util.function.Consumer;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

/**
 * Makes flow records of datagrams of NetFlow 5 and 9 (RFC 3954) and IPFIX (RFC 7011), whoever sends
 * them: nothing in a datagram makes it fail, and all of them together make it remember 100 MB at
 * most. Bytes are multiplied by the sampling that the exporter states.
 *
 * <p>May be used by several threads, one at a time.
 */
public final class FlowDecoder {
  private final Tally tally = new Tally();
  private final Exporters exporters;
  private final NetFlow5 netFlow5;
  private final NetFlow9 netFlow9;
  private final Ipfix ipfix;

  /**
   * @param sink takes each record, in the thread that decodes
   */
  public FlowDecoder(Consumer<FlowRecord> sink) {
    this(new Exporters(), sink);
  }

  private FlowDecoder(Exporters exporters, Consumer<FlowRecord> sink) {
    this.exporters = exporters;
    DataSets dataSets = new DataSets(tally, sink);
    this.netFlow5 = new NetFlow5(exporters, tally, sink);
    this.netFlow9 = new NetFlow9(exporters, tally, dataSets);
    this.ipfix = new Ipfix(exporters, tally, dataSets);
  }

  /**
   * One with counts and a sink of its own that remembers exporters in the same 100 MB. The two must
   * not decode at once.
   */
  public FlowDecoder another(Consumer<FlowRecord> sink) {
    return new FlowDecoder(exporters, sink);
  }

  /**
   * Takes one datagram; what is wrong with it shows in the {@link #counts}.
   *
   * @param exporter who sent it
   * @param length how many bytes of the datagram there are, from its first
   */
  public synchronized void decode(IpAddress exporter, byte[] datagram, int length) {
    tally.datagrams++;
    try {
      Bytes bytes = new Bytes(datagram, 0, length);
      switch (bytes.unsignedShort()) {
        case NetFlow5.VERSION:
          netFlow5.decode(exporter, bytes);
          break;
        case NetFlow9.VERSION:
          netFlow9.decode(exporter, bytes);
          break;
        case Ipfix.VERSION:
          ipfix.decode(exporter, bytes);
          break;
        default:
          throw new Malformed();
      }
    } catch (Malformed e) {
      tally.malformed++;
    }
  }

  public synchronized DecodeCounts counts() {
    return tally.counts();
  }
}
