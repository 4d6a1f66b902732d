package org.paceline.allocator.elephant;

import java.util.Arrays;
import org.paceline.intents.flow.FlowRecord;

/** Millions of records in 28 bytes each: a file of a day has that many. */
final class RecordColumns {
  static final int NONE = -1;

  private static final int FIRST_ROOM = 1_024;

  private long[] start = new long[FIRST_ROOM];
  private long[] end = new long[FIRST_ROOM];
  private long[] bytes = new long[FIRST_ROOM];
  private int[] previous = new int[FIRST_ROOM];
  private int size;

  /**
   * @param before the record of the same ends that was added before, or NONE
   * @return by what its values are asked for
   */
  int add(FlowRecord record, int before) {
    // The shortest that a record can last: one packet has a rate, too.
    long lasts = Math.max(1, record.endMillis() - record.startMillis());
    return add(record.startMillis(), record.startMillis() + lasts, record.bytes(), before);
  }

  /** Takes over a record of others. */
  int add(RecordColumns others, int index, int before) {
    return add(others.start(index), others.end(index), others.bytes(index), before);
  }

  private int add(long started, long ended, long sent, int before) {
    if (size == start.length) {
      int room = Math.max(size + 1, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * size));
      start = Arrays.copyOf(start, room);
      end = Arrays.copyOf(end, room);
      bytes = Arrays.copyOf(bytes, room);
      previous = Arrays.copyOf(previous, room);
    }
    start[size] = started;
    end[size] = ended;
    bytes[size] = sent;
    previous[size] = before;
    return size++;
  }

  long start(int index) {
    return start[index];
  }

  long end(int index) {
    return end[index];
  }

  long bytes(int index) {
    return bytes[index];
  }

  int previous(int index) {
    return previous[index];
  }
}
