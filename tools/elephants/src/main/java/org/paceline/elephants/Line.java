package org.paceline.elephants;

import java.nio.charset.StandardCharsets;
import org.paceline.intents.document.Quoted;

/**
 * One line of a CSV file, in the buffer that it was read into: a million of them are read in a
 * second, so no text is made of any field but those that are refused.
 */
final class Line {
  private static final int MOST_FIELDS = 256;

  private byte[] bytes = {};
  private final int[] from = new int[MOST_FIELDS];
  private final int[] to = new int[MOST_FIELDS];
  private int size;

  /**
   * Reads the fields up to the end of the line; those that are too many for any known layout are
   * left out.
   *
   * @return where the line ends, or the limit if it does not end before
   */
  int read(byte[] buffer, int start, int limit) {
    bytes = buffer;
    size = 0;
    int field = start;
    int at = start;
    for (; at < limit && buffer[at] != '\n'; at++) {
      if (buffer[at] == ',') {
        trim(field, at);
        field = at + 1;
      }
    }
    trim(field, at);
    return at;
  }

  private void trim(int start, int end) {
    if (size == MOST_FIELDS) {
      return;
    }
    int first = start;
    int last = end;
    while (first < last && (bytes[first] & 0xff) <= ' ') {
      first++;
    }
    while (first < last && (bytes[last - 1] & 0xff) <= ' ') {
      last--;
    }
    from[size] = first;
    to[size] = last;
    size++;
  }

  boolean isEmpty() {
    return size == 1 && length(0) == 0;
  }

  int fields() {
    return size;
  }

  int length(int field) {
    return to[field] - from[field];
  }

  byte at(int field, int index) {
    return bytes[from[field] + index];
  }

  String text(int field) {
    return new String(bytes, from[field], length(field), StandardCharsets.UTF_8);
  }

  String quoted(int field) {
    return Quoted.of(text(field));
  }
}
