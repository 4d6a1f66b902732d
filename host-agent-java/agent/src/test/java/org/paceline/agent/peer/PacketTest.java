package org.paceline.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.paceline.agent.flow.Transport;

class PacketTest {
  private static final byte[] SAID = {'h', 'e', 'l', 'l', 'o'};

  private static byte[] ipv4(int fragment) {
    return new Bytes()
        .u16(0x4500)
        .u16(20 + 20 + SAID.length)
        .u16(0)
        .u16(fragment)
        .u16(0x4006)
        .u16(0)
        .raw(new byte[] {10, 0, 0, 1, 10, 0, 0, 2})
        .raw(tcp())
        // The interface has made it longer.
        .u16(0)
        .bytes();
  }

  private static byte[] ipv6() {
    byte[] addresses = new byte[32];
    addresses[15] = 1;
    addresses[31] = 2;
    return new Bytes()
        .u16(0x6000)
        .u16(0)
        .u16(20 + SAID.length)
        .u16(0x0640)
        .raw(addresses)
        .raw(tcp())
        .bytes();
  }

  private static byte[] tcp() {
    return new Bytes()
        .u16(4000)
        .u16(443)
        .u16(1)
        .u16(2)
        .u16(0)
        .u16(0)
        .u16(0x5018)
        .u16(0)
        .u16(0)
        .u16(0)
        .raw(SAID)
        .bytes();
  }

  @Test
  void whatASegmentSaysIsFoundBehindEitherHeader() {
    for (byte[] bytes : new byte[][] {ipv4(0x4000), ipv6()}) {
      Packet packet = Packet.parse(ByteBuffer.wrap(bytes)).orElseThrow();

      assertThat(packet.transport()).isEqualTo(Transport.TCP);
      assertThat(packet.sourcePort()).isEqualTo(4000);
      assertThat(packet.destinationPort()).isEqualTo(443);
      assertThat(packet.sequence()).isEqualTo(0x10002);
      assertThat(packet.destination().getAddress()).endsWith(2);
      assertThat(packet.payload()).isEqualTo(ByteBuffer.wrap(SAID));
    }
    assertThat(Packet.parse(ByteBuffer.wrap(ipv4(3)))).isEmpty();
  }

  @Test
  void tenThousandMangledPacketsAreReadWithoutHarm() {
    Random random = new Random(20_261_122);
    int read = 0;
    for (int i = 0; i < 10_000; i++) {
      byte[] sound = i % 2 == 0 ? ipv4(0) : ipv6();
      Optional<Packet> packet = Packet.parse(ByteBuffer.wrap(Bytes.mangled(sound, random)));
      packet.ifPresent(p -> assertThat(p.payload().limit()).isLessThan(sound.length));
      read += packet.isPresent() ? 1 : 0;
    }
    assertThat(read).isBetween(1_000, 9_990);
  }
}
