package org.paceline.agent.smallnetwork;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.paceline.agent.config.SharedKey;
import org.paceline.allocator.virtualqueue.ResourceUse;
import org.paceline.intents.unit.DataRate;

class AnnouncementCodecTest {
  private static final int MANGLED = 20_000;
  private static final long SEED = 27;
  private static final Announcement ONE =
      new Announcement(
          1,
          2,
          3,
          4,
          List.of(link(7, 8_000_000), link(8, 512_000)),
          Optional.empty(),
          List.of(11L, 12L, Long.MIN_VALUE));
  private static final Announcement OF_A_STATION =
      new Announcement(
          1,
          2,
          3,
          4,
          List.of(link(7, 8_000_000), link(8, 512_000)),
          Optional.of(new Announcement.Station(7, frames(54_000, 1_500), frames(6_000, 0))),
          List.of(11L, 12L));

  private final AnnouncementCodec codec = new AnnouncementCodec(key("k"));

  static SharedKey key(String letter) {
    return SharedKey.of(letter.repeat(32).getBytes(StandardCharsets.US_ASCII));
  }

  private static Announcement.Link link(int id, long bitsPerSecond) {
    DataRate rate = DataRate.ofBitsPerSecond(bitsPerSecond);
    return new Announcement.Link(id, rate, rate, ResourceUse.of(6, 0.5, rate, DataRate.ZERO));
  }

  private static Announcement.Frames frames(int kilobits, int payloadBytes) {
    return new Announcement.Frames(DataRate.ofKilobitsPerSecond(kilobits), payloadBytes);
  }

  @Test
  void whatIsEncodedIsDecoded() {
    assertThat(codec.decode(codec.encode(ONE)).announcement()).contains(ONE);
    assertThat(codec.decode(codec.encode(OF_A_STATION)).announcement()).contains(OF_A_STATION);
  }

  /** Agents from before the air was shared go on hearing those that do not share it. */
  @Test
  void onlyStationsSpeakTheSecondVersion() {
    assertThat(codec.encode(ONE)[2]).isEqualTo((byte) 1);
    assertThat(codec.encode(OF_A_STATION)[2]).isEqualTo((byte) 2);
  }

  @Test
  void theLongestFitsInWhatAHostMaySendInASecond() {
    int room = AnnouncementCodec.roomForHeard(250 - 28, AnnouncementCodec.MOST_LINKS, true);
    byte[] longest =
        codec.encode(
            new Announcement(
                1,
                2,
                3,
                4,
                List.of(link(1, 1), link(2, 1), link(3, 1), link(4, 1)),
                OF_A_STATION.station(),
                java.util.Collections.nCopies(room, 5L)));

    assertThat(room).isPositive();
    assertThat(longest.length + 28).isLessThanOrEqualTo(250);
  }

  @Test
  void eachBitIsUnderTheKey() {
    byte[] right = codec.encode(ONE);
    for (int bit = 0; bit < right.length * Byte.SIZE; bit++) {
      byte[] wrong = right.clone();
      wrong[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThat(codec.decode(wrong).announcement()).as("bit %d", bit).isEmpty();
    }
  }

  @Test
  void anotherKeyOrVersionIsTold() {
    byte[] other = new AnnouncementCodec(key("o")).encode(ONE);
    byte[] later = codec.encode(ONE);
    later[2] = 3;

    assertThat(codec.decode(other).fault()).contains(AnnouncementCodec.Fault.WRONG_KEY);
    assertThat(codec.decode(later).fault()).contains(AnnouncementCodec.Fault.OTHER_VERSION);
    assertThat(codec.decode(new byte[0]).fault()).contains(AnnouncementCodec.Fault.NOT_OURS);
  }

  /** Whoever has the key may still be another program, or an agent with a fault. */
  @Test
  void nothingThatIsSaidWithTheKeyIsBelievedUnlessItMakesSense() {
    Random random = new Random(SEED);
    Map<AnnouncementCodec.Fault, Integer> faults = new EnumMap<>(AnnouncementCodec.Fault.class);
    int taken = 0;
    for (int i = 0; i < MANGLED; i++) {
      byte[] bytes = mangled(random);
      AnnouncementCodec.Decoded decoded =
          codec.decode(random.nextInt(4) == 0 ? bytes : codec.signed(bytes));
      assertThat(decoded.announcement().isPresent()).isNotEqualTo(decoded.fault().isPresent());
      decoded.fault().ifPresent(fault -> faults.merge(fault, 1, Integer::sum));
      taken += decoded.announcement().isPresent() ? 1 : 0;
    }
    assertThat(faults).containsOnlyKeys(AnnouncementCodec.Fault.values());
    assertThat(taken).isPositive();
    assertThat(faults.values().stream().mapToInt(many -> many).sum() + taken).isEqualTo(MANGLED);
  }

  private byte[] mangled(Random random) {
    if (random.nextInt(8) == 0) {
      byte[] noise = new byte[random.nextInt(AnnouncementCodec.MOST_BYTES + 20)];
      random.nextBytes(noise);
      return noise;
    }
    byte[] bytes = codec.encode(random.nextBoolean() ? ONE : OF_A_STATION);
    for (int i = random.nextInt(4); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 30)) : bytes;
  }
}
