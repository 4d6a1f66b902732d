package org.paceline.control.naming;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.port.Worker;

/**
 * Conversations that are found by their packets: each begins with a packet that a rule names, and
 * ends when nothing of it was counted for a while. What a scan can open is bounded, for each sender
 * and in all. Belongs to the worker's thread.
 */
public final class FoundFlows {
  /** What becomes of a flow whose packet was looked at. */
  public enum Outcome {
    /** It is of a conversation now. */
    NAMED,
    /** No rule names it: it is left to default forwarding. */
    UNNAMED,
    /** A rule names it, and there is no room for one more. */
    NO_ROOM
  }

  /** Who opens and ends conversations. */
  public interface Owner {
    /** Also where an open one has more packets to match. */
    void opened(Conversation conversation);

    void closed(Collection<ConversationId> ids);
  }

  /** More than a desk has of sessions at a time, and too few to fill a switch's table. */
  public static final int MOST_OF_A_SENDER = 64;

  public static final int MOST_IN_ALL = 2_000;

  /** Each is a rule at the first switch. */
  static final int MOST_FLOWS_OF_A_CONVERSATION = 32;

  private final Worker worker;
  private final Clock clock;
  private final Owner owner;
  private final Map<ConversationId, Found> found = new TreeMap<>();

  /** By MAC address: of addresses of IP a host may take many. */
  private final Map<String, Integer> bySender = new HashMap<>();

  private volatile Map<String, Long> turnedAway = Map.of();
  private volatile int open;
  private NamingRules rules = NamingRules.NONE;

  /** One that is open, and what it was found by. */
  private static final class Found {
    final Conversation conversation;
    final String sender;
    final Map<PacketMatch, PacketFacts> flows = new LinkedHashMap<>();
    Duration active;
    long packets;

    Found(Conversation conversation, String sender, Duration active) {
      this.conversation = conversation;
      this.sender = sender;
      this.active = active;
    }

    Conversation whole() {
      List<PacketMatch> more = new ArrayList<>(flows.keySet());
      return conversation.toBuilder().moreMatches(more.subList(1, more.size())).build();
    }
  }

  /**
   * @param worker all is done on
   */
  public FoundFlows(Worker worker, Clock clock, Owner owner) {
    this.worker = worker;
    this.clock = clock;
    this.owner = owner;
  }

  /** A packet of a host without an agent came to the controller. */
  public Outcome seen(PacketFacts packet) {
    return rules.name(packet).map(name -> take(packet, name)).orElse(Outcome.UNNAMED);
  }

  private Outcome take(PacketFacts packet, NamingRules.Name name) {
    ConversationId id = id(packet, name);
    Found known = found.get(id);
    if (known == null) {
      return open(id, packet, name);
    }
    known.active = worker.now();
    if (known.flows.containsKey(name.packets())) {
      return Outcome.NAMED;
    }
    if (known.flows.size() >= MOST_FLOWS_OF_A_CONVERSATION) {
      return turnAway(packet);
    }
    known.flows.put(name.packets(), packet);
    owner.opened(known.whole());
    return Outcome.NAMED;
  }

  private Outcome open(ConversationId id, PacketFacts packet, NamingRules.Name name) {
    if (found.size() >= MOST_IN_ALL || bySender.getOrDefault(packet.mac(), 0) >= MOST_OF_A_SENDER) {
      return turnAway(packet);
    }
    Found opened =
        new Found(
            Conversation.builder()
                .id(id)
                .intent(name.intent().toString())
                .namedBy(name.rule().name())
                .localAddress(packet.localAddress())
                .remoteAddress(packet.remoteAddress())
                .transport(name.packets().transport())
                .localPort(name.packets().localPort())
                .remotePort(name.packets().remotePort())
                .foundDirection(name.direction(packet))
                .enforcement(Enforcement.FIRST_HOP)
                .firstSeen(clock.instant())
                .build(),
            packet.mac(),
            worker.now());
    opened.flows.put(name.packets(), packet);
    found.put(id, opened);
    bySender.merge(packet.mac(), 1, Integer::sum);
    open = found.size();
    owner.opened(opened.conversation);
    return Outcome.NAMED;
  }

