package org.paceline.agent.peer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The first message of a TLS connection, as far as it is there: the server name that it asks for
 * (RFC 8446, 4.1.2; RFC 6066, 3). Whatever the bytes are, reading them ends.
 *
 * @param cutOff whether the name can still be in what is missing at the end
 */
record ClientHello(Optional<String> serverName, boolean cutOff) {
  private static final ClientHello NONE = new ClientHello(Optional.empty(), false);
  private static final int RECORD_HEADER = 5;
  private static final int HANDSHAKE = 22;
  private static final int CLIENT_HELLO = 1;
  private static final int SERVER_NAME = 0;
  private static final int HOST_NAME = 0;
  private static final int LONGEST_RECORD = 1 << 14;

  static ClientHello parse(ByteBuffer bytes) {
    ByteBuffer hello = bytes.slice();
    if (!begins(hello)) {
      return NONE;
    }
    int length = Short.toUnsignedInt(hello.getShort(3));
    if (length > LONGEST_RECORD) {
      return NONE;
    }
    boolean whole = hello.limit() >= RECORD_HEADER + length;
    Reader reader =
        new Reader(hello.slice(0, Math.min(hello.limit(), RECORD_HEADER + length)), RECORD_HEADER);
    reader.skip(1 + 3 + 2 + 32);
    reader.skip(reader.u8());
    reader.skip(reader.u16());
    reader.skip(reader.u8());
    reader.u16();
    while (reader.isIn()) {
      int type = reader.u16();
      int size = reader.u16();
      if (reader.isIn() && type == SERVER_NAME) {
        return name(reader, whole);
      }
      reader.skip(size);
    }
    return new ClientHello(Optional.empty(), !whole);
  }

  /** Whether such a message begins here. */
  static boolean begins(ByteBuffer payload) {
    return payload.limit() > RECORD_HEADER
        && payload.get(0) == HANDSHAKE
        && payload.get(1) == 3
        && payload.get(RECORD_HEADER) == CLIENT_HELLO;
  }

  private static ClientHello name(Reader reader, boolean whole) {
    reader.u16();
    int type = reader.u8();
    Optional<String> text = reader.text(reader.u16());
    if (text.isEmpty()) {
      return new ClientHello(Optional.empty(), !whole);
    }
    return new ClientHello(text.filter(t -> type == HOST_NAME).flatMap(HostName::of), false);
  }

  /** Beyond the end everything is 0. */
  private static final class Reader {
    private final ByteBuffer bytes;
    private int at;

    Reader(ByteBuffer bytes, int at) {
      this.bytes = bytes;
      this.at = at;
    }

    boolean isIn() {
      return at < bytes.limit();
    }

    void skip(int count) {
      at = Math.min(bytes.limit(), at + count);
    }

    int u8() {
      return isIn() ? Byte.toUnsignedInt(bytes.get(at++)) : 0;
    }

    int u16() {
      return u8() << 8 | u8();
    }

    Optional<String> text(int length) {
      if (length == 0 || at + length > bytes.limit()) {
        return Optional.empty();
      }
      byte[] text = new byte[length];
      bytes.get(at, text);
      return Optional.of(new String(text, StandardCharsets.ISO_8859_1));
    }
  }
}
