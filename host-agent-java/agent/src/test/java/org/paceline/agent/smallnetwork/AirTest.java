package org.paceline.agent.smallnetwork;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.virtualqueue.ResourceUse;
import org.paceline.allocator.virtualqueue.WirelessAccess;
import org.paceline.allocator.virtualqueue.WirelessCell;
import org.paceline.intents.unit.DataRate;

class AirTest {
  private static final int WIFI = 7;
  private static final long HERE = 1;
  private static final long NEAR = 2;
  private static final long BY_CABLE = 3;
  private static final DataRate FAST = DataRate.ofKilobitsPerSecond(54_000);
  private static final DataRate SLOW = DataRate.ofKilobitsPerSecond(12_000);

  private final Air air = new Air(WirelessAccess.BASIC, WIFI, HERE);
  private final List<Members.Present> peers = new ArrayList<>();

  private static Announcement.Station station(DataRate association, int up, int down) {
    return new Announcement.Station(
        WIFI, new Announcement.Frames(association, up), new Announcement.Frames(association, down));
  }

  private void peer(long epoch, String address, int link, Optional<Announcement.Station> station) {
    Announcement.Link said =
        new Announcement.Link(link, WirelessCell.AIR, WirelessCell.AIR, ResourceUse.NONE);
    peers.add(
        new Members.Present(
            address, new Announcement(epoch, epoch, 1, 1, List.of(said), station, List.of())));
  }

  private Optional<Air.Way> way(String remote, boolean incoming) throws Exception {
    return air.way(InetAddress.getByName(remote), incoming, true);
  }

  private static Air.Way from(long epoch) {
    return new Air.Way(Optional.of(epoch), Optional.empty());
  }

  private static Air.Way to(long epoch) {
    return new Air.Way(Optional.empty(), Optional.of(epoch));
  }

  @Test
  void aStationsConversationsGoThroughTheAir() throws Exception {
    peer(NEAR, "10.0.0.2", WIFI, Optional.of(station(FAST, 0, 0)));
    peer(BY_CABLE, "10.0.0.3", WIFI, Optional.empty());
    assertThat(air.see(peers, Optional.of(station(SLOW, 0, 0)))).isTrue();

    assertThat(way("192.0.2.1", false)).contains(from(HERE));
    assertThat(way("10.0.0.3", false)).contains(from(HERE));
    assertThat(way("10.0.0.2", false)).contains(new Air.Way(Optional.of(HERE), Optional.of(NEAR)));
    assertThat(way("192.0.2.1", true)).contains(to(HERE));
    assertThat(way("10.0.0.3", true)).as("its sender counts it").isEmpty();
  }

  @Test
  void whoIsBehindTheAccessPointSendsToStationsThroughTheAir() throws Exception {
    peer(NEAR, "10.0.0.2", WIFI, Optional.of(station(FAST, 0, 0)));
    peer(BY_CABLE, "10.0.0.3", WIFI, Optional.empty());
    air.see(peers, Optional.empty());

    assertThat(way("10.0.0.2", false)).contains(to(NEAR));
    assertThat(way("10.0.0.3", false)).isEmpty();
    assertThat(way("192.0.2.1", false)).isEmpty();
    assertThat(way("192.0.2.1", true)).isEmpty();
  }

  /** Such as one of an older version: it takes part in no air, and nobody counts what it sends. */
  @Test
  void whatAPeerSendsThatDoesNotShareTheAirIsCountedByWhoReceivesIt() throws Exception {
    peer(BY_CABLE, "10.0.0.3", WIFI + 1, Optional.empty());
    air.see(peers, Optional.of(station(FAST, 0, 0)));
    assertThat(way("10.0.0.3", true)).contains(to(HERE));
  }

  /** Such as a host that has a cable, too. */
  @Test
  void whatGoesByAnotherInterfaceTakesNoAir() throws Exception {
    peer(NEAR, "10.0.0.2", WIFI, Optional.of(station(FAST, 0, 0)));
    air.see(peers, Optional.of(station(SLOW, 0, 0)));
    assertThat(air.way(InetAddress.getByName("192.0.2.1"), false, false)).isEmpty();
    assertThat(air.way(InetAddress.getByName("10.0.0.2"), false, false)).contains(to(NEAR));
  }

  @Test
  void stationsOfAnotherAccessPointAreInNobodysWay() throws Exception {
    air.see(List.of(), Optional.of(station(FAST, 1_500, 0)));
    double alone = air.cost(from(HERE));
    peers.add(
        new Members.Present(
            "10.0.0.2",
            new Announcement(
                NEAR,
                NEAR,
                1,
                1,
                List.of(),
                Optional.of(
                    new Announcement.Station(
                        WIFI + 1,
                        new Announcement.Frames(FAST, 1_500),
                        new Announcement.Frames(FAST, 1_500))),
                List.of())));
    air.see(peers, Optional.of(station(FAST, 1_500, 0)));
    assertThat(air.cost(from(HERE))).isEqualTo(alone);
    assertThat(way("10.0.0.2", false)).contains(from(HERE));
  }

  @Test
  void aWayWhoseStationHasGoneStillHasACost() {
    air.see(List.of(), Optional.of(station(FAST, 1_500, 0)));
    assertThat(air.cost(to(NEAR))).isPositive();
  }

  @Test
  void onlyWhoComesOrGoesMovesConversations() {
    peer(NEAR, "10.0.0.2", WIFI, Optional.of(station(FAST, 0, 0)));
    Optional<Announcement.Station> here = Optional.of(station(FAST, 0, 0));
    assertThat(air.see(peers, here)).isTrue();
    assertThat(air.see(peers, Optional.of(station(SLOW, 1_500, 60)))).isFalse();
    assertThat(air.see(List.of(), here)).isTrue();
    assertThat(air.see(List.of(), Optional.empty())).isTrue();
  }

  /** Equation 6, with T_C of one transmitter. */
  @Test
  void aBitOfAFarHostTakesMoreOfTheAir() {
    air.see(List.of(), Optional.of(station(FAST, 1_500, 0)));
    double near = air.cost(from(HERE));
    air.see(List.of(), Optional.of(station(SLOW, 1_500, 0)));
    double far = air.cost(from(HERE));

    // Half a window of 9 us, 28 us, the frame with its preamble, 10 us, the answer.
    assertThat(near).isCloseTo((67.5 + 28 + 254 + 10 + 34) * 1e3 / (1_514 * 8), within(0.2));
    assertThat(far / near).isBetween(2.8, 3.2);
  }

  @Test
  void fromHostToHostABitTakesTheAirTwice() {
    peer(NEAR, "10.0.0.2", WIFI, Optional.of(station(FAST, 0, 1_500)));
    air.see(peers, Optional.of(station(SLOW, 1_500, 0)));
    assertThat(air.cost(new Air.Way(Optional.of(HERE), Optional.of(NEAR))))
        .isCloseTo(air.cost(from(HERE)) + air.cost(to(NEAR)), within(1e-9));
  }

  @Test
  void collisionsWithOthersAreInTheCost() {
    air.see(List.of(), Optional.of(station(FAST, 1_500, 0)));
    double alone = air.cost(from(HERE));
    peer(NEAR, "10.0.0.2", WIFI, Optional.of(station(FAST, 1_500, 0)));
    air.see(peers, Optional.of(station(FAST, 1_500, 0)));
    assertThat(air.cost(from(HERE))).isNotCloseTo(alone, within(0.1));
  }
}
