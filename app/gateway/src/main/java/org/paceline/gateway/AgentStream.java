package org.paceline.gateway;

import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.paceline.control.directive.Capabilities;
import org.paceline.control.inventory.BoundedJournal;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Conversation;
import org.paceline.gateway.flood.MessageRate;
import org.paceline.gateway.tls.AgentTls;
import org.paceline.gateway.tls.CertificateExpiry;
import org.paceline.gateway.tls.CertifiedNames;
import org.paceline.gateway.tls.Peer;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Heartbeat;
import org.paceline.protocol.HeldConversations;
import org.paceline.protocol.Hello;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.Resumption;

/** One agent's stream, from its Hello to its end. */
final class AgentStream implements SlowedStream.Taker {
  /** Agents report once a second: one that was silent for this long is no longer there. */
  private static final Duration STALE = Duration.ofSeconds(4);

  private final AgentSessions sessions;
  private final AgentAdmission admission;
  private final AgentEvents events;
  private final AgentLine line;
  private final BoundedJournal journal;
  private final Peer peer;
  private final Optional<CertifiedNames> certified;
  // gRPC's calls come one after the other, but an agent may be given up, or welcomed again, from
  // elsewhere.
  private volatile Optional<String> host = Optional.empty();
  private volatile List<String> named = List.of();
  private Capabilities capabilities = Capabilities.ofAgent("", "", false, false);
  private HeldConversations held = new HeldConversations();
  private final Set<String> incoming = new HashSet<>();
  // Until it has said which host it speaks for.
  private final MessageRate unnamed = new MessageRate();
  // Whose Hello has left something to say; until then nothing else is expected.
  private Optional<Hello> incomplete = Optional.empty();
  private volatile long lastHeard = System.nanoTime();
  // Its next message is not asked for yet.
  private volatile boolean heldBack;
  // Until its Hello has come, or it is over.
  private volatile boolean isAwaited = true;
  private int counted;

  AgentStream(
      AgentSessions sessions,
      AgentAdmission admission,
      AgentEvents events,
      StreamObserver<ControllerMessage> out,
      Peer peer,
      Optional<CertifiedNames> certified,
      BoundedJournal journal) {
    this.sessions = sessions;
    this.admission = admission;
    this.events = events;
    this.line = new AgentLine(out);
    this.peer = peer;
    this.certified = certified;
    this.journal = journal;
  }

  /** Whether its host may come on another stream: also where what it said last still waits. */
  boolean isStale() {
    return sinceHeard() > STALE.toNanos();
  }

  /** What it says next is left unread until it goes on: it is not silent meanwhile. */
  @Override
  public void holdBack() {
    heldBack = true;
  }

  @Override
  public void goOn() {
    lastHeard = System.nanoTime();
    heldBack = false;
  }

  @Override
  public MessageRate rate() {
    return host.map(sessions.floods()::rate).orElse(unnamed);
  }

  /**
   * Its agent comes back, and is refused for a while; what it held ends as if it had broken off.
   */
  @Override
  public void cutOff() {
    host.ifPresent(
        name -> {
          refuse(AgentAdmission.noRoom(sessions.floods().cutOff(name)));
          leave(events::detached);
        });
  }

  boolean isSilentFor(Duration time) {
    return !heldBack && sinceHeard() > time.toNanos();
  }

  private long sinceHeard() {
    return System.nanoTime() - lastHeard;
  }

  /** Ends a stream whose agent says nothing any more, though the connection may look alive. */
  void giveUp() {
    giveUp("The controller has not heard from this agent for too long.");
  }

  /** Whoever says nothing must not stay for nothing. */
  void endWhereAwaited() {
    if (isAwaited) {
      isAwaited = false;
      giveUp("Its agent has not said who it is.");
    }
  }

  private void giveUp(String why) {
    journal.warn(source(), "The stream of the agent from " + peer + " is ended: " + why);
    line.fail(why);
    leave(events::detached);
  }

  // gRPC calls the next three one after the other; senders come from other threads.

