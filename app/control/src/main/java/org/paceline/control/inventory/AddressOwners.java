package org.paceline.control.inventory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.Unserved;

/**
 * Which addresses each agent may speak for. Its certificate says so, where that names addresses of
 * the kind (IPv4 or IPv6); else an operator; else the network: all of an agent's addresses must be
 * seen at one interface, and each is the agent's that spoke for it first. What the network has not
 * seen is refused to nobody: nothing can be planned for it either, and it is looked at again when
 * it is seen. O(n) in addresses and conversations. Belongs to the worker's thread, but for {@link
 * #refusedTo}.
 */
final class AddressOwners {
  /** Of IPv6, made by the host itself: no certificate knows it. */
  private static final String LINK_LOCAL = "fe80:";

  /** The interface of each agent's host, by host id. */
  private final Map<String, String> homes = new HashMap<>();

  /** The host whose agent spoke for an address first. */
  private final Map<String, String> holders = new HashMap<>();

  /** By host id and address. */
  private volatile Map<String, Map<String, Unserved>> refused = Map.of();

  /** What one agent says is its host's. */
  private static final class Claim {
    final AgentInfo agent;
    final Set<String> addresses;

    Claim(AgentInfo agent, Set<String> spokenFor) {
      this.agent = agent;
      this.addresses = new LinkedHashSet<>(agent.addresses());
      this.addresses.addAll(spokenFor);
    }

    String host() {
      return agent.host();
    }
  }

  /** Why the agent of a host may not speak for an address; empty where it may. On any thread. */
  Optional<Unserved> refusal(String host, String address) {
    return Optional.ofNullable(refused.getOrDefault(host, Map.of()).get(address));
  }

  /** The addresses that the agent of a host may not speak for. On any thread. */
  Set<String> refusedTo(String host) {
    return refused.getOrDefault(host, Map.of()).keySet();
  }

  /** The end that the host of the agent that announced it must be. */
  static String ownEnd(Conversation conversation) {
    return conversation.incoming() ? conversation.remoteAddress() : conversation.localAddress();
  }

  /**
   * Looks at what every agent says.
   *
   * @param agents attached, or away and not yet given up
   */
  void look(
      Collection<AgentInfo> agents, Collection<Conversation> conversations, NetworkState state) {
    Map<String, Set<String>> spokenFor = new HashMap<>();
    conversations.forEach(
        c ->
            spokenFor.computeIfAbsent(c.id().host(), host -> new LinkedHashSet<>()).add(ownEnd(c)));
    List<Claim> claims =
        agents.stream()
            .sorted(Comparator.comparing(AgentInfo::host))
            .map(agent -> new Claim(agent, spokenFor.getOrDefault(agent.host(), Set.of())))
            .collect(Collectors.toUnmodifiableList());
    new Look(claims, state).decide();
  }

  /** One look, with what the last one left. */
  private final class Look {
    private final Map<String, Claim> claims = new LinkedHashMap<>();
    private final NetworkState state;

    /** By address, the host whose agent's certificate names it. */
    private final Map<String, String> certified = new HashMap<>();

    private final Map<String, Map<String, Unserved>> refusals = new TreeMap<>();

    Look(List<Claim> claims, NetworkState state) {
      this.state = state;
      for (Claim claim : claims) {
        this.claims.put(claim.host(), claim);
        claim.agent.certified().forEach(address -> certified.putIfAbsent(address, claim.host()));
      }
    }

    void decide() {
      holders.entrySet().removeIf(held -> !holds(held.getValue(), held.getKey()));
      Map<String, String> before = new HashMap<>(homes);
      homes.clear();
      claims
          .values()
          .forEach(
              claim ->
                  home(claim, Optional.ofNullable(before.get(claim.host())))
                      .ifPresent(found -> homes.put(claim.host(), found)));
      Map<String, List<String>> candidates = new TreeMap<>();
      for (Claim claim : claims.values()) {
        for (String address : claim.addresses) {
          Optional<Unserved> why = objection(claim, address);
          why.ifPresent(one -> refuse(claim.host(), address, one));
          if (why.isEmpty() && isSeen(address) && isSaidByNobody(address)) {
            candidates.computeIfAbsent(address, a -> new ArrayList<>()).add(claim.host());
          }
        }
      }
      candidates.forEach(this::hold);
      refused = Collections.unmodifiableMap(refusals);
    }

