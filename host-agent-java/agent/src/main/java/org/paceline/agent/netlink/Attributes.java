package org.paceline.agent.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads the attributes of a message, or of an attribute that has some itself. */
public record Attributes(ByteBuffer bytes) {
  private static final int HEADER = 4;
  // The upper bits of a type say how it is packed.
  private static final int TYPE = 0x3fff;

  public Attributes {
    bytes = bytes.slice().order(ByteOrder.nativeOrder());
  }

  /** The first one's content. */
  public Optional<ByteBuffer> find(int type) {
    int at = 0;
    while (at + HEADER <= bytes.limit()) {
      int length = Short.toUnsignedInt(bytes.getShort(at));
      if (length < HEADER || at + length > bytes.limit()) {
        return Optional.empty();
      }
      if ((bytes.getShort(at + 2) & TYPE) == type) {
        return Optional.of(
            bytes.slice(at + HEADER, length - HEADER).order(ByteOrder.nativeOrder()));
      }
      at += length + 3 & ~3;
    }
    return Optional.empty();
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

  /** The 32 bits at this offset of an attribute; 0 where there are none. */
  public long u32(int type, int offset) {
    return find(type)
        .filter(content -> content.limit() >= offset + Integer.BYTES)
        .map(content -> Integer.toUnsignedLong(content.getInt(offset)))
        .orElse(0L);
  }

  /** The first 64 bits of an attribute. */
  public Optional<Long> u64(int type) {
    return find(type).filter(content -> content.limit() >= Long.BYTES).map(c -> c.getLong(0));
  }
}
