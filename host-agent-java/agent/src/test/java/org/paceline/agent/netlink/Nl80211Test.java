package org.paceline.agent.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * No kernel here has a wireless interface, so that what one answers is written by its header,
 * linux/nl80211.h; the question by name is this kernel's.
 */
class Nl80211Test {
  private static final int STATION_INFO = 21;
  private static final int SENT = 8;
  private static final int RECEIVED = 14;

  private static ByteBuffer bytes(Consumer<Batch> content) {
    ByteBuffer bytes = ByteBuffer.allocate(2_048);
    Batch batch = new Batch(bytes);
    content.accept(batch);
    return bytes.flip().order(ByteOrder.nativeOrder());
  }

  private static ByteBuffer answer(int hundredKilobitsSent, int hundredKilobitsReceived) {
    return bytes(
        to -> {
          to.u8(19).u8(1).u16(0);
          index(to);
          int station = to.begin(STATION_INFO | 0x8000);
          rate(to, SENT, hundredKilobitsSent);
          rate(to, RECEIVED, hundredKilobitsReceived);
          to.end(station);
        });
  }

  private static void index(Batch to) {
    int start = to.begin(3);
    to.u32(7).end(start);
  }

  /** Its first attribute has 16 bits, which do not hold the rates of newer networks. */
  private static void rate(Batch to, int attribute, int hundredKilobits) {
    if (hundredKilobits > 0) {
      int start = to.begin(attribute);
      int old = to.begin(1);
      to.u16(hundredKilobits).end(old);
      int rate = to.begin(5);
      to.u32(hundredKilobits).end(rate);
      to.end(start);
    }
  }

  @Test
  void theRatesOfAStationAreRead() {
    assertThat(Nl80211.association(answer(540, 120)))
        .contains(new Nl80211.Association(54_000_000, 12_000_000));
    assertThat(Nl80211.association(answer(12_010, 0)))
        .contains(new Nl80211.Association(1_201_000_000, 1_201_000_000));
  }

  @Test
  void whoHasNoRateYetIsNotAssociated() {
    assertThat(Nl80211.association(answer(0, 0))).isEmpty();
    assertThat(Nl80211.association(ByteBuffer.allocate(2))).isEmpty();
  }

  @Test
  void theKernelIsAskedByName() throws Exception {
    try (Netlink netlink = Netlink.generic()) {
      assertThat(Nl80211.family(netlink, "nlctrl")).isEqualTo(Optional.of(0x10));
      assertThat(Nl80211.family(netlink, "of nobody")).isEmpty();
    }
  }

  @Test
  void loopbackIsNotWireless() throws Exception {
    Optional<Nl80211> here = Nl80211.open();
    assumeTrue(here.isPresent(), "this kernel has nl80211");
    try (Nl80211 asked = here.orElseThrow()) {
      assertThat(asked.association("lo")).isEmpty();
    }
  }
}
