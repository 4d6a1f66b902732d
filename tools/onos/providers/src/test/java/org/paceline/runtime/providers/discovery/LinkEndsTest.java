package org.paceline.runtime.providers.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.Link;
import org.onosproject.net.provider.ProviderId;

final class LinkEndsTest {
  private static final ConnectPoint A = ConnectPoint.deviceConnectPoint("of:0000000000000001/1");
  private static final ConnectPoint B = ConnectPoint.deviceConnectPoint("of:0000000000000002/1");
  private static final Link LINK =
      DefaultLink.builder()
          .providerId(ProviderId.NONE)
          .src(A)
          .dst(B)
          .type(Link.Type.DIRECT)
          .build();
  private static final long START = Long.MAX_VALUE - 1;
  private static final long LATER = START + LinkEnds.REMEMBERED.toNanos();

  private final LinkEnds ends = new LinkEnds();

  @Test
  void aPortWithoutALinkIsAHostsAtOnce() {
    assertThat(ends.has(A, START)).isFalse();
  }

  @Test
  void bothEndsOfALinkAreAsLongAsItStands() {
    ends.linked(LINK);
    assertThat(ends.has(A, LATER)).isTrue();
    assertThat(ends.has(B, LATER)).isTrue();
  }

  @Test
  void aLinkThatIsGoneIsRememberedForAWhile() {
    ends.linked(LINK);
    ends.unlinked(LINK, START);
    assertThat(ends.has(B, LATER - 1)).isTrue();
    assertThat(ends.has(B, LATER)).isFalse();
  }

  @Test
  void aLinkThatIsBackStays() {
    ends.linked(LINK);
    ends.unlinked(LINK, START);
    ends.linked(LINK);
    assertThat(ends.has(A, LATER)).isTrue();
  }
}
