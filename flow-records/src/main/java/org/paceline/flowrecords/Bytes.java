package org.paceline.flowrecords;

/** A part of a datagram that is read from its start to its end, and never beyond. */
final class Bytes {
  private final byte[] all;
  private int at;
  private final int end;

  Bytes(byte[] all, int from, int end) {
    this.all = all;
    this.at = from;
    this.end = end;
  }

  int remaining() {
    return end - at;
  }

  /** The next bytes as a part of their own. */
  Bytes part(int length) throws Malformed {
    need(length);
    Bytes part = new Bytes(all, at, at + length);
    at += length;
    return part;
  }

  int unsignedByte() throws Malformed {
    return (int) number(1);
  }

  int unsignedShort() throws Malformed {
    return (int) number(2);
  }

  long unsignedInt() throws Malformed {
    return number(4);
  }

  /** Numbers of up to 8 bytes; exporters may leave out zeros that lead (RFC 7011, section 6.2). */
  long number(int length) throws Malformed {
    need(length);
    long value = 0;
    for (int i = 0; i < length; i++) {
      value = value << 8 | all[at++] & 0xff;
    }
    return value;
  }

  void skip(int length) throws Malformed {
    need(length);
    at += length;
  }

  private void need(int length) throws Malformed {
    if (length < 0 || length > end - at) {
      throw new Malformed();
    }
  }
}
