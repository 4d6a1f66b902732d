package org.paceline.control.audit;

import java.io.IOException;

/** Where numbered records go before they are removed. */
public interface RecordExport<T> {
  /**
   * When it returns they outlive a crash, and so does whatever was exported under the same numbers
   * before.
   *
   * @param first the least number that may be among them
   * @param last the greatest
   * @return where they are, as a sentence
   * @throws IOException if they cannot be written; says why for a person
   */
  String write(long first, long last, Iterable<T> records) throws IOException;
}