    /** Whether an agent still speaks for what it spoke for first, and that is seen nowhere else. */
    private boolean holds(String host, String address) {
      Claim claim = claims.get(host);
      return claim != null
          && claim.addresses.contains(address)
          && isSaidByNobody(address)
          && (!isSeen(address)
              || Optional.ofNullable(homes.get(host))
                  .filter(state.interfacesOf(address)::contains)
                  .isPresent());
    }

    /** Whether only the network can tell whose it is, and it is no other agent's. */
    private boolean isFree(Claim claim, String address) {
      return isSaidByNobody(address)
          && holders.getOrDefault(address, claim.host()).equals(claim.host());
    }

    private void refuse(String host, String address, Unserved why) {
      refusals.computeIfAbsent(host, h -> new TreeMap<>()).put(address, why);
    }

    private boolean isSeen(String address) {
      return !state.interfacesOf(address).isEmpty();
    }

    /** Neither a certificate nor an operator. */
    private boolean isSaidByNobody(String address) {
      return !certified.containsKey(address) && !state.agents().containsKey(address);
    }

    /**
     * Where it was, as long as something of the host is seen there alone; else where most of the
     * host's addresses are, or most of those that it talks from.
     */
    private Optional<String> home(Claim claim, Optional<String> before) {
      return before
          .filter(
              home ->
                  claim.addresses.stream()
                      .filter(address -> isFree(claim, address))
                      .anyMatch(address -> state.interfacesOf(address).equals(Set.of(home))))
          .or(() -> most(claim, claim.agent.addresses(), before))
          .or(() -> most(claim, claim.addresses, before));
    }

    /**
     * The interface that most of the addresses are seen at: of equals that of before, or the first.
     */
    private Optional<String> most(
        Claim claim, Collection<String> addresses, Optional<String> before) {
      Map<String, Integer> seen = new LinkedHashMap<>();
      addresses.stream()
          .filter(address -> isFree(claim, address))
          .flatMap(address -> state.interfacesOf(address).stream().sorted())
          .forEach(one -> seen.merge(one, 1, Integer::sum));
      int most = seen.values().stream().mapToInt(Integer::intValue).max().orElse(0);
      List<String> equals =
          seen.keySet().stream()
              .filter(one -> seen.getOrDefault(one, 0) == most)
              .collect(Collectors.toUnmodifiableList());
      return before.filter(equals::contains).or(() -> equals.stream().findFirst());
    }

    private Optional<Unserved> objection(Claim claim, String address) {
      String host = claim.host();
      if (claim.agent.certified().contains(address)) {
        return Optional.empty();
      }
      if (decides(claim.agent.certified(), address)) {
        return Optional.of(Unserved.of(Unserved.Code.ADDRESS_NOT_CERTIFIED, address, host));
      }
      Optional<String> named = Optional.ofNullable(certified.get(address));
      if (named.isPresent()) {
        return Optional.of(ofAnother(host, address, named.get()));
      }
      Set<String> allowed = state.agents().getOrDefault(address, Set.of());
      if (!allowed.isEmpty()) {
        return allowed.contains(host)
            ? Optional.empty()
            : Optional.of(ofAnother(host, address, String.join(", ", new TreeSet<>(allowed))));
      }
      return Optional.ofNullable(homes.get(host))
          .filter(home -> isSeen(address) && !state.interfacesOf(address).contains(home))
          .map(
              home ->
                  Unserved.of(Unserved.Code.ADDRESS_ELSEWHERE, address, host, home, node(address)));
    }

    /** Whether a certificate names addresses of this one's kind, all of which it then names. */
    private boolean decides(Set<String> certified, String address) {
      return !address.startsWith(LINK_LOCAL)
          && certified.stream().anyMatch(one -> isIpv6(one) == isIpv6(address));
    }

    private boolean isIpv6(String address) {
      return address.indexOf(':') >= 0;
    }

    private void hold(String address, List<String> hosts) {
      String holder = holders.get(address);
      if (holder == null || !hosts.contains(holder)) {
        holder = hosts.get(0);
        holders.put(address, holder);
      }
      for (String host : hosts) {
        if (!host.equals(holder)) {
          refuse(host, address, ofAnother(host, address, holder));
        }
      }
    }

    private Unserved ofAnother(String host, String address, String owner) {
      return Unserved.of(Unserved.Code.ADDRESS_OF_ANOTHER, address, host, owner, node(address));
    }

    /** As network configuration names it. */
    private String node(String address) {
      return state.nodeOf(address).orElse("ID");
    }
  }
}
