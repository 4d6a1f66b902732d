package org.paceline.control.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.NetworkState;
import org.paceline.intents.network.Network;

/** Whatever agents say, in whatever order they come and addresses are seen. */
final class AddressOwnersTest {
  private static final int HOSTS = 4;
  private static final int ADDRESSES = 10;
  private static final String HONEST = "honest";
  private static final String ITS_OWN = "10.9.0.1";

  private final AddressOwners owners = new AddressOwners();

  private static AgentInfo agent(String host, List<String> addresses) {
    return AgentInfo.of(host, addresses, "htb", "test", "test", Instant.EPOCH);
  }

  private static NetworkState seen(Map<String, String> nodes) {
    return NetworkState.of(Network.of(Set.of(), Set.of()), nodes, List.of());
  }

  private boolean may(String host, String address) {
    return owners.refusal(host, address).isEmpty();
  }

  @Property(tries = 200, seed = "20")
  void anAddressHasOneAgentAndAnAgentOneInterfaceAndWhoCameFirstKeepsItsOwn(@ForAll Random random) {
    Map<String, String> nodes = new HashMap<>(Map.of(ITS_OWN, "mine"));
    AgentInfo honest = agent(HONEST, List.of(ITS_OWN));
    owners.look(List.of(honest), List.of(), seen(nodes));
    for (int look = 0; look < 10; look++) {
      List<AgentInfo> agents = new ArrayList<>(List.of(honest));
      for (int host = 0; host < HOSTS; host++) {
        if (random.nextInt(4) > 0) {
          agents.add(agent("a" + host, some(random)));
        }
      }
      String moved = "10.0.0." + random.nextInt(ADDRESSES);
      if (random.nextInt(4) > 0) {
        nodes.put(moved, "n" + random.nextInt(HOSTS));
      } else {
        nodes.remove(moved);
      }
      owners.look(agents, List.of(), seen(nodes));
      isConsistent(agents, nodes);
    }
  }

  private void isConsistent(List<AgentInfo> agents, Map<String, String> nodes) {
    assertThat(may(HONEST, ITS_OWN)).isTrue();
    Map<String, String> speakers = new HashMap<>();
    for (AgentInfo agent : agents) {
      String home = "";
      for (String address : agent.addresses()) {
        if (!nodes.containsKey(address)) {
          assertThat(may(agent.host(), address)).as("not seen").isTrue();
        } else if (may(agent.host(), address)) {
          assertThat(speakers.put(address, agent.host())).as(address).isNull();
          String at = nodes.get(address);
          assertThat(home).as(agent.toString()).isIn("", at);
          home = at;
        }
      }
    }
    // Nobody is refused for nothing: what is seen and spoken for alone has its speaker.
    for (AgentInfo agent : agents) {
      List<String> alone = new ArrayList<>(agent.addresses());
      agents.stream()
          .filter(other -> other != agent)
          .forEach(other -> alone.removeAll(other.addresses()));
      if (alone.size() == agent.addresses().size()
          && alone.stream().map(nodes::get).distinct().count() == 1) {
        assertThat(alone).allMatch(address -> may(agent.host(), address));
      }
    }
  }

  private static List<String> some(Random random) {
    List<String> addresses = new ArrayList<>();
    int many = 1 + random.nextInt(3);
    while (addresses.size() < many) {
      int number = random.nextInt(ADDRESSES + 1);
      String address = number == ADDRESSES ? ITS_OWN : "10.0.0." + number;
      if (!addresses.contains(address)) {
        addresses.add(address);
      }
    }
    return addresses;
  }
}
