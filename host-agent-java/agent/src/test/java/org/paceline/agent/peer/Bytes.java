package org.paceline.agent.peer;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** Messages as others write them, for tests that read them. */
final class Bytes {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** What Java's own TLS says first. */
  static byte[] clientHello(String serverName, String... applicationProtocols) throws Exception {
    SSLEngine engine = SSLContext.getDefault().createSSLEngine(serverName, 443);
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setApplicationProtocols(applicationProtocols);
    engine.setSSLParameters(parameters);
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), hello);
    byte[] bytes = new byte[hello.flip().limit()];
    hello.get(bytes);
    return bytes;
  }

  /** www.example.com is an alias of edge.example.net, whose addresses these are. */
  static byte[] answer(int id, int seconds, String... addresses) throws Exception {
    Bytes bytes = new Bytes().header(id, 0x8180, 1 + addresses.length);
    // The question's name is at 12, its ".com" at 24, the alias' target where it is written.
    bytes.name("www.example.com").u16(1).u16(1);
    bytes.u16(0xc00c).u16(5).u16(1).u16(0).u16(seconds);
    int target = 12 + 17 + 4 + 2 + 10;
    bytes.u16(2 + "edge.example.net".length()).name("edge.example.net");
    for (String text : addresses) {
      byte[] address = InetAddress.getByName(text).getAddress();
      bytes.u16(0xc000 | target).u16(address.length == 4 ? 1 : 28).u16(1).u16(0).u16(seconds);
      bytes.u16(address.length).raw(address);
    }
    return bytes.bytes();
  }

  static byte[] question(int id) {
    return new Bytes().header(id, 0x0100, 0).name("WWW.Example.com").u16(1).u16(1).bytes();
  }

  /** Some bytes of it changed, or its end cut off. */
  static byte[] mangled(byte[] sound, Random random) {
    byte[] bytes =
        java.util.Arrays.copyOf(
            sound, random.nextInt(8) == 0 ? random.nextInt(sound.length) : sound.length);
    for (int i = random.nextInt(6); i > 0 && bytes.length > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  Bytes header(int id, int flags, int answers) {
    return u16(id).u16(flags).u16(1).u16(answers).u16(0).u16(0);
  }

  Bytes u16(int value) {
    out.write(value >> 8);
    out.write(value);
    return this;
  }

  Bytes raw(int... bytes) {
    for (int one : bytes) {
      out.write(one);
    }
    return this;
  }

  static byte[] text(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  Bytes raw(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  Bytes name(String name) {
    for (String label : name.split("\\.", -1)) {
      out.write(label.length());
      raw(text(label));
    }
    out.write(0);
    return this;
  }

  byte[] bytes() {
    return out.toByteArray();
  }
}
