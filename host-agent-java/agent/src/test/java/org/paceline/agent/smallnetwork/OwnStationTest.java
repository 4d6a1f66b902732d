package org.paceline.agent.smallnetwork;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.config.PeerSettings;
import org.paceline.agent.runtime.Console;
import org.paceline.allocator.virtualqueue.WirelessAccess;
import org.paceline.intents.unit.DataRate;

class OwnStationTest {
  private static final long SECOND = 1_000_000_000L;
  private static final PeerSettings.Air AT_12 =
      new PeerSettings.Air(
          WirelessAccess.BASIC, false, Optional.of(DataRate.ofKilobitsPerSecond(12_000)));

  @TempDir private Path directory = Path.of("");
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final Console console = new Console(new PrintStream(said, true, StandardCharsets.UTF_8));
  private long now = 77 * SECOND;

  private OwnStation station(PeerSettings.Air settings) {
    return new OwnStation(settings, 7, "wlan0", directory.resolve("dev"));
  }

  /** A second later the interface has counted so much in all. */
  private Optional<Announcement.Station> after(
      OwnStation one, long receivedBytes, long received, long sentBytes, long sent)
      throws Exception {
    String row = "%d %d 0 0 0 0 0 0 %d %d 0 0 0 0 0 0";
    Files.writeString(
        directory.resolve("dev"),
        "Inter-|   Receive                      |  Transmit\n"
            + " face |bytes    packets errs\n"
            + "    lo: "
            + String.format(row, 9, 9, 9, 9)
            + "\n wlan0: "
            + String.format(row, receivedBytes, received, sentBytes, sent)
            + "\n");
    now += SECOND;
    return one.read(now, console);
  }

  @Test
  void framesAreAsLongAsTheInterfaceHasCounted() throws Exception {
    OwnStation one = station(AT_12);
    after(one, 0, 0, 0, 0);
    Announcement.Station then = after(one, 66_000, 1_000, 1_514_000, 1_000).orElseThrow();

    assertThat(then.up()).isEqualTo(new Announcement.Frames(rate(12_000), 1_500));
    assertThat(then.down()).isEqualTo(new Announcement.Frames(rate(12_000), 52));
  }

  private static DataRate rate(long kilobits) {
    return DataRate.ofKilobitsPerSecond(kilobits);
  }

  @Test
  void aFewFramesAreNone() throws Exception {
    OwnStation one = station(AT_12);
    after(one, 0, 0, 0, 0);
    assertThat(after(one, 0, 0, 15_140, 10).orElseThrow().up().payloadBytes()).isZero();
  }

  @Test
  void whatLeavesInOnePieceIsSeveralFrames() throws Exception {
    OwnStation one = station(AT_12);
    after(one, 0, 0, 0, 0);
    assertThat(after(one, 0, 0, 6_000_000, 100).orElseThrow().up().payloadBytes()).isEqualTo(1_500);
  }

  @Test
  void anInterfaceThatWasMadeAnewCountsFromNothing() throws Exception {
    OwnStation one = station(AT_12);
    after(one, 0, 0, 1_514_000, 1_000);
    assertThat(after(one, 0, 0, 0, 0).orElseThrow().up().payloadBytes()).isZero();
    assertThat(after(one, 0, 0, 514_000, 1_000).orElseThrow().up().payloadBytes()).isEqualTo(500);
  }

  @Test
  void whatCannotBeCountedIsSaidOnceAndChangesNoRate() {
    OwnStation one = station(AT_12);
    for (int i = 0; i < 3; i++) {
      assertThat(one.read(now += SECOND, console).orElseThrow().up())
          .isEqualTo(new Announcement.Frames(rate(12_000), 0));
    }
    assertThat(said.toString(StandardCharsets.UTF_8).lines())
        .hasSize(1)
        .first()
        .asString()
        .contains("wlan0");
  }

  @Test
  void aHostThatIsSaidToBeWiredIsNoStation() throws Exception {
    PeerSettings.Air wired = new PeerSettings.Air(WirelessAccess.BASIC, true, Optional.empty());
    assertThat(after(station(wired), 0, 0, 0, 0)).isEmpty();
  }

  /** No interface of this name is there. */
  @Test
  void neitherIsOneWhoseInterfaceIsNone() throws Exception {
    PeerSettings.Air asked = new PeerSettings.Air(WirelessAccess.BASIC, false, Optional.empty());
    try (OwnStation one = new OwnStation(asked, 7, "of nobody", directory.resolve("dev"))) {
      assertThat(after(one, 0, 0, 0, 0)).isEmpty();
    }
    assertThat(said.size()).isZero();
  }
}