  @Override
  public void onNext(AgentMessage message) {
    lastHeard = System.nanoTime();
    if (line.isEnded()) {
      return;
    }
    try {
      hear(message);
    } catch (RuntimeException | Error bug) {
      failed(message, bug);
    }
  }

  /**
   * What an agent says again by itself is waited for. Else its stream ends as if it had broken: the
   * agent comes back and says all that is so, this with it.
   */
  private void failed(AgentMessage message, Throwable bug) {
    boolean comesAgain = message.hasReport() || message.hasInstalled() || message.hasPorts();
    journal.fault(
        source(),
        "A message of the agent from "
            + peer
            + " could not be handled; "
            + (comesAgain ? "the next one is" : "it is to say all once more"),
        bug);
    if (!comesAgain) {
      startOver();
    }
  }

  /** Has its agent come back and say all that is so. */
  void startOver() {
    line.fail("The controller has met a fault of its own. Please say all that is open once more.");
    leave(events::detached);
  }

  private void hear(AgentMessage message) {
    if (host.isEmpty()) {
      greet(message);
      return;
    }
    try {
      take(host.get(), message);
    } catch (IllegalArgumentException e) {
      objectTo("", e);
    }
    count();
  }

  /**
   * @throws IllegalArgumentException where a value in it is none
   */
  private void take(String sender, AgentMessage message) {
    if (incomplete.isPresent() != message.hasResumption()) {
      journal.warn(sender, "Agent " + sender + " sent a message that is not expected here.");
      return;
    }
    switch (message.getMessageCase()) {
      case RESUMPTION:
        complete(sender, incomplete.get(), message.getResumption());
        break;
      case OPENED:
        open(sender, message.getOpened());
        break;
      case INCOMING:
        openIncoming(sender, message.getIncoming());
        break;
      case CLOSED:
        held.close(message.getClosed().getIdsList());
        message.getClosed().getIdsList().forEach(incoming::remove);
        events.closed(Translation.ids(sender, message.getClosed().getIdsList()));
        break;
      case INSTALLED:
        message
            .getInstalled()
            .getRatesList()
            .forEach(r -> held.rate(r.getConversationId(), r.getRateBitsPerSecond()));
        events.installed(
            sender,
            message.getInstalled().getPlanVersion(),
            Translation.installed(sender, message.getInstalled()),
            Translation.pools(sender, message.getInstalled()));
        break;
      case REPORT:
        message
            .getReport()
            .getConversationsList()
            .forEach(c -> held.rate(c.getConversationId(), c.getInstalledRateBitsPerSecond()));
        events.reported(
            Translation.time(message.getReport().getUnixNanos()),
            Translation.counters(sender, message.getReport(), admission.now()));
        if (message.getReport().hasUnmanaged()) {
          events.unmanaged(Translation.unmanaged(sender, message.getReport()));
        }
        break;
      case PORTS:
        events.divided(
            sender,
            message.getPorts().getNumber(),
            Translation.ports(message.getPorts().getPortsList()));
        break;
      default:
        journal.warn(sender, "Agent " + sender + " sent a message that is not expected here.");
    }
  }

  /** How many conversations its host has is some of what all have. */
  private synchronized void count() {
    int now = host.isPresent() ? held.size() + incoming.size() : 0;
    sessions.bounds().counted(counted, now);
    counted = now;
  }

  /** Why its host may not have one more; else it has from now on. */
  private synchronized Optional<String> oneMore() {
    Optional<String> refusal = sessions.bounds().refusalOfConversation(counted);
    if (refusal.isEmpty()) {
      sessions.bounds().counted(counted, counted + 1);
      counted++;
    }
    return refusal;
  }

