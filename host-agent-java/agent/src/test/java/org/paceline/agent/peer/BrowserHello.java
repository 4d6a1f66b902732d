package org.paceline.agent.peer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The first message of a browser, as Chromium 156 sent it to a socket on loopback: what it holds
 * and how long each part is. Values that mean nothing are scattered about (GREASE, RFC 8701), keys
 * are for X25519MLKEM768 (draft-ietf-tls-ecdhe-mlkem) and X25519, an encrypted hello is feigned
 * (draft-ietf-tls-esni, 6.2), and extensions are in any order but the first and the last.
 */
final class BrowserHello {
  private static final int POST_QUANTUM_KEY = 1_216;
  private static final int KEY = 32;
  private static final int LEAST_FEIGNED_HELLO = 144;
  static final int LEAST = 1_733;
  static final int MOST = LEAST + 3 * 32;
  private static final int[] CIPHERS = {
    0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc013, 0xc014, 0x009c,
    0x009d, 0x002f, 0x0035
  };
  private static final int[] SIGNATURES = {
    0x0904, 0x0905, 0x0906, 0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601
  };

  private final Random random;

  private BrowserHello(Random random) {
    this.random = random;
  }

  /**
   * @param serverName of 15 letters, for {@link #LEAST} and {@link #MOST} to be its length
   */
  static byte[] to(String serverName, Random random) {
    return new BrowserHello(random).hello(serverName);
  }

  private byte[] hello(String serverName) {
    List<byte[]> extensions =
        new ArrayList<>(
            List.of(
                extension(0, new Bytes().u16(serverName.length() + 3).raw(name(serverName))),
                extension(5, new Bytes().raw(1, 0, 0, 0, 0)),
                extension(10, values(0x11ec, 29, 23, 24)),
                extension(11, new Bytes().raw(1, 0)),
                extension(13, values(SIGNATURES)),
                extension(16, protocols(new Bytes().raw(2, 'h', '2'), "http/1.1")),
                extension(18, new Bytes()),
                extension(23, new Bytes()),
                extension(27, new Bytes().raw(2, 0, 2)),
                extension(35, new Bytes()),
                extension(43, new Bytes().raw(6).u16(grease()).u16(0x0304).u16(0x0303)),
                extension(45, new Bytes().raw(1, 1)),
                extension(51, keys()),
                extension(0x44cd, protocols(new Bytes(), "h2")),
                extension(0xfe0d, feigned()),
                extension(0xff01, new Bytes().raw(0))));
    Collections.shuffle(extensions, random);
    Bytes all = new Bytes().raw(extension(grease(), new Bytes()));
    extensions.forEach(all::raw);
    byte[] whole = all.raw(extension(grease(), new Bytes().raw(0))).bytes();
    byte[] body =
        new Bytes()
            .u16(0x0303)
            .raw(some(32))
            .raw(32)
            .raw(some(32))
            .raw(values(CIPHERS).bytes())
            .raw(1, 0)
            .u16(whole.length)
            .raw(whole)
            .bytes();
    return new Bytes()
        .raw(22, 3, 1)
        .u16(body.length + 4)
        .raw(1, 0)
        .u16(body.length)
        .raw(body)
        .bytes();
  }

  private static byte[] extension(int type, Bytes value) {
    byte[] bytes = value.bytes();
    return new Bytes().u16(type).u16(bytes.length).raw(bytes).bytes();
  }

  private static byte[] name(String name) {
    byte[] text = Bytes.text(name);
    return new Bytes().raw(0).u16(text.length).raw(text).bytes();
  }

  private static Bytes protocols(Bytes first, String last) {
    byte[] all = first.raw(last.length()).raw(Bytes.text(last)).bytes();
    return new Bytes().u16(all.length).raw(all);
  }

  /** Behind one that means nothing. */
  private Bytes values(int... values) {
    Bytes bytes = new Bytes().u16(2 + 2 * values.length).u16(grease());
    Arrays.stream(values).forEach(bytes::u16);
    return bytes;
  }

  private Bytes keys() {
    byte[] all =
        new Bytes()
            .u16(grease())
            .u16(1)
            .raw(0)
            .u16(0x11ec)
            .u16(POST_QUANTUM_KEY)
            .raw(some(POST_QUANTUM_KEY))
            .u16(29)
            .u16(KEY)
            .raw(some(KEY))
            .bytes();
    return new Bytes().u16(all.length).raw(all);
  }

  private Bytes feigned() {
    int size = LEAST_FEIGNED_HELLO + 32 * random.nextInt(4);
    return new Bytes()
        .raw(0, 0, 1, 0, 1, random.nextInt(256))
        .u16(KEY)
        .raw(some(KEY))
        .u16(size)
        .raw(some(size));
  }

  private int grease() {
    int half = random.nextInt(16) << 4 | 0x0a;
    return half << 8 | half;
  }

  private byte[] some(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
