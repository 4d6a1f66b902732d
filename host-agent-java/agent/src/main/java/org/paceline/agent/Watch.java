package org.paceline.agent;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.paceline.agent.application.Applicant;
import org.paceline.agent.application.Claims;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.conversation.ConversationKey;
import org.paceline.agent.conversation.Conversations;
import org.paceline.agent.naming.Rule;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.pace.ClassKey;
import org.paceline.agent.pace.Inherited;
import org.paceline.agent.pace.Pacer;
import org.paceline.agent.sense.Direction;
import org.paceline.agent.sense.Flow;
import org.paceline.agent.sense.ProcessInfo;
import org.paceline.agent.sense.Sighting;
import org.paceline.agent.sense.SocketFacts;
import org.paceline.agent.sense.Transport;
import org.paceline.intents.tree.IntentPath;

/**
 * Makes conversations of sockets: names those that are seen, finds the class for them, and ends
 * what has no socket any more. Owned by one thread.
 */
final class Watch {
  // An unconnected UDP socket does not show its peers: silence of this length is the end.
  static final Duration UNCONNECTED_SILENCE = Duration.ofSeconds(10);

  private final AgentConfig config;
  private final Sensing sensing;
  private final Conversations conversations;
  private final Pacing pacing;
  private final Audience audience;
  private final Claims claims;
  private final Map<Flow, IntentPath> claimed = new HashMap<>();
  private final Set<Conversation> opened = new LinkedHashSet<>();
  private final Map<ClassKey, Integer> newKeys = new LinkedHashMap<>();
  private long lastScanNanos = System.nanoTime();
  // Whether there is a conversation that time alone can end.
  private boolean restless;

  /** Who wants to know. */
  interface Audience {
    void opened(Conversation conversation);

    void closed(Collection<Conversation> conversations);

    void unpaced(Flow flow, String reason);
  }

  Watch(
      AgentConfig config,
      Sensing sensing,
      Conversations conversations,
      Pacing pacing,
      Claims claims,
      Audience audience) {
    this.config = config;
    this.sensing = sensing;
    this.conversations = conversations;
    this.pacing = pacing;
    this.claims = claims;
    this.audience = audience;
  }

  /** First packets of flows that no class takes. */
  void take(List<Sighting> sightings) throws IOException {
    // What was only heard of has to be in the table by the next scan, or it is no more.
    sensing.distrust();
    boolean fresh = false;
    for (Sighting sighting : sightings) {
      Flow flow = sighting.flow();
      // Only the packet that opens a connection speaks for itself: others may come after its end.
      boolean certain =
          sighting.opensConnection() ? sensing.hasSocket(flow) : sensing.isKnown(flow);
      if (!certain && !fresh) {
        read();
        fresh = true;
      }
      boolean real = certain || (fresh && sensing.isKnown(flow));
      if (real && sensing.manages(sighting.outInterface())) {
        notice(flow, sighting.outInterface());
      }
    }
    commit();
  }

  /** The whole table of sockets: ends, and what was not heard of by its first packet. */
  void scan() throws IOException {
    if (!readWhereChanged()) {
      commit();
      if (restless) {
        closeSilent();
      }
      lastScanNanos = System.nanoTime();
      return;
    }
    List<ClassKey> keys = new ArrayList<>();
    List<Flow> forgotten = new ArrayList<>();
    Map<Flow, String> renamed = leaveOtherNames(keys, forgotten);
    renamed.forEach(this::notice);
    sensing.sendingByInterface().forEach(this::notice);
    commit(keys, forgotten);
    closeSilent();
    lastScanNanos = System.nanoTime();
    sensing.learnListeners();
  }

  /** Whose files are claimed may change them without any socket changing. */
  private boolean readWhereChanged() throws IOException {
    if (claims.areNone() && claimed.isEmpty()) {
      return sensing.readWhereChanged();
    }
    read();
    return true;
  }

  private void read() throws IOException {
    sensing.read();
    claims.refresh(sensing.inodes());
  }

  /**
   * The sockets that are claimed otherwise than before, or not any more, leave their conversations.
   */
  private Map<Flow, String> leaveOtherNames(List<ClassKey> keys, List<Flow> forgotten) {
    claimed.keySet().removeIf(flow -> !conversations.knows(flow));
    Map<Flow, String> renamed = new HashMap<>();
    if (claims.isEmpty() && claimed.isEmpty()) {
      return renamed;
    }
    for (Conversation conversation : conversations.all()) {
      for (Flow flow : List.copyOf(conversation.flows())) {
        Optional<IntentPath> now = claim(flow);
        if (!now.equals(Optional.ofNullable(claimed.get(flow)))) {
          claimed.remove(flow);
          leave(conversation, flow, keys, forgotten);
          renamed.put(flow, conversation.device());
        }
      }
    }
    // What was never put need not be taken.
    keys.removeIf(key -> newKeys.remove(key) != null);
    return renamed;
  }

  /** What applications measured themselves on this conversation's sockets. */
  Map<String, Double> kpis(Conversation conversation) {
    Map<String, Double> kpis = new TreeMap<>();
    if (!claims.isEmpty() && !conversation.incoming()) {
      conversation.flows().forEach(flow -> kpis.putAll(claims.kpis(sensing.inode(flow))));
    }
    return kpis;
  }

  boolean isClaimedBy(Applicant by, Conversation conversation) {
    return !conversation.incoming()
        && conversation.flows().stream().anyMatch(f -> claims.isBy(by, sensing.inode(f)));
  }

