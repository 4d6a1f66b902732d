package org.paceline.records;

import java.io.IOException;

/** A value as text, and back. */
public interface RecordCodec<T> {
  /**
   * The greatest schema version of what it writes, from 1; it reads this one and all before. It
   * grows when an older Paceline could not read, or would misread, what is written from then on.
   */
  int version();

  /**
   * The schema version of this value's text: a lesser one where it has nothing that an older
   * Paceline does not know, so that none is kept from what it could read.
   */
  default int version(T value) {
    return version();
  }

  String write(T value);

  /**
   * @param version the schema version of the text, at most its own
   * @throws IOException or an {@link IllegalArgumentException} if the text is no such value
   */
  T read(String text, int version) throws IOException;
}
