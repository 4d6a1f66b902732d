package org.paceline.agent.tracking;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.conversation.ConversationKey;
import org.paceline.agent.conversation.Conversations;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.InheritedState;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.FirstPacket;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.SocketFacts;
import org.paceline.agent.pacing.Pacing;
import org.paceline.agent.peer.DestinationNames;
import org.paceline.agent.runtime.WallClock;

/**
 * Makes conversations of sockets: names those that are seen, finds the class for them, and ends
 * what has no socket any more. Owned by one thread.
 */
public final class ConversationTracker {
  // An unconnected UDP socket does not show its peers: silence of this length is the end.
  public static final Duration UNCONNECTED_SILENCE = Duration.ofSeconds(10);

  // Between these only what has come or gone is looked at.
  private static final Duration WHOLE_LOOK = Duration.ofSeconds(5);

  // Who sends less beside the rules is not worth a search through all open files.
  private static final long NOTABLE_BITS_PER_SECOND = 100_000;

  private final AgentConfig config;
  private final SocketTable socketTable;
  private final Conversations conversations;
  private final Pacing pacing;
  private final Listener listener;
  private final SocketNames names;
  private final PendingChanges changes;
  private long lastScanNanos = System.nanoTime();
  private long lastWholeNanos = lastScanNanos - WHOLE_LOOK.toNanos();
  // Those without a socket, or with one that is not in the table: time alone can end them.
  private final Set<Conversation> unsure = new LinkedHashSet<>();

  /** Who wants to know. */
  public interface Listener {
    void opened(Conversation conversation);

    /** One that was opened has other ports too by now, or some no more, or its process is known. */
    void matchedOtherwise(Conversation conversation);

    void closed(Collection<Conversation> conversations);

    void unpaced(Flow flow, String reason);
  }

  public ConversationTracker(
      AgentConfig config,
      SocketTable socketTable,
      Conversations conversations,
      Pacing pacing,
      SocketNames names,
      Listener listener) {
    this.config = config;
    this.socketTable = socketTable;
    this.conversations = conversations;
    this.pacing = pacing;
    this.names = names;
    this.listener = listener;
    this.changes = new PendingChanges(pacing, listener);
  }

  /** First packets of flows that no class takes. */
  public void take(List<FirstPacket> sightings) throws IOException {
    // What was only heard of has to be in the table by the next scan, or it is no more.
    socketTable.distrust();
    boolean fresh = false;
    for (FirstPacket sighting : sightings) {
      Flow flow = sighting.flow();
      // Only the packet that opens a connection speaks for itself: others may come after its end.
      boolean certain =
          sighting.opensConnection() ? socketTable.hasSocket(flow) : socketTable.isKnown(flow);
      if (!certain && !fresh) {
        read();
        fresh = true;
      }
      boolean real = certain || (fresh && socketTable.isKnown(flow));
      if (real && socketTable.manages(sighting.outInterface())) {
        notice(flow, sighting.outInterface());
      }
    }
    changes.commit();
  }

  /** The table of sockets: ends, and what was not heard of by its first packet. */
  public void scan() throws IOException {
    look();
    changes.tellMatches();
  }

  private void look() throws IOException {
    Set<Flow> known = socketTable.knownAnew();
    if (!known.isEmpty()) {
      nameAnew(flow -> known.contains(flow.outgoing()));
    }
    if (!readWhereChanged()) {
      changes.commit();
      if (!unsure.isEmpty()) {
        close(List.copyOf(unsure));
      }
      lastScanNanos = System.nanoTime();
      return;
    }
    boolean whole =
        names.canChangeUnseen() || System.nanoTime() - lastWholeNanos >= WHOLE_LOOK.toNanos();
    names.keepClaimed(conversations::knows);
    if (names.canChangeUnseen()) {
      leave((of, flow) -> names.isClaimedOtherwise(flow)).forEach(this::noticeOne);
    }
    Set<Flow> came = socketTable.changes().takeCame();
    socketTable.sendingByInterface(whole ? socketTable.sending() : came).forEach(this::notice);
    changes.commit();
    for (Flow flow : socketTable.changes().takeWent()) {
      conversations.byFlow(flow).ifPresent(unsure::add);
      conversations.byFlow(flow.incoming()).ifPresent(unsure::add);
    }
    close(whole ? conversations.all() : List.copyOf(unsure));
    lastScanNanos = System.nanoTime();
    lastWholeNanos = whole ? lastScanNanos : lastWholeNanos;
    socketTable.keepTraits(conversations::knows);
    socketTable.learnListeners();
  }

  /** Finds out whose processes send what no rule names, as far as it is notable. */
  public void learnOwners() {
    for (Conversation conversation : conversations.all()) {
      if (conversation.key().intent().isRoot()
          && !conversation.incoming()
          && conversation.isOwnerWanted()
          && conversation.measuredBitsPerSecond() >= NOTABLE_BITS_PER_SECOND
          && conversation.isOwnedBy(socketTable.holder(conversation.flows()))) {
        changes.known(conversation);
      }
    }
    changes.tellMatches();
  }

  /** Between scans, where nothing else tells of new connections. */
  public void glance() throws IOException {
    if (!socketTable.streamsStandStill()) {
      scan();
    }
  }

