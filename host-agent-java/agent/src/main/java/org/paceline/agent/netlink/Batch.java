package org.paceline.agent.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Netlink messages one after another, each built from its header to its last attribute. */
public final class Batch {
  static final int HEADER = 16;
  static final int REQUEST = 1;
  static final int ACKNOWLEDGE = 4;
  private static final int FLAGS = 6;
  private static final int ALIGNMENT = 4;
  // What one message of this program takes at most.
  static final int ROOM = 1_024;

  private final ByteBuffer bytes;
  private final List<Integer> starts = new ArrayList<>();

  Batch(ByteBuffer bytes) {
    this.bytes = bytes.order(ByteOrder.nativeOrder()).clear();
  }

  /** Begins a message; its attributes follow. */
  public Batch message(int type, int flags) {
    end();
    starts.add(bytes.position());
    bytes.putInt(0).putShort((short) type).putShort((short) (flags | REQUEST)).putInt(0).putInt(0);
    return this;
  }

  public Batch u8(int value) {
    bytes.put((byte) value);
    return this;
  }

  public Batch u16(int value) {
    bytes.putShort((short) value);
    return this;
  }

  public Batch u32(long value) {
    bytes.putInt((int) value);
    return this;
  }

  public Batch bytes(byte[] value) {
    bytes.put(value);
    return this;
  }

  public Batch text(int attribute, String value) {
    int start = begin(attribute);
    bytes.put(value.getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
    return end(start);
  }

  public Batch u64(int attribute, long value) {
    int start = begin(attribute);
    bytes.putLong(value);
    return end(start);
  }

  /** Begins an attribute; where it begins. */
  public int begin(int attribute) {
    int start = bytes.position();
    bytes.putShort((short) 0).putShort((short) attribute);
    return start;
  }

  /** Ends the attribute that began there. */
  public Batch end(int start) {
    bytes.putShort(start, (short) (bytes.position() - start));
    while (bytes.position() % ALIGNMENT != 0) {
      bytes.put((byte) 0);
    }
    return this;
  }

  boolean isFull() {
    return bytes.remaining() < ROOM;
  }

  int messages() {
    return starts.size();
  }

  /** Numbers the messages from here on, and asks for an answer to one of them; how many bytes. */
  int seal(int firstNumber, int answered) {
    end();
    for (int i = 0; i < starts.size(); i++) {
      bytes.putInt(starts.get(i) + 8, firstNumber + i);
    }
    int flags = starts.get(answered) + FLAGS;
    bytes.putShort(flags, (short) (bytes.getShort(flags) | ACKNOWLEDGE));
    return bytes.position();
  }

  private void end() {
    if (!starts.isEmpty()) {
      int start = starts.get(starts.size() - 1);
      bytes.putInt(start, bytes.position() - start);
    }
  }
}
