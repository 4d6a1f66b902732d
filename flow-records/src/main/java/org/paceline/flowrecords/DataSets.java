package org.paceline.flowrecords;

import java.util.Optional;
import java.util.function.Consumer;
import org.paceline.intents.flow.FlowRecord;

/** Sets of records by templates, which NetFlow 9 and IPFIX have in common. */
final class DataSets {
  /** Sets with lower numbers define templates. */
  static final int FIRST = 256;

  static final int UNKNOWN = -1;

  private final Tally tally;
  private final Consumer<FlowRecord> sink;
  private final FieldValues values = new FieldValues();

  DataSets(Tally tally, Consumer<FlowRecord> sink) {
    this.tally = tally;
    this.sink = sink;
  }

  /**
   * Reads a set.
   *
   * @return how many records it holds, or {@link #UNKNOWN} for want of its template
   */
  int read(int id, Bytes set, Exporter exporter, ExportClock clock) throws Malformed {
    Optional<Template> known = exporter.template(id);
    if (known.isEmpty()) {
      tally.unknownTemplates++;
      return UNKNOWN;
    }
    Template template = known.get();
    int records = 0;
    while (set.remaining() >= template.shortest()) {
      template.read(set, values);
      records++;
      if (template.isOptions()) {
        values.tell(exporter.sampling);
        continue;
      }
      Optional<FlowRecord> flow = values.flow(clock, exporter.sampling);
      if (flow.isPresent()) {
        tally.records++;
        sink.accept(flow.get());
      } else {
        tally.incomplete++;
      }
    }
    return records;
  }
}
