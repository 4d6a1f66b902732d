package org.paceline.elephants;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Where in each line what stands, by the header. */
final class CsvColumns {
  /** Paceline's own names, and those that {@code nfdump -o csv} has. */
  private static final List<List<String>> LAYOUTS =
      List.of(
          List.of("start", "end", "source", "destination", "bytes"),
          List.of("ts", "te", "sa", "da", "ibyt"));

  final int start;
  final int end;
  final int source;
  final int destination;
  final int bytes;

  /** -1 where the bytes are all that was sent. */
  final int sampling;

  /** The greatest of them. */
  final int last;

  private CsvColumns(List<String> columns, List<String> names) {
    this.start = columns.indexOf(names.get(0));
    this.end = columns.indexOf(names.get(1));
    this.source = columns.indexOf(names.get(2));
    this.destination = columns.indexOf(names.get(3));
    this.bytes = columns.indexOf(names.get(4));
    this.sampling = columns.indexOf("sampling");
    this.last = IntStream.of(start, end, source, destination, bytes, sampling).max().getAsInt();
  }

  /**
   * @throws Refusal if it is no header of flow records
   */
  static CsvColumns of(Line header, String file) throws Refusal {
    List<String> columns = new ArrayList<>();
    for (int field = 0; field < header.fields(); field++) {
      columns.add(header.text(field).toLowerCase(Locale.ROOT));
    }
    for (List<String> names : LAYOUTS) {
      if (columns.containsAll(names)) {
        return new CsvColumns(columns, names);
      }
    }
    throw new Refusal(
        file
            + ": the first line, which begins with "
            + header.quoted(0)
            + ", is no header of flow records. Maybe let it begin with the line"
            + " start,end,source,destination,bytes or make it by: nfdump -r FILE -o csv");
  }
}
