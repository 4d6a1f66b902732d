package org.paceline.control.assurance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.NetworkState;
import org.paceline.control.settings.SchemePlace;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

final class AbsentPlacesTest {
  private final ManualWorker clock = new ManualWorker();
  private List<SchemePlace> places =
      SchemePlace.parse("192.0.2.0/24=service-classes,b>a=service-classes");
  private NetworkState state = network(link("a", "b"));
  private final AbsentPlaces absent = new AbsentPlaces(() -> places, () -> state, clock);

  @Test
  void aLinkThatIsNotThereIsAnAlarmUntilItIsThereOrNotNamed() {
    assertThat(absent.look()).as("either way").isEmpty();
    places = SchemePlace.parse("a>x=service-classes,a>b=service-classes,y>a=utility-fair");
    Instant first = clock.instant();
    assertThat(absent.look()).as("it may come at once").isEmpty();
    clock.pass(Duration.ofSeconds(5));
    assertThat(absent.look())
        .containsExactly(
            Alarm.ofSetting(
                "schemePlaces",
                "No link of the network is (a>x, y>a), so schemePlaces has it rule nobody. Maybe it"
                    + " is down; paceline:links shows those that are there.",
                first));
    state = network(link("a", "b"), link("a", "x"), link("a", "y"));
    assertThat(absent.look()).isEmpty();
    state = network(link("a", "x"));
    assertThat(absent.look()).isEmpty();
    clock.pass(Duration.ofSeconds(6));
    assertThat(absent.look()).hasSize(1);
    places = List.of();
    assertThat(absent.look()).isEmpty();
  }

  private static Link link(String from, String to) {
    return Link.of(from, to, DataRate.ofKilobitsPerSecond(1_000), LinkDelay.constant(Latency.ZERO));
  }

  private static NetworkState network(Link... links) {
    return NetworkState.of(
        Network.of(List.of("a", "b", "x", "y"), List.of(links)),
        Map.of(),
        Map.of(),
        Map.of(),
        List.of());
  }
}