  private synchronized void checkSharedRoom() {
    sessions
        .bounds()
        .refusalOfConversation(counted)
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(why);
            });
  }

  private void greet(AgentMessage message) {
    isAwaited = false;
    if (!message.hasHello()) {
      refuse(
          Refusal.newBuilder()
              .setCode(Refusal.Code.UNSUPPORTED_PROTOCOL_VERSION)
              .setMessage("The first message must be Hello. Maybe the agent is of another version.")
              .build());
      return;
    }
    Hello hello = message.getHello();
    Optional<Refusal> refusal =
        AgentBounds.tooMuch(hello)
            .map(AgentAdmission::beyondBounds)
            .or(() -> admission.objection(hello, certified));
    if (refusal.isPresent()) {
      refuse(refusal.get());
      return;
    }
    String claimed = hello.getHostId();
    Optional<String> noRoom = sessions.refusal(claimed);
    if (noRoom.isPresent()) {
      refuse(AgentAdmission.noRoom(noRoom.get()));
      return;
    }
    Optional<AgentStream> before = sessions.find(claimed);
    if (!sessions.claim(claimed, this)) {
      refuse(admission.duplicate(claimed));
      return;
    }
    before.filter(old -> old != this).ifPresent(AgentStream::drop);
    host = Optional.of(claimed);
    named = hello.getIntentsList();
    capabilities = Translation.capabilities(hello);
    held = sessions.held(claimed);
    List<Integer> wanted = List.of();
    if (hello.getDigestsCount() == 0) {
      held.replace(hello.getConversationsList());
    } else {
      wanted = held.differing(hello.getDigestsList());
    }
    send(
        ControllerMessage.newBuilder()
            .setWelcome(admission.welcome(named).toBuilder().addAllWantedBuckets(wanted))
            .build());
    if (wanted.isEmpty()) {
      attach(claimed, hello);
    } else {
      incomplete = Optional.of(hello);
    }
  }

  private void attach(String sender, Hello hello) {
    List<Conversation> open = new ArrayList<>();
    List<String> tooMany = new ArrayList<>();
    Optional<String> full = Optional.empty();
    for (ConversationOpened one : held.all()) {
      Optional<String> refusal = oneMore();
      if (refusal.isPresent()) {
        full = refusal;
        tooMany.add(one.getId());
      } else {
        conversation(sender, one).ifPresent(open::add);
      }
    }
    // So that it tells of them again when it comes back.
    held.close(tooMany);
    for (ConversationOpened one : hello.getIncomingList()) {
      Optional<String> refusal = oneMore();
      if (refusal.isPresent()) {
        full = refusal;
        tooMany.add(one.getId());
      } else {
        incoming(sender, one).ifPresent(open::add);
      }
    }
    count();
    // In one sentence: it may be thousands of them.
    full.ifPresent(
        why ->
            objectTo(
                "",
                new IllegalArgumentException(
                    "Of this host ("
                        + tooMany.size()
                        + ") conversations are not taken, such as ("
                        + tooMany.get(0)
                        + "). "
                        + why)));
    events.attached(info(hello), open, hello.getPlanVersion());
    events.canDivide(sender, Translation.ports(hello.getPortsList()));
  }

  /** What a Hello with digests has left to say. */
  private void complete(String sender, Hello hello, Resumption rest) {
    Optional<String> tooMuch = AgentBounds.tooMuch(rest);
    if (tooMuch.isPresent()) {
      giveUp(tooMuch.get());
      return;
    }
    incomplete = Optional.empty();
    held.replace(rest.getBucketsList(), hello.getDigestsCount(), rest.getConversationsList());
    attach(sender, hello);
  }

  void welcome() {
    send(ControllerMessage.newBuilder().setWelcome(admission.welcome(named)).build());
  }

  private AgentInfo info(Hello hello) {
    AgentInfo info =
        AgentInfo.of(
                hello.getHostId(),
                Translation.addresses(hello),
                hello.getCapabilities().getEnforcer(),
                hello.getAgentVersion(),
                peer.toString(),
                admission.now())
            .naming(hello.getIntentsList())
            .certifiedFor(certified.map(CertifiedNames::addresses).orElseGet(Set::of));
    return Translation.peerAgreement(hello).map(info::comingFrom).orElse(info);
  }

  private void open(String sender, ConversationOpened opened) {
    if (hasRoom(opened, held.has(opened.getId()), held.size())) {
      held.open(opened);
      conversation(sender, opened).ifPresent(events::opened);
    }
  }

  private void openIncoming(String sender, ConversationOpened opened) {
    if (hasRoom(opened, incoming.contains(opened.getId()), incoming.size())) {
      incoming(sender, opened).ifPresent(events::opened);
    }
  }

  private boolean hasRoom(ConversationOpened opened, boolean isOpen, int open) {
    try {
      AgentBounds.check(opened);
      if (!isOpen) {
        AgentBounds.checkRoom(open);
        checkSharedRoom();
      }
      return true;
    } catch (IllegalArgumentException e) {
      objectTo(AgentBounds.shown(opened.getId()), e);
      return false;
    }
  }

  private Optional<Conversation> conversation(String sender, ConversationOpened opened) {
    return usable(opened, one -> Translation.conversation(sender, capabilities, one));
  }

  private Optional<Conversation> incoming(String sender, ConversationOpened opened) {
    Optional<Conversation> usable =
        usable(opened, one -> Translation.incoming(sender, capabilities.incoming(), one));
    usable.ifPresent(one -> incoming.add(opened.getId()));
    return usable;
  }

  private Optional<Conversation> usable(
      ConversationOpened opened, Function<ConversationOpened, Conversation> translation) {
    try {
      return Optional.of(translation.apply(opened));
    } catch (IllegalArgumentException e) {
      objectTo(opened.getId(), e);
      return Optional.empty();
    }
  }

  /** What an agent says may be unusable; the stream goes on with what is not. */
  private void objectTo(String conversation, IllegalArgumentException fault) {
    journal.warn(
        source(), "The agent from " + peer + " said what cannot be used: " + fault.getMessage());
    send(
        ControllerMessage.newBuilder()
            .setRefusal(
                Refusal.newBuilder()
                    .setCode(Refusal.Code.INVALID_CONVERSATION)
                    .setConversationId(conversation)
                    .setMessage(String.valueOf(fault.getMessage())))
            .build());
  }

  private void refuse(Refusal refusal) {
    journal.warn(source(), "An agent from " + peer + " is refused: " + refusal.getMessage());
    send(ControllerMessage.newBuilder().setRefusal(refusal).build());
    complete();
  }

  /** That its host will not be let in any more before long, whatever certificate it shows then. */
  Optional<Alarm> certificateAlarm(AgentTls tls, Instant now) {
    return host.flatMap(
        name ->
            certified
                .flatMap(CertifiedNames::end)
                .map(end -> tls.lastEnd(name).filter(end::isBefore).orElse(end))
                .flatMap(end -> CertificateExpiry.ofAgent(name, end, now)));
  }

  /**
   * Its host gives up what it held, as when its agent stops: the agent will not be let in again.
   */
  void endWhereRevoked() {
    certified
        .flatMap(admission::revocation)
        .ifPresent(
            refusal -> {
              refuse(refusal);
              leave(this::stopped);
            });
  }

  /** Its host, or where it comes from while it has not said that. */
  private String source() {
    return host.orElseGet(peer::host);
  }

  /** Ends a stream whose agent has come back on another. */
  private void drop() {
    host = Optional.empty();
    count();
    complete();
  }

  @Override
  public void onError(Throwable broken) {
    journal.note(
        source(), "The stream of the agent from " + peer + " broke: " + broken.getMessage());
    leave(events::detached);
  }

  @Override
  public void onCompleted() {
    leave(this::stopped);
    complete();
  }

  private void stopped(String name) {
    sessions.forget(name);
    events.stopped(name);
  }

  private synchronized void leave(Consumer<String> how) {
    isAwaited = false;
    Optional<String> left = host.filter(name -> sessions.release(name, this));
    host = Optional.empty();
    count();
    left.ifPresent(how);
  }

  void beat() {
    send(ControllerMessage.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()).build());
  }

  void send(ControllerMessage message) {
    if (!line.send(message)) {
      giveUp("This agent does not read what it is told.");
    }
  }

  void complete() {
    line.complete();
  }
}