  private Outcome turnAway(PacketFacts packet) {
    Map<String, Long> more = new TreeMap<>(turnedAway);
    if (more.size() < MOST_OF_A_SENDER || more.containsKey(packet.localAddress())) {
      more.merge(packet.localAddress(), 1L, Long::sum);
      turnedAway = more;
    }
    return Outcome.NO_ROOM;
  }

  private static ConversationId id(PacketFacts packet, NamingRules.Name name) {
    String ends = packet.localAddress() + "-" + packet.remoteAddress();
    PacketMatch own = name.packets();
    return ConversationId.of(
        ConversationId.FOUND,
        name.rule().name()
            + "/"
            + ends
            + (name.rule().grouping() == NamingRule.Grouping.SOCKET
                ? "/" + own.transport() + "-" + own.localPort() + "-" + own.remotePort()
                : ""));
  }

  /** Other rules hold: who is named otherwise by them is another conversation at once. */
  public void goBy(NamingRules next) {
    rules = next;
    turnedAway = Map.of();
    List<PacketFacts> again = new ArrayList<>();
    List<ConversationId> over = new ArrayList<>();
    found.forEach(
        (id, one) -> {
          boolean isSame =
              one.flows.entrySet().stream()
                  .allMatch(
                      flow ->
                          next.name(flow.getValue())
                              .filter(name -> isSame(id, one, flow, name))
                              .isPresent());
          if (!isSame) {
            over.add(id);
            again.addAll(one.flows.values());
          }
        });
    end(over);
    again.forEach(this::seen);
  }

  /** The direction is that of the first flow, the only one that the conversation as opened has. */
  private static boolean isSame(
      ConversationId id,
      Found one,
      Map.Entry<PacketMatch, PacketFacts> flow,
      NamingRules.Name name) {
    return id(flow.getValue(), name).equals(id)
        && name.packets().equals(flow.getKey())
        && name.intent().toString().equals(one.conversation.intent())
        && (!one.conversation.matches().contains(flow.getKey())
            || name.direction(flow.getValue()) == one.conversation.direction());
  }

  /**
   * What the first switches counted of packets.
   *
   * @param packets since the rules that count were written: it begins again where they are
   */
  public void counted(Map<ConversationId, Long> packets) {
    packets.forEach(
        (id, now) -> {
          Found one = found.get(id);
          if (one != null && now != one.packets) {
            if (now > 0) {
              one.active = worker.now();
            }
            one.packets = now;
          }
        });
  }

  /** Ends those of which nothing was counted for so long. */
  public void expire(Duration idle) {
    Duration before = worker.now().minus(idle);
    endIf(one -> one.active.compareTo(before) < 0);
  }

  /** An agent speaks for these senders now. */
  public void leaveToAgents(Set<String> addresses) {
    endIf(one -> addresses.contains(one.conversation.localAddress()));
  }

  private void endIf(Predicate<Found> isOver) {
    end(
        found.entrySet().stream()
            .filter(one -> isOver.test(one.getValue()))
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableList()));
  }

  private void end(List<ConversationId> ids) {
    if (ids.isEmpty()) {
      return;
    }
    for (ConversationId id : ids) {
      Optional.ofNullable(found.remove(id))
          .ifPresent(one -> bySender.computeIfPresent(one.sender, (s, n) -> n > 1 ? n - 1 : null));
    }
    open = found.size();
    owner.closed(ids);
  }

  /** Those that are open. */
  public List<Conversation> conversations() {
    return found.values().stream().map(Found::whole).collect(Collectors.toUnmodifiableList());
  }

  /** How many are open; any thread may ask. */
  public int count() {
    return open;
  }

  /** By sender, how many flows found no room since the rules were changed; any thread may ask. */
  public Map<String, Long> turnedAway() {
    return turnedAway;
  }
}
