package org.paceline.control.scheme.elephant;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.allocator.maxmin.WeightedFilling;
import org.paceline.allocator.maxmin.WeightedFlow;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NetworkState;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.unit.DataRate;

/**
 * How conversations share a circuit between prefixes. It is admitted between switches, so it may be
 * more than the link of any one of its hosts can be booked for. No conversation is promised what
 * its own hosts' links cannot carry; the others have what it cannot use. These are the max-min fair
 * shares of the circuit as one link, with the hosts' links before and behind it. O(l) for l links,
 * and the filling.
 */
public final class CircuitShares {
  private static final LinkId CIRCUIT = LinkId.of("circuit", "itself");

  private final NetworkState network;
  private final Map<LinkId, Long> limits = new HashMap<>();
  private final Map<String, LinkId> into = new HashMap<>();
  private final Network bookable;

  /**
   * @param bookable what of each link circuits can have
   */
  public CircuitShares(NetworkState network, Network bookable) {
    this.network = network;
    this.bookable = bookable;
    for (Link link : bookable.links()) {
      into.put(link.id().to(), link.id());
      limits.put(link.id(), link.limitMillibits());
    }
  }

  /** A host whose link cannot be booked is not looked at: why it has nothing is said elsewhere. */
  public Map<ConversationId, DataRate> of(DataRate circuit, Collection<Conversation> sharing) {
    Map<LinkId, Long> all = new HashMap<>(limits);
    all.put(CIRCUIT, circuit.millibitsPerSecond());
    List<WeightedFlow> flows = new ArrayList<>();
    for (Conversation one : sharing) {
      List<LinkId> crossed = new ArrayList<>(List.of(CIRCUIT));
      network
          .nodeOf(one.localAddress())
          .flatMap(host -> bookable.outgoing(host).stream().findFirst())
          .ifPresent(link -> crossed.add(link.id()));
      network
          .nodeOf(one.remoteAddress())
          .flatMap(host -> Optional.ofNullable(into.get(host)))
          .ifPresent(crossed::add);
      flows.add(WeightedFlow.builder(one.id().toString(), crossed).build());
    }
    Map<String, DataRate> rates = WeightedFilling.fill(all, flows).rates();
    Map<ConversationId, DataRate> shares = new TreeMap<>();
    for (Conversation one : sharing) {
      shares.put(one.id(), Objects.requireNonNull(rates.get(one.id().toString())));
    }
    return shares;
  }
}
