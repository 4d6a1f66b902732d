package org.paceline.flowrecords;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.paceline.intents.address.IpAddress;

/** 20,000 datagrams that are wrong in every way that chance finds. */
final class FlowDecoderFuzzTest {
  private static final int DATAGRAMS = 20_000;
  private static final int[] IDS = {0, 1, 2, 3, 255, 256, 257, 258, 0xffff};
  private static final int[] LENGTHS = {0, 1, 2, 3, 4, 4, 4, 8, 16, 255, 0xffff};

  @Test
  void allAreCountedAndNoneEndsInAnException() {
    Random random = new Random(23);
    AtomicLong records = new AtomicLong();
    FlowDecoder decoder = new FlowDecoder(record -> records.incrementAndGet());
    for (int i = 0; i < DATAGRAMS; i++) {
      byte[] datagram = random.nextInt(4) == 0 ? noise(random) : broken(random);
      // More exporters than are remembered.
      decoder.decode(IpAddress.ofIpv4(random.nextInt(400)), datagram, datagram.length);
    }
    DecodeCounts counts = decoder.counts();
    assertThat(counts.datagrams()).isEqualTo(DATAGRAMS);
    assertThat(counts.records()).isEqualTo(records.get()).isPositive();
    assertThat(counts.malformed()).isBetween(DATAGRAMS / 10L, (long) DATAGRAMS);
    assertThat(counts.unknownTemplates()).isPositive();
    assertThat(counts.incomplete()).isPositive();
  }

  private static byte[] noise(Random random) {
    byte[] noise = new byte[random.nextInt(1_500)];
    random.nextBytes(noise);
    if (noise.length > 1) {
      noise[0] = 0;
      noise[1] = (byte) new int[] {5, 9, 10}[random.nextInt(3)];
    }
    return noise;
  }

  /** A valid frame with nonsense inside, cut off or with bytes that flipped. */
  private static byte[] broken(Random random) {
    byte[] datagram;
    switch (random.nextInt(3)) {
      case 0:
        int count = random.nextInt(31);
        Datagrams five = Datagrams.netFlow5(count, random.nextInt(), random.nextInt(0x10000));
        for (int i = 0; i < count; i++) {
          five.raw(bytes(random, 48));
        }
        datagram = five.bytes();
        break;
      case 1:
        datagram =
            Datagrams.netFlow9(random.nextInt(100), random.nextInt(2), sets -> sets(random, sets));
        break;
      default:
        datagram =
            Datagrams.ipfix(random.nextInt(100), random.nextInt(2), sets -> sets(random, sets));
    }
    if (random.nextInt(3) == 0) {
      datagram = Arrays.copyOf(datagram, random.nextInt(datagram.length + 1));
    }
    for (int flips = random.nextInt(3) == 0 ? random.nextInt(10) : 0; flips > 0; flips--) {
      if (datagram.length > 0) {
        datagram[random.nextInt(datagram.length)] = (byte) random.nextInt();
      }
    }
    return datagram;
  }

  private static void sets(Random random, Datagrams sets) {
    for (int count = random.nextInt(5); count > 0; count--) {
      int id = IDS[random.nextInt(IDS.length)];
      sets.set(
          id,
          set -> {
            if (id < 4) {
              template(random, set);
            } else {
              set.raw(bytes(random, random.nextInt(200)));
            }
          });
    }
  }

  private static void template(Random random, Datagrams set) {
    int fields = random.nextInt(10) == 0 ? random.nextInt(200) : random.nextInt(8);
    set.shorts(IDS[random.nextInt(IDS.length)], fields);
    if (random.nextBoolean()) {
      // So that some records are whole.
      set.shorts(8, 4, 12, 4, 1, 4, 158, 2, 159, 1);
    }
    for (int field = 0; field < fields; field++) {
      set.shorts(
          random.nextInt(10) == 0 ? 0x8000 | random.nextInt(9) : random.nextInt(320),
          LENGTHS[random.nextInt(LENGTHS.length)]);
    }
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
