package org.paceline.json.document;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.paceline.intents.document.DocumentLimits;

/**
 * Bounds what a document may take: its size, and the size of any one token. A parser holds a token
 * in memory as a whole, and older ones have no limit of their own.
 */
final class GuardedInput extends FilterInputStream {
  /** Why reading stopped although the source had more. */
  static final class Refused extends IOException {
    private final String reason;

    Refused(String reason) {
      super(reason);
      this.reason = reason;
    }

    String reason() {
      return reason;
    }
  }

  static final long MAX_TOKEN = 1L << 20;

  private final DocumentLimits limits;
  private long read;
  private long readAtToken;

  GuardedInput(InputStream source, DocumentLimits limits) {
    super(source);
    this.limits = limits;
  }

  /** The parser has made progress. */
  void tokenRead() {
    readAtToken = read;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int count = super.read(buffer, offset, length);
    if (count < 0) {
      return count;
    }
    read += count;
    if (read > limits.bytes()) {
      throw new Refused(
          "is larger than "
              + (limits.bytes() >> 20)
              + " MiB. Maybe join identical applications into one with a count, or check that it"
              + " is the file you meant.");
    }
    if (read - readAtToken > MAX_TOKEN) {
      throw new Refused(
          "holds a single text, number or gap of over "
              + (MAX_TOKEN >> 20)
              + " MiB. Maybe it is not the file you meant.");
    }
    return count;
  }
}
