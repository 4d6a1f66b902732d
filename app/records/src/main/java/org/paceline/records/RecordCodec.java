package org.paceline.records;

import java.io.IOException;

/** A value as text, and back. */
public interface RecordCodec<T> {
  String write(T value);

  /**
   * @throws IOException or an {@link IllegalArgumentException} if the text is no such value
   */
  T read(String text) throws IOException;
}
