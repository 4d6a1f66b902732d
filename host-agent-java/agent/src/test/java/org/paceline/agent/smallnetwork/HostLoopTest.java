package org.paceline.agent.smallnetwork;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.paceline.allocator.virtualqueue.VirtualQueueSettings;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/** Several hosts' loops in virtual time, each by its own clock's phase, over one uplink. */
class HostLoopTest {
  private static final double WITHIN = 0.05;

  private static void assertInRatio(VirtualHosts hosts, double... weights) {
    double sum = java.util.Arrays.stream(weights).sum();
    double total = hosts.total();
    for (int h = 0; h < weights.length; h++) {
      assertThat(hosts.sent(h) / total / (weights[h] / sum))
          .as("host %d at %.1f s", h, hosts.seconds())
          .isBetween(1 - WITHIN, 1 + WITHIN);
    }
  }

  /** From now on, for so long. */
  private static void assertStays(VirtualHosts hosts, int seconds, double... weights) {
    double total = hosts.total();
    for (int s = 0; s < seconds; s++) {
      hosts.pass(1);
      assertInRatio(hosts, weights);
      assertThat(hosts.total() / total)
          .as("at %.1f s", hosts.seconds())
          .isBetween(1 - WITHIN, 1 + WITHIN);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1.0, 0.95, 0.85})
  void weightsOfOneToTwoToThreeAreRightAfterTenSecondsAndStaySo(double efficiency) {
    VirtualHosts hosts = new VirtualHosts(VirtualQueueSettings.STANDARD, efficiency);
    hosts.add(1);
    hosts.add(2);
    hosts.add(3);
    hosts.pass(10);
    assertInRatio(hosts, 1, 2, 3);
    hosts.pass(20);
    assertStays(hosts, 120, 1, 2, 3);
    assertThat(
            hosts.total()
                / VirtualQueueSettings.STANDARD.settled(VirtualHosts.UPLINK).bitsPerSecond())
        .isBetween(0.98, 1.02);
  }

  /** A far station takes four times the air for a bit, and counts by its weight all the same. */
  @ParameterizedTest
  @CsvSource({"1, 1", "3, 1", "1, 3"})
  void stationsShareTheAirByWeightAtDifferentRates(double near, double far) {
    VirtualQueueSettings settings = VirtualQueueSettings.STANDARD;
    VirtualHosts hosts = VirtualHosts.inTheAir(settings, 0.95);
    hosts.addStation(near, DataRate.ofKilobitsPerSecond(54_000));
    hosts.addStation(far, DataRate.ofKilobitsPerSecond(12_000));
    hosts.pass(10);
    assertInRatio(hosts, near, far);
    hosts.pass(20);
    assertStays(hosts, 60, near, far);
    double wanted = settings.virtual() * settings.utilisation();
    assertThat(hosts.used()).isBetween(wanted - 0.02, wanted + 0.02);
  }

  /** It has its weight once, however many stations it sends to. */
  @Test
  void aHostBehindTheAccessPointCountsOnceForAllStationsThatItSendsTo() {
    VirtualHosts hosts = VirtualHosts.inTheAir(VirtualQueueSettings.STANDARD, 0.95);
    DataRate fast = DataRate.ofKilobitsPerSecond(54_000);
    int one = hosts.addStation(1, fast);
    int other = hosts.addStation(1, fast);
    int server = hosts.addServer(1, List.of(one, other));
    hosts.pass(60);
    assertThat(hosts.sent(server) / hosts.total()).isBetween(0.28, 0.39);
  }

  /** Scenario 2 of the paper: together they have a fifth more than where nobody is held. */
  @Test
  void theAirCarriesMoreWhenTheFarStationYields() {
    VirtualHosts hosts =
        VirtualHosts.inTheAir(VirtualQueueSettings.STANDARD.adaptingTo(0.95), 0.95);
    hosts.addStation(3, DataRate.ofKilobitsPerSecond(54_000));
    hosts.addStation(1, DataRate.ofKilobitsPerSecond(12_000));
    hosts.pass(90);
    assertThat(hosts.total()).isGreaterThan(1.2 * 14_500_000);
    assertThat(hosts.used()).isBetween(0.93, 0.97);
  }

  /** From below, so that no queue is left: it would leave again by a hundredth of the link. */
  @Test
  void anAdaptiveQueueComesToTheLoadThatIsWanted() {
    VirtualHosts hosts = new VirtualHosts(VirtualQueueSettings.STANDARD.adaptingTo(0.99), 0.95);
    hosts.add(1);
    hosts.add(1);
    hosts.pass(10);
    double most = 0;
    for (int s = 0; s < 110; s++) {
      hosts.pass(1);
      most = Math.max(most, hosts.used());
    }
    double least = 1;
    for (int s = 0; s < 60; s++) {
      hosts.pass(1);
      most = Math.max(most, hosts.used());
      least = Math.min(least, hosts.used());
    }
    assertThat(least).isGreaterThan(0.98);
    assertThat(most).isLessThan(1);
  }

  @ParameterizedTest
  @CsvSource({"3, 1", "3, 2", "5, 1", "5, 2", "10, 1", "10, 2"})
  void theLoadSettlesAtEquationFive(int sharpness, double alpha) {
    VirtualQueueSettings settings = VirtualQueueSettings.of(sharpness, alpha);
    VirtualHosts hosts = new VirtualHosts(settings, 0.95);
    hosts.add(1);
    hosts.add(6);
    hosts.pass(60);

    double utilisation = hosts.total() / VirtualHosts.UPLINK.bitsPerSecond() / settings.virtual();
    assertThat(utilisation).isBetween(settings.utilisation() - 0.02, settings.utilisation() + 0.02);
  }

