package org.paceline.agent.session;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.paceline.agent.application.ReportedKpi;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.config.ControllerAddress;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.conversation.Conversations;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.pacing.Pacing;
import org.paceline.agent.runtime.AgentVersion;
import org.paceline.agent.runtime.Console;
import org.paceline.agent.runtime.EventLoop;
import org.paceline.agent.runtime.ProcessUsage;
import org.paceline.agent.runtime.WallClock;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Hello;
import org.paceline.protocol.InstalledRate;
import org.paceline.protocol.PeerAgreement;
import org.paceline.protocol.Rates;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.UnmanagedTraffic;
import org.paceline.protocol.Welcome;

/**
 * How the agent stands with its controller: calls it, tells it who talks, does what it says, and
 * calls again when it is gone. Owned by one thread.
 */
public final class ControllerSession implements ControllerStream.Listener, AutoCloseable {
  // A loop that comes so late has stood still; a busy host is not that late.
  private static final Duration STANDS_STILL = Duration.ofSeconds(5);

  private static final Duration BETWEEN_RENEWALS = Duration.ofHours(1);

  private final AgentConfig config;
  private final ControllerAddress address;
  private final int protocolVersion;
  private final Console console;
  private final EventLoop loop;
  private final Conversations conversations;
  private final Pacing pacing;
  private final Grants grants;
  private final ControllerSilence silence;
  private final Work work;
  private final ControllerStream stream;
  private final SessionResumption resumption = new SessionResumption();
  private final ReconnectBackoff backoff = new ReconnectBackoff(new java.util.Random());
  private final RateChanges rateChanges = new RateChanges();
  private final CompletableFuture<String> refused = new CompletableFuture<>();
  private boolean attached;
  private boolean everWelcomed;

  /** What there is to do once the controller has welcomed the agent. */
  public interface Work {
    /** Every conversation gets its class, where pacing has just been installed. */
    void placeAll() throws IOException;

    /** Looks who talks. */
    void scan() throws IOException;

    /** What peers have agreed on; empty where they do not decide. */
    Optional<PeerAgreement> peerAgreement();
  }

  /**
   * @param config names a controller
   */
  public ControllerSession(
      AgentConfig config,
      int protocolVersion,
      Console console,
      EventLoop loop,
      Conversations conversations,
      Pacing pacing,
      Work work) {
    this.config = config;
    this.protocolVersion = protocolVersion;
    this.console = console;
    this.loop = loop;
    this.conversations = conversations;
    this.pacing = pacing;
    this.grants = new Grants(pacing, conversations);
    this.silence =
        new ControllerSilence(
            ControllerSilence::sinceBoot, config.timing().scanInterval().plus(STANDS_STILL));
    this.work = work;
    this.address = config.controller().orElseThrow();
    this.stream = new ControllerStream(address.host(), address.port(), address.tls(), loop, this);
  }

  /** Completes with the reason when a person has to put something right. */
  public CompletableFuture<String> refused() {
    return refused;
  }

  /** For how long the controller has said nothing. */
  public ControllerSilence silence() {
    return silence;
  }

  public boolean isAttached() {
    return attached;
  }

  /** The newest plan that is installed. */
  public long planVersion() {
    return grants.planVersion();
  }

  public RateChanges rateChanges() {
    return rateChanges;
  }

  public void attach() {
    // Who takes over relies on it.
    endPools();
    Hello.Builder hello =
        Messages.hello(
                config, pacing.interfaces(), pacing.choice(), grants.planVersion(), protocolVersion)
            .setAgentVersion(AgentVersion.number());
    hello.getCapabilitiesBuilder().setPools(pacing.hasPools());
    work.peerAgreement().ifPresent(hello::setPeerAgreement);
    resumption.say(hello, open(false), open(true));
    stream.open(AgentMessage.newBuilder().setHello(hello).build());
  }

  private List<ConversationOpened> open(boolean incoming) {
    return conversations.all().stream()
        .filter(c -> c.incoming() == incoming)
        .map(c -> Messages.opened(c, pacing.installedRate(c)))
        .toList();
  }

  @Override
  public void ended(String reason) {
    Duration wait = backoff.next();
    if (attached || !everWelcomed) {
      console.say(
          "no controller at "
              + controller()
              + " ("
              + reason
              + "); "
              + (pacing.isInstalled() ? "rates hold" : "nothing is paced")
              + ", trying again");
    }
    attached = false;
    endPools();
    loop.after(wait, this::attach);
  }

  /** Now and each hour: a certificate holds for months. */
  private void renewCertificate() {
    stream.renewCertificate(Instant.now());
    loop.after(BETWEEN_RENEWALS, this::renewCertificate);
  }

  @Override
  public void notRenewed(String reason) {
    console.say("the certificate of (tls) stays what it was: " + reason);
  }

  private void endPools() {
    loop.guarded(() -> pacing.endPools(conversations));
  }

