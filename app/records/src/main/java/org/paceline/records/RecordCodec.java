package org.paceline.records;

import java.io.IOException;

/** A value as text, and back. */
public interface RecordCodec<T> {
  /**
   * The schema version of what it writes, from 1; it reads this one and all before. It grows when
   * an older Paceline could not read, or would misread, what is written from then on.
   */
  int version();

  String write(T value);

  /**
   * @param version the schema version of the text, at most its own
   * @throws IOException or an {@link IllegalArgumentException} if the text is no such value
   */
  T read(String text, int version) throws IOException;
}
