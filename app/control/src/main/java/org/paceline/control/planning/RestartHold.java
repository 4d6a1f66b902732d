package org.paceline.control.planning;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.Proof;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.unit.DataRate;

/**
 * Holds the first plan of a controller that was restarted. The hosts still pace as they were told;
 * but their agents, the switches and the links come back one by one, and a plan made before the
 * last is there would give away its share and take it back at once.
 */
final class RestartHold {
  /** Agents find a restarted controller within about a second of each other. */
  private static final Duration CALM = Duration.ofSeconds(2);

  private final Set<String> missing;
  private final Duration end;
  private final Set<String> survivors = new HashSet<>();
  private Optional<Duration> calm = Optional.empty();
  private boolean anybodyBefore;
  private boolean over;

  /**
   * @param hosts those that had agents when the controller stopped
   * @param end by the worker's time, when the plan is made without those who are still missing
   */
  RestartHold(Set<String> hosts, Duration end) {
    this.missing = new TreeSet<>(hosts);
    this.anybodyBefore = !hosts.isEmpty();
    this.end = end;
  }

  void arrived(String host) {
    missing.remove(host);
  }

  /**
   * The agent of a host holds rates of a controller before this one: others may, even where none is
   * known. One that comes and goes puts nothing off again.
   */
  void survived(String host, Duration now) {
    if (survivors.add(host)) {
      calm = Optional.of(now.plus(CALM));
    }
    anybodyBefore = true;
  }

  /** Who or what is still awaited, for a person; empty once planning may begin, and ever after. */
  Optional<String> awaits(
      Duration now,
      Iterable<Proof> conversations,
      NetworkState network,
      Routes routes,
      String gateway) {
    if (over) {
      return Optional.empty();
    }
    Optional<String> awaited = Optional.empty();
    if (!missing.isEmpty()) {
      awaited = Optional.of("the agents of " + String.join(", ", missing));
    } else if (calm.filter(until -> now.compareTo(until) < 0).isPresent()) {
      awaited = Optional.of("others that were told rates before the restart");
    } else if (anybodyBefore) {
      awaited = unreachable(conversations, network, routes, gateway);
    }
    // Plans for nobody, which the first switches call for, are not yet the end of it.
    boolean anybody = conversations.iterator().hasNext();
    over = anybody && awaited.isEmpty() || isPast(now);
    return over || !anybody ? Optional.empty() : awaited;
  }

  /** Whether what has not come back by now is not awaited any more. */
  boolean isPast(Duration now) {
    return now.compareTo(end) >= 0;
  }

  /**
   * What hosts hold by a controller before this one, by application id: links that carry that are
   * awaited. What an agent says that its conversations send from one host is left out where it is
   * more together than the widest link of that host carries. Nobody was granted that, and no link
   * that is yet to come would carry it. O(conversations and links).
   */
  static Map<String, DataRate> inForce(
      Iterable<Proof> conversations, NetworkState network, String gateway) {
    Map<List<String>, Map<String, DataRate>> bySender = new HashMap<>();
    for (Proof proof : conversations) {
      Conversation conversation = proof.conversation();
      DataRate rate = conversation.rateInForce();
      if (rate.compareTo(DataRate.ZERO) > 0 && !PlannerSettings.isUnlimited(rate)) {
        String from = network.sender(conversation, gateway).orElse("");
        bySender
            .computeIfAbsent(List.of(conversation.id().host(), from), sender -> new HashMap<>())
            .put(conversation.id().toString(), rate);
      }
    }
    Map<String, DataRate> widest = new HashMap<>();
    for (Link link : network.network().links()) {
      widest.merge(link.id().from(), link.capacity(), (a, b) -> a.compareTo(b) > 0 ? a : b);
    }
    Map<String, DataRate> possible = new HashMap<>();
    bySender.forEach(
        (sender, rates) -> {
          DataRate access = widest.get(sender.get(1));
          if (access == null || fit(rates.values(), access.millibitsPerSecond())) {
            possible.putAll(rates);
          }
        });
    return possible;
  }

  /** Without the sum of rates that an agent makes up: it may be beyond all numbers. */
  private static boolean fit(Iterable<DataRate> rates, long room) {
    long left = room;
    for (DataRate rate : rates) {
      if (rate.millibitsPerSecond() > left) {
        return false;
      }
      left -= rate.millibitsPerSecond();
    }
    return true;
  }

  private static Optional<String> unreachable(
      Iterable<Proof> conversations, NetworkState network, Routes routes, String gateway) {
    for (Proof proof : conversations) {
      String local = proof.conversation().localAddress();
      String remote = proof.conversation().remoteAddress();
      if (proof.conversation().incoming()
          && proof.conversation().rateInForce().equals(DataRate.ZERO)) {
        // Nobody holds it, and who sends it may never have been in this network.
        continue;
      }
      boolean reachable =
          network
              .sender(proof.conversation(), gateway)
              .flatMap(
                  from ->
                      network
                          .nodeOf(remote)
                          .filter(to -> to.equals(from) || routes.shortest(from, to).isPresent()))
              .isPresent();
      if (!reachable) {
        return Optional.of("the way from " + local + " to " + remote);
      }
    }
    return Optional.empty();
  }
}
