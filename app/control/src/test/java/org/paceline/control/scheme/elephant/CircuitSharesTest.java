package org.paceline.control.scheme.elephant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NetworkState;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

/** Hosts a1, a2 at s1 and b1, b2 at s2; a1's link carries 10 Mbit/s, all others 100. */
final class CircuitSharesTest {
  private static Link link(String from, String to, long kbps) {
    return Link.of(
        from, to, DataRate.ofKilobitsPerSecond(kbps), LinkDelay.constant(Latency.ofMillis(1)));
  }

  private static NetworkState network() {
    List<Link> links = new ArrayList<>(List.of(link("s1", "s2", 100_000)));
    Map<String, String> addresses = new HashMap<>();
    for (int i = 1; i <= 2; i++) {
      links.add(link("a" + i, "s1", i == 1 ? 10_000 : 100_000));
      links.add(link("s2", "b" + i, 100_000));
      addresses.put("10.0.1." + i, "a" + i);
      addresses.put("10.0.2." + i, "b" + i);
    }
    return NetworkState.of(
        Network.of(List.of("a1", "a2", "b1", "b2", "s1", "s2"), links), addresses, List.of());
  }

  private static Conversation conversation(String id, int sender, int receiver) {
    return Conversation.builder()
        .id(ConversationId.of("a" + sender, id))
        .intent("backup")
        .localAddress("10.0.1." + sender)
        .remoteAddress("10.0.2." + receiver)
        .build();
  }

  private static Map<String, Long> shares(long kbps, Conversation... sharing) {
    NetworkState state = network();
    return new CircuitShares(state, state.network())
        .of(DataRate.ofKilobitsPerSecond(kbps), List.of(sharing)).entrySet().stream()
            .collect(Collectors.toMap(one -> one.getKey().local(), one -> rounded(one.getValue())));
  }

  private static long rounded(DataRate rate) {
    return Math.round(rate.millibitsPerSecond() / 1e6);
  }

  @Example
  void theyShareItEqually() {
    assertThat(shares(12_000, conversation("x", 1, 1), conversation("y", 2, 2)))
        .isEqualTo(Map.of("x", 6_000L, "y", 6_000L));
  }

  @Example
  void noneIsPromisedWhatItsHostCannotSendAndTheOthersHaveThat() {
    assertThat(shares(40_000, conversation("x", 1, 1))).isEqualTo(Map.of("x", 10_000L));
    assertThat(
            shares(
                40_000, conversation("x", 1, 1), conversation("y", 1, 2), conversation("z", 2, 1)))
        .isEqualTo(Map.of("x", 5_000L, "y", 5_000L, "z", 30_000L));
  }
}
