package org.paceline.elephants;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

/** Reads flow records from CSV: docs/operate/elephants.md has the layouts. */
final class CsvRecords {
  private static final int BUFFER = 1 << 20;

  /** What nfdump writes below its records. */
  private static final List<byte[]> ENDS =
      List.of(
          "Summary".getBytes(StandardCharsets.US_ASCII),
          "No matching flows".getBytes(StandardCharsets.US_ASCII));

  private static final long MOST_SAMPLING = 1 << 24;

  private final String file;
  private final Moments moments;
  private final Addresses addresses = new Addresses();
  private final Line line = new Line();
  private long number;

  CsvRecords(String file, ZoneId zone) {
    this.file = file;
    this.moments = Moments.in(zone);
  }

  /**
   * @throws Refusal if a line is no flow record
   */
  void read(InputStream in, Consumer<FlowRecord> sink) throws IOException, Refusal {
    byte[] buffer = new byte[BUFFER];
    int filled = 0;
    CsvColumns columns = null;
    boolean open = true;
    while (open) {
      int read = in.read(buffer, filled, buffer.length - filled);
      int end = filled + Math.max(0, read);
      open = read >= 0;
      int start = 0;
      while (start < end) {
        int lineEnd = line.read(buffer, start, end);
        if (lineEnd == end && open) {
          // The rest of the line comes with the next bytes.
          break;
        }
        number++;
        if (isEnd(buffer, start, lineEnd)) {
          // Nothing else is of interest, but who writes it must not wait for ever.
          in.transferTo(OutputStream.nullOutputStream());
          return;
        }
        if (columns == null) {
          columns = line.isEmpty() ? null : CsvColumns.of(line, file);
        } else if (!line.isEmpty()) {
          sink.accept(record(columns));
        }
        start = lineEnd + 1;
      }
      filled = Math.max(0, end - start);
      if (filled == buffer.length) {
        throw refused("is longer than " + BUFFER + " bytes. Maybe it is no CSV file.");
      }
      System.arraycopy(buffer, end - filled, buffer, 0, filled);
    }
    if (columns == null) {
      throw new Refusal(file + " is empty. Maybe its writer has not ended yet.");
    }
  }

  private static boolean isEnd(byte[] buffer, int start, int end) {
    // No record begins with a capital letter.
    return buffer[start] >= 'A'
        && ENDS.stream().anyMatch(e -> Arrays.equals(buffer, start, end, e, 0, e.length));
  }

  private FlowRecord record(CsvColumns columns) throws Refusal {
    if (line.fields() <= columns.last) {
      throw refused(
          "has "
              + line.fields()
              + " fields where the header has more. Maybe the file was cut off: leave that line"
              + " out.");
    }
    IpAddress source = address(columns.source);
    IpAddress destination = address(columns.destination);
    long start = moment(columns.start);
    long end = moment(columns.end);
    long bytes = whole(columns.bytes);
    if (columns.sampling >= 0) {
      bytes = sampled(bytes, whole(columns.sampling));
    }
    try {
      return FlowRecord.of(source, destination, start, end, bytes);
    } catch (IllegalArgumentException e) {
      throw refused("is refused. " + e.getMessage());
    }
  }

  private long sampled(long bytes, long sampling) throws Refusal {
    if (sampling < 1 || sampling > MOST_SAMPLING) {
      throw refused(
          "says that one of ("
              + sampling
              + ") packets was looked at. Maybe 1, where all were; the most is "
              + MOST_SAMPLING
              + ".");
    }
    try {
      return Math.multiplyExact(bytes, sampling);
    } catch (ArithmeticException e) {
      throw refused("counts more bytes than there are: " + bytes + " times " + sampling + ".");
    }
  }

  private IpAddress address(int field) throws Refusal {
    try {
      return addresses.address(line, field);
    } catch (IllegalArgumentException e) {
      throw refused(
          "has " + line.quoted(field) + " for an address. Maybe 10.0.0.1 or 2001:db8::1.");
    }
  }

  private long moment(int field) throws Refusal {
    try {
      return moments.millis(line, field);
    } catch (NumberFormatException e) {
      throw refused(
          "has "
              + line.quoted(field)
              + " for a moment. Maybe 2026-03-02T08:00:00.250Z, or seconds since 1970.");
    }
  }

  private long whole(int field) throws Refusal {
    try {
      return Numbers.whole(line, field, 0, line.length(field));
    } catch (NumberFormatException e) {
      throw refused("has " + line.quoted(field) + " where a whole number is expected.");
    }
  }

  private Refusal refused(String what) {
    return new Refusal(file + ": line " + Math.max(1, number) + " " + what);
  }
}