  @Test
  void whenOneIsKilledTheOthersHaveItsPartAfterTenSecondsAndItsOwnIsBackAfterTenMore() {
    VirtualHosts hosts = new VirtualHosts(VirtualQueueSettings.STANDARD, 0.95);
    hosts.add(1);
    hosts.add(2);
    int third = hosts.add(3);
    hosts.pass(30);
    hosts.kill(third);
    hosts.pass(10);
    assertInRatio(hosts, 1, 2);
    assertStays(hosts, 30, 1, 2);

    hosts.add(3);
    hosts.pass(10);
    assertThat(hosts.sent(3) / hosts.total()).isBetween(0.5 * 0.95, 0.5 * 1.05);
    assertThat(hosts.sent(1) / hosts.sent(0)).isBetween(1.9, 2.1);
  }

  @Test
  void whatANetworkThatWasSplitDidIsRightAgainTenSecondsAfterItIsWhole() {
    VirtualHosts hosts = new VirtualHosts(VirtualQueueSettings.STANDARD, 0.95);
    hosts.add(1);
    hosts.add(2);
    hosts.add(3);
    hosts.pass(20);
    hosts.split(0);
    hosts.pass(60);
    assertThat(hosts.sent(0) / hosts.total()).isGreaterThan(0.2);
    hosts.heal();
    hosts.pass(10);
    assertInRatio(hosts, 1, 2, 3);
    assertStays(hosts, 30, 1, 2, 3);
  }

  @Test
  void aThirdOfAllAnnouncementsMayBeLost() {
    VirtualHosts hosts = new VirtualHosts(VirtualQueueSettings.STANDARD, 0.95);
    hosts.lose(1.0 / 3);
    hosts.add(1);
    hosts.add(6);
    hosts.pass(10);
    assertInRatio(hosts, 1, 6);
  }

  @Test
  void aHostThatOnlyChattersDoesNotMoveTheOthers() {
    VirtualHosts hosts = new VirtualHosts(VirtualQueueSettings.STANDARD, 0.95);
    hosts.add(1);
    hosts.add(2);
    int chatting = hosts.add(3);
    hosts.wants(chatting, 20_000);
    hosts.pass(20);
    double before = hosts.sent(1);
    for (int i = 0; i < 30; i++) {
      hosts.wants(chatting, i % 2 == 0 ? 0 : 20_000);
      hosts.pass(2);
      assertThat(hosts.sent(1) / before).isBetween(1 - WITHIN, 1 + WITHIN);
      assertThat(hosts.sent(1) / hosts.sent(0)).isBetween(1.9, 2.1);
    }
  }

  @Test
  void whatOneLeavesTheOthersTakeAndItHasItsPartBackWhenItWantsIt() {
    VirtualHosts hosts = new VirtualHosts(VirtualQueueSettings.STANDARD, 0.95);
    hosts.add(1);
    int modest = hosts.add(1);
    hosts.wants(modest, 500_000);
    hosts.pass(20);
    double settled = VirtualQueueSettings.STANDARD.settled(VirtualHosts.UPLINK).bitsPerSecond();
    assertThat(hosts.total() / settled).isBetween(0.95, 1.05);

    hosts.wants(modest, Double.POSITIVE_INFINITY);
    hosts.pass(10);
    assertInRatio(hosts, 1, 1);
  }

  @Test
  void hundredsOfConversationsOfOneIntentShareOneWeight() {
    VirtualHosts hosts =
        new VirtualHosts(
            VirtualQueueSettings.STANDARD,
            0.95,
            Map.of(IntentPath.parse("p2p"), 1.0, IntentPath.parse("video"), 6.0));
    hosts.addHost(
        List.of(
            new VirtualHosts.Traffic("p2p/torrent", 220),
            new VirtualHosts.Traffic("video/stream", 1)));
    hosts.pass(10);
    assertThat(hosts.sentBy("video") / hosts.sentBy("p2p")).isBetween(5.7, 6.3);
    hosts.pass(30);
    assertThat(hosts.sentBy("video") / hosts.sentBy("p2p")).isBetween(5.7, 6.3);
  }

  /** Nobody says what the uplink carries. */
  @Test
  void hostsFindOutWhatTheUplinkCarriesAndShareItByWeight() {
    VirtualHosts hosts = VirtualHosts.estimating();
    hosts.add(1);
    hosts.add(2);
    hosts.add(3);
    hosts.pass(110);
    for (int host = 0; host < 3; host++) {
      assertThat(hosts.believed(host)).as("host %d", host).isBetween(0.95, 1.05);
    }
    assertStays(hosts, 20, 1, 2, 3);
    assertThat(hosts.queueSeconds()).isZero();

    // It begins at the floor, and takes what the others have found.
    int late = hosts.add(6);
    hosts.pass(10);
    assertThat(hosts.believed(0)).isBetween(0.95, 1.05);
    assertThat(hosts.believed(late)).isBetween(0.95, 1.05);
    assertInRatio(hosts, 1, 2, 3, 6);
  }

  @Test
  void aSenderWithoutAnAgentAppearsAsCapacityThatIsMissing() {
    VirtualHosts hosts = VirtualHosts.estimating();
    hosts.add(1);
    hosts.add(2);
    hosts.pass(110);
    hosts.stranger(0.4 * VirtualHosts.UPLINK.bitsPerSecond());
    hosts.pass(40);
    assertThat(hosts.believed(0)).isBetween(0.5, 0.72);
    assertThat(hosts.queueSeconds()).isZero();
    assertInRatio(hosts, 1, 2);

    hosts.stranger(0);
    hosts.pass(400);
    assertThat(hosts.believed(0)).isBetween(0.95, 1.2);
    assertInRatio(hosts, 1, 2);
  }
}
