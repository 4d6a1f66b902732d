package org.paceline.elephants;

import java.util.List;
import org.paceline.allocator.elephant.ListedPair;

/** The prefix list as CSV, for what makes filters of it. */
final class CsvList {
  private CsvList() {}

  static String of(List<ListedPair> list) {
    StringBuilder text = new StringBuilder("source,destination,alphaBytes,lastSeen\n");
    for (ListedPair one : list) {
      text.append(one.pair().source()).append(',').append(one.pair().destination());
      text.append(',').append(one.bytes()).append(',').append(one.lastSeen()).append('\n');
    }
    return text.toString();
  }
}