  @Override
  public void received(ControllerMessage message, long arrivedNanos) {
    silence.heard();
    loop.guarded(
        () -> {
          switch (message.getMessageCase()) {
            case WELCOME -> welcome(message.getWelcome());
            case RATES -> rates(message.getRates(), arrivedNanos);
            case REFUSAL -> refusal(message.getRefusal());
            case HEARTBEAT, MESSAGE_NOT_SET -> {}
          }
        });
  }

  private void rates(Rates rates, long arrivedNanos) throws IOException {
    List<InstalledRate> installed = grants.apply(rates);
    Messages.installed(rates.getPlanVersion(), installed, grants.pools(rates))
        .forEach(stream::send);
    rateChanges.took(rates.getRatesCount(), System.nanoTime() - arrivedNanos);
  }

  private void welcome(Welcome welcome) throws IOException {
    attached = true;
    resumption.answer(welcome, open(false), open(true)).forEach(stream::send);
    if (welcome.getDefaultRateBitsPerSecond() > 0) {
      pacing.defaultTo(welcome.getDefaultRateBitsPerSecond());
    }
    silence.agreed(welcome);
    // What holds is what the controller decides from now on; until then, what it had granted.
    pacing.relax(0, conversations);
    if (!pacing.isInstalled()) {
      try {
        pacing.install();
      } catch (IOException e) {
        notInstalled("Pacing could not be installed: " + e.getMessage());
        return;
      }
      work.placeAll();
    }
    // It counts for the next agent only: this one goes on without.
    loop.guarded(() -> pacing.agreed(silence.lease()));
    if (!everWelcomed) {
      work.scan();
    }
    if (!everWelcomed) {
      renewCertificate();
    }
    everWelcomed = true;
    backoff.reset();
    console.say(
        "attached to "
            + controller()
            + " (node "
            + welcome.getController()
            + ") as "
            + config.hostId()
            + ", session "
            + welcome.getSession()
            + ", "
            + pacing.text());
    welcome.getUnknownIntentsList().forEach(one -> console.say(RefusalText.of(one)));
  }

  private String controller() {
    return address.text();
  }

  /** At the start a person has to know; what could be done before may be possible again. */
  private void notInstalled(String why) {
    if (everWelcomed) {
      console.say(why + "; trying again");
      attached = false;
      stream.giveUp(why);
    } else {
      refused.complete(why);
    }
  }

  private void refusal(Refusal refusal) throws IOException {
    String text = RefusalText.of(refusal);
    switch (refusal.getCode()) {
      case NOT_ADMITTED ->
          console.say("the controller refused " + refusal.getConversationId() + ", " + text);
      case UNKNOWN_HOST, INVALID_CONVERSATION, COUNTED_ALREADY -> {
        Optional<Conversation> refusedOne = conversations.byId(refusal.getConversationId());
        if (refusal.getCode() == Refusal.Code.UNKNOWN_HOST
            && refusedOne.filter(one -> one.key().intent().isRoot()).isPresent()) {
          // Nobody asked for it to be planned; there may be thousands of them.
          pacing.letPass(refusedOne.get());
          return;
        }
        console.say("the controller refused " + refusal.getConversationId() + ", " + text);
        if (refusedOne.filter(Conversation::incoming).isPresent()) {
          pacing.let(refusedOne.get());
        }
      }
      // After a cut the controller may still hold this host's former stream for a while.
      case UNAVAILABLE, DUPLICATE_HOST -> stream.giveUp(text);
      // An earlier controller's word: somebody may create the intent there, or install a later one.
      case UNKNOWN_INTENT -> stream.giveUp(RefusalText.withKnown(refusal));
      default -> refused.complete("The controller refused this agent, " + text);
    }
  }

  /** A stream on which nothing comes any more is as good as ended. */
  public void giveUpWhereSilent() {
    if (attached && silence.isDead()) {
      stream.giveUp("the controller was not heard in time");
    }
  }

  public void opened(Conversation conversation) {
    if (attached) {
      stream.send(Messages.of(Messages.opened(conversation, 0), conversation.key().direction()));
    }
  }

  public void matchedOtherwise(Conversation conversation) {
    if (attached) {
      ConversationOpened now = Messages.opened(conversation, pacing.installedRate(conversation));
      stream.send(Messages.of(now, conversation.key().direction()));
    }
  }

  public void closed(Collection<Conversation> over) {
    if (attached) {
      stream.send(Messages.closed(over.stream().map(Conversation::id).toList()));
    }
  }

  /**
   * @param unmanaged what leaves and is no conversation's; empty where that is not counted
   */
  public void report(
      Map<Conversation, ClassStatistics> statistics,
      Function<Conversation, Map<String, ReportedKpi>> kpis,
      Optional<UnmanagedTraffic> unmanaged) {
    if (attached) {
      stream.offer(
          Messages.report(
              statistics,
              kpis,
              ProcessUsage.now(pacing.helpers()),
              unmanaged,
              WallClock.unixNanos()));
    }
  }

  @Override
  public void close() {
    stream.close();
  }
}
