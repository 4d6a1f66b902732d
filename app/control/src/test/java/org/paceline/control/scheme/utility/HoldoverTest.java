package org.paceline.control.scheme.utility;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** Five conversations that may have 100 to 1000 kbit/s each, on a link and on a way round. */
final class HoldoverTest {
  private static final long HARDLY = 50_000_000;
  private static final Path DIRECT = Path.of(List.of("a", "b"));
  private static final UtilityFunction FUNCTION = function();

  private final List<Application> applications = new ArrayList<>();
  private final Map<String, Grant> fresh = new HashMap<>();
  private final Map<String, Grant> before = new HashMap<>();

  HoldoverTest() {
    for (int i = 0; i < 5; i++) {
      applications.add(Application.of("n" + i, "a", "b", FUNCTION));
      grant(before, i, 5, DIRECT);
      grant(fresh, i, 5, DIRECT);
    }
  }

  @Test
  void whatIsHardlyWorseStays() {
    grant(before, 0, 4, DIRECT);
    grant(before, 1, 6, DIRECT);
    Map<String, Grant> still = still(3_000).orElseThrow();
    assertThat(still).isEqualTo(before);
    assertThat(Holdover.isHardlyWorse(still, fresh, HARDLY)).isTrue();
  }

  @Test
  void whatIsClearlyWorseForAnybodyGoes() {
    grant(before, 0, 2, DIRECT);
    assertThat(Holdover.isHardlyWorse(still(3_000).orElseThrow(), fresh, HARDLY)).isFalse();
  }

  @Test
  void whatIsClearlyWorseForAllTogetherGoes() {
    for (int i = 1; i < 5; i++) {
      grant(fresh, i, 7, DIRECT);
    }
    assertThat(Holdover.isHardlyWorse(before, fresh, HARDLY)).isFalse();
  }

  @Test
  void whatTheLinksDoNotCarryAnyMoreGoes() {
    assertThat(still(2_400)).isEmpty();
  }

  @Test
  void ofAWayThatIsGoneNothingIsHeld() {
    grant(before, 0, 5, Path.of(List.of("a", "c", "b")));
    assertThat(still(3_000)).isEmpty();
  }

  @Test
  void whoIsPinnedHasNoChoiceButTheRateThatAKernelHolds() {
    Map<String, DataRate> inForce = new HashMap<>();
    applications.forEach(a -> inForce.put(a.id(), DataRate.ofBitsPerSecond(300_000 - 8)));
    List<Application> pinned = Holdover.pinned(applications, inForce);
    assertThat(pinned.get(0).utilityFunction().throughputBins()).isEqualTo(1);
    assertThat(pinned.get(0).utilityFunction().throughput(0))
        .isEqualTo(DataRate.ofKilobitsPerSecond(300));
    inForce.put("n3", DataRate.ofKilobitsPerSecond(450));
    assertThat(Holdover.pinned(applications, inForce).get(3))
        .as("holds what no table has")
        .isEqualTo(applications.get(3));
  }

  private Optional<Map<String, Grant>> still(long kbps) {
    Link link =
        Link.of(
            "a", "b", DataRate.ofKilobitsPerSecond(kbps), LinkDelay.constant(Latency.ofMillis(10)));
    return Holdover.still(applications, before, Network.of(List.of("a", "b"), List.of(link)));
  }

  private static void grant(Map<String, Grant> to, int number, int hundreds, Path path) {
    to.put(
        "n" + number,
        Grant.of(
            "n" + number,
            1,
            FUNCTION.throughput(hundreds - 1),
            FUNCTION.delay(0),
            FUNCTION.utility(hundreds - 1, 0),
            path));
  }

  /** Steps of 0.04, so that one of them is hardly noticed. */
  private static UtilityFunction function() {
    List<DataRate> rates = new ArrayList<>();
    List<List<Utility>> utilities = new ArrayList<>();
    for (int bin = 1; bin <= 10; bin++) {
      rates.add(DataRate.ofKilobitsPerSecond(100L * bin));
      utilities.add(List.of(Utility.of(3 + 0.04 * bin)));
    }
    return UtilityFunction.of("steps", rates, List.of(Latency.ofMillis(50)), utilities);
  }
}