  /** Applications say what they send. */
  private Optional<IntentPath> claim(Flow flow) {
    return flow.direction() == Direction.OUT
        ? claims.intent(sensing.inode(flow))
        : Optional.empty();
  }

  private Optional<RuleSet.Name> name(SocketFacts facts) {
    Flow flow = facts.flow();
    Optional<IntentPath> claim = claim(flow);
    claim.ifPresent(intent -> claimed.put(flow, intent));
    return claim
        .map(intent -> new RuleSet.Name(intent, Rule.Grouping.ADDRESS, RuleSet.Coverage.SOCKET))
        .or(() -> config.rules().name(facts));
  }

  private void notice(Flow flow, String device) {
    noticeOne(flow, device);
    // Who sends to a socket that is not connected, it does not show.
    if (config.rules().canName(Direction.IN) && sensing.isConnected(flow)) {
      noticeOne(flow.incoming(), Pacer.device(Direction.IN, device));
    }
  }

  private void noticeOne(Flow flow, String device) {
    if (conversations.knows(flow)) {
      return;
    }
    SocketFacts facts = sensing.facts(flow);
    Optional<RuleSet.Name> name = name(facts);
    if (name.isEmpty()) {
      return;
    }
    ConversationKey key = ConversationKey.of(name.get().intent(), name.get().grouping(), flow);
    ClassKey classKey = ClassKey.of(flow, name.get().coverage());
    Optional<Conversation> known = conversations.byKey(key);
    Optional<Conversation> conversation =
        known.isPresent() ? known : open(key, device, classKey, facts.owner());
    if (conversation.isEmpty()) {
      audience.unpaced(flow, "too many conversations");
      return;
    }
    if (known.isEmpty()) {
      opened.add(conversation.get());
      pacing.prepare(conversation.get());
    }
    conversations.join(conversation.get(), flow);
    if (conversation.get().classKeys().add(classKey)) {
      newKeys.put(classKey, conversation.get().minor());
    }
  }

  private Optional<Conversation> open(
      ConversationKey key, String device, ClassKey classKey, ProcessInfo owner) {
    Optional<Inherited.Place> before = pacing.claim(device, classKey);
    Optional<Conversation> conversation =
        conversations.open(
            key,
            device,
            classKey,
            owner,
            before.map(Inherited.Place::minor),
            WallClock.unixNanos(),
            System.nanoTime());
    before.ifPresent(place -> conversation.ifPresent(c -> c.grant(place.rateBitsPerSecond())));
    return conversation;
  }

  /** Tells and installs what was noticed: the controller first, for it to plan meanwhile. */
  void commit() throws IOException {
    commit(List.of(), List.of());
  }

  private void commit(List<ClassKey> taken, List<Flow> forgotten) throws IOException {
    opened.forEach(audience::opened);
    if (pacing.isInstalled()) {
      pacing.reconcile(opened);
      // Those that could not be put are put with the next ones.
      pacing.classify(newKeys, taken, forgotten);
      newKeys.clear();
    }
    opened.clear();
  }

  /** Every conversation gets its class, where pacing has just been installed. */
  void placeAll() throws IOException {
    for (Conversation conversation : conversations.all()) {
      pacing.prepare(conversation);
      conversation.classKeys().forEach(key -> newKeys.put(key, conversation.minor()));
    }
    pacing.reconcile(conversations.all());
    commit();
  }

  private void closeSilent() throws IOException {
    long now = System.nanoTime();
    List<Conversation> over = new ArrayList<>();
    List<Flow> forgotten = new ArrayList<>();
    List<ClassKey> keys = new ArrayList<>();
    restless = false;
    for (Conversation conversation : conversations.all()) {
      if (!conversation.flows().isEmpty()) {
        conversation.aliveAt(lastScanNanos);
      }
      for (Flow flow : List.copyOf(conversation.flows())) {
        if (!isAlive(conversation, flow, now)) {
          leave(conversation, flow, keys, forgotten);
        }
        // Time alone ends what is not connected.
        restless |= !sensing.isConnected(flow);
      }
      if (!conversation.flows().isEmpty()) {
        conversation.aliveAt(now);
      } else if (now - conversation.lastAliveNanos() >= config.linger().toNanos()) {
        over.add(conversation);
      } else {
        restless = true;
      }
    }
    for (Conversation conversation : over) {
      conversations.close(conversation);
      keys.addAll(conversation.classKeys());
      forgotten.addAll(conversation.departed());
      pacing.forget(conversation);
    }
    if (!over.isEmpty()) {
      audience.closed(over);
    }
    // What was never put need not be taken.
    keys.removeIf(key -> newKeys.remove(key) != null);
    pacing.classify(Map.of(), keys, forgotten);
    pacing.reconcile(over);
  }

  private void leave(
      Conversation conversation, Flow flow, List<ClassKey> keys, List<Flow> forgotten) {
    conversations.leave(conversation, flow);
    ClassKey own = ClassKey.of(flow, RuleSet.Coverage.SOCKET);
    if (conversation.classKeys().remove(own)) {
      keys.add(own);
      forgotten.add(flow);
    } else {
      conversation.departed(flow);
    }
  }

  private boolean isAlive(Conversation conversation, Flow flow, long now) {
    if (flow.transport() == Transport.UDP && !sensing.isConnected(flow)) {
      boolean talks = now - conversation.lastSentNanos() < UNCONNECTED_SILENCE.toNanos();
      return talks && sensing.hasSocket(flow);
    }
    return sensing.isConnected(flow);
  }
}