  private boolean readWhereChanged() throws IOException {
    if (!names.canChangeUnseen()) {
      return socketTable.readWhereChanged();
    }
    read();
    return true;
  }

  private void read() throws IOException {
    socketTable.read();
    names.refresh();
  }

  /** What destinations are called has become known: their sockets may be another rule's now. */
  public void take(DestinationNames.News news) throws IOException {
    if (!news.isEmpty()) {
      nameAnew(news::isAbout);
    }
  }

  private void nameAnew(Predicate<Flow> which) throws IOException {
    leave((of, flow) -> which.test(flow) && names.isNamedOtherwise(of, flow))
        .forEach(this::noticeOne);
    socketTable
        .sendingByInterface(socketTable.sending().stream().filter(which).toList())
        .forEach(this::notice);
    changes.commit();
  }

  /** These sockets leave their conversations, to be named anew. */
  private Map<Flow, String> leave(BiPredicate<Conversation, Flow> which) {
    Map<Flow, String> left = new HashMap<>();
    for (Conversation conversation : conversations.all()) {
      for (Flow flow : List.copyOf(conversation.flows())) {
        if (which.test(conversation, flow)) {
          names.forget(flow);
          leave(conversation, flow);
          left.put(flow, conversation.device());
        }
      }
    }
    return left;
  }

  private void notice(Flow flow, String device) {
    noticeOne(flow, device);
    // Who sends to a socket that is not connected, it does not show.
    if (config.rules().canName(Direction.IN) && socketTable.isConnected(flow)) {
      noticeOne(flow.incoming(), Pacing.device(Direction.IN, device));
    }
  }

  private void noticeOne(Flow flow, String device) {
    if (conversations.knows(flow)) {
      return;
    }
    SocketFacts facts = socketTable.facts(flow);
    Optional<RuleSet.Name> name = names.name(facts);
    if (name.isEmpty()) {
      return;
    }
    ConversationKey key = ConversationKey.of(name.get().intent(), name.get().grouping(), flow);
    ClassKey classKey = pacing.key(flow, name.get().coverage());
    ClassKey ports = ClassKey.of(flow, name.get().coverage());
    Optional<Conversation> known = conversations.byKey(key);
    Optional<Conversation> conversation =
        known.isPresent() ? known : open(key, device, classKey, ports, facts);
    if (conversation.isEmpty()) {
      listener.unpaced(flow, "too many conversations");
      return;
    }
    if (known.isEmpty()) {
      changes.opened(conversation.get());
    }
    conversations.join(conversation.get(), flow);
    changes.matched(conversation.get(), ports);
    if (!socketTable.isConnected(flow)) {
      unsure.add(conversation.get());
    }
    if (conversation.get().classKeys().add(classKey)) {
      changes.put(classKey, conversation.get());
    }
  }

  private Optional<Conversation> open(
      ConversationKey key, String device, ClassKey classKey, ClassKey first, SocketFacts facts) {
    Optional<InheritedState.Place> before = pacing.claim(device, classKey);
    Optional<Conversation> conversation =
        conversations.open(
            key,
            device,
            first,
            facts,
            before.map(InheritedState.Place::minor),
            WallClock.unixNanos(),
            System.nanoTime());
    before.ifPresent(place -> conversation.ifPresent(c -> c.grant(place.rateBitsPerSecond())));
    return conversation;
  }

  /** Every conversation gets its class, where pacing has just been installed. */
  public void placeAll() throws IOException {
    for (Conversation conversation : conversations.all()) {
      pacing.prepare(conversation);
      conversation.classKeys().forEach(key -> changes.put(key, conversation));
    }
    pacing.reconcile(conversations.all());
    changes.commit();
  }

  /** Ends those of these that have had no socket for long enough. */
  private void close(Collection<Conversation> looked) throws IOException {
    long now = System.nanoTime();
    List<Conversation> over = new ArrayList<>();
    for (Conversation conversation : looked) {
      unsure.remove(conversation);
      for (Flow flow : List.copyOf(conversation.flows())) {
        if (!isAlive(conversation, flow, now)) {
          leave(conversation, flow);
        } else if (!socketTable.isConnected(flow)) {
          unsure.add(conversation);
        }
      }
      if (conversation.flows().isEmpty()) {
        if (now - conversation.lastAliveNanos() >= config.timing().linger().toNanos()) {
          over.add(conversation);
        } else {
          unsure.add(conversation);
        }
      }
    }
    over.forEach(unsure::remove);
    for (Conversation conversation : over) {
      conversations.close(conversation);
      changes.closed(conversation);
    }
    if (!over.isEmpty()) {
      listener.closed(over);
    }
    changes.commit();
    pacing.reconcile(over);
  }

  private void leave(Conversation conversation, Flow flow) {
    conversations.leave(conversation, flow);
    conversation.aliveAt(lastScanNanos);
    if (conversation.flows().isEmpty()) {
      unsure.add(conversation);
    }
    changes.left(conversation, flow);
  }

  private boolean isAlive(Conversation conversation, Flow flow, long now) {
    if (flow.transport() == Transport.UDP && !socketTable.isConnected(flow)) {
      boolean talks = now - conversation.lastSentNanos() < UNCONNECTED_SILENCE.toNanos();
      return talks && socketTable.hasSocket(flow);
    }
    return socketTable.isConnected(flow);
  }
}
