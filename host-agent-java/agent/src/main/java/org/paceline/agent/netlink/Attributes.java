package org.paceline.agent.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the attributes of a message, or of an attribute that has some itself. */
public record Attributes(ByteBuffer bytes) {
  private static final int HEADER = 4;
  // The upper bits of a type say how it is packed.
  private static final int TYPE = 0x3fff;

  public Attributes {
    bytes = bytes.slice().order(ByteOrder.nativeOrder());
  }

  /** Where the first one's header is; -1 where there is none. */
  private int at(int type) {
    int at = 0;
    while (at + HEADER <= bytes.limit()) {
      int length = length(at);
      if (length < HEADER || at + length > bytes.limit()) {
        return -1;
      }
      if ((bytes.getShort(at + 2) & TYPE) == type) {
        return at;
      }
      at += length + 3 & ~3;
    }
    return -1;
  }

  private int length(int at) {
    return Short.toUnsignedInt(bytes.getShort(at));
  }

  /** Where so much of its content begins; -1 where there is less. */
  private int content(int type, int leastBytes) {
    int at = at(type);
    return at >= 0 && length(at) - HEADER >= leastBytes ? at + HEADER : -1;
  }

  /** The first one's content. */
  public Optional<ByteBuffer> find(int type) {
    int at = at(type);
    return at < 0
        ? Optional.empty()
        : Optional.of(bytes.slice(at + HEADER, length(at) - HEADER).order(ByteOrder.nativeOrder()));
  }

  /** What is in it; nothing where it is not there. */
  public Attributes in(int type) {
    return new Attributes(find(type).orElse(ByteBuffer.allocate(0)));
  }

  public Optional<String> text(int type) {
    return find(type)
        .map(content -> StandardCharsets.UTF_8.decode(content).toString())
        .map(text -> text.substring(0, text.indexOf(0) < 0 ? text.length() : text.indexOf(0)));
  }

  /** Whether it is this text, in ASCII. */
  public boolean is(int type, String text) {
    // The kernel ends it with a zero.
    int at = content(type, text.length() + 1);
    boolean same = at >= 0 && bytes.get(at + text.length()) == 0;
    for (int i = 0; same && i < text.length(); i++) {
      same = bytes.get(at + i) == text.charAt(i);
    }
    return same;
  }

  /** The 32 bits at this offset of an attribute; 0 where there are none. */
  public long u32(int type, int offset) {
    int at = content(type, offset + Integer.BYTES);
    return at < 0 ? 0 : Integer.toUnsignedLong(bytes.getInt(at + offset));
  }

  /** The first 64 bits of an attribute. */
  public OptionalLong u64(int type) {
    int at = content(type, Long.BYTES);
    return at < 0 ? OptionalLong.empty() : OptionalLong.of(bytes.getLong(at));
  }
}
