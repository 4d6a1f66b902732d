package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.intents.kpi.Experience;
import org.paceline.intents.kpi.KpiReading;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** One conversation: what it asked for, what it was granted, what is installed, what it sends. */
@AutoValue
public abstract class Proof {
  private static final int HUNDRED = 100;
  private static final int ETHERNET_BYTES = 14;
  private static final int IPV4_BYTES = 20;
  private static final int IPV6_BYTES = 40;
  private static final int TCP_BYTES = 20;
  private static final int UDP_BYTES = 8;

  /** What full TCP frames carry. */
  private static final int PERCENT_OF_FULL_FRAMES = 96;

  public abstract Conversation conversation();

  public abstract ConversationState state();

  /** Why it is not served as it should be; empty where all is well. */
  public abstract String reason();

  /** Why it gets no grant; empty where it has one, or nobody has decided yet. */
  public abstract Optional<Unserved> unserved();

  /** Whether the agent that announced it speaks for an address that is not its host's. */
  public final boolean isForeign() {
    return unserved().filter(why -> why.kind() == Unserved.Kind.NOT_ITS_ADDRESS).isPresent();
  }

  /** What its intent resolved to, each value with the node that set it. */
  public abstract EffectivePolicy requested();

  public abstract Optional<Grant> computed();

  /** On top of the grant, of what others leave unused of theirs; zero for nothing. */
  public abstract DataRate lent();

  /**
   * Up to what it may borrow, at its host's own speed, what others of the interface leave unused;
   * zero for not at all.
   */
  public abstract DataRate borrowsUpTo();

  /** What the network holds for it beside the sender's rate, as it was last read back. */
  public abstract List<InstalledElement> elements();

  /**
   * Whether an enforcer is to hold it to its grant. Elephants that are kept apart send as they
   * like: their grant is only what plans reckon with.
   */
  public final boolean isHeld() {
    return isPaced()
        || unserved().isPresent()
        || requested().scheme().value() != SchemeName.ELEPHANT_ISOLATION;
  }

  /** Whether it is held to its grant though it is kept apart: for circuits that others have. */
  public abstract boolean isPaced();

  /**
   * The part of its service class that it is in by what it reaches, such as L (low) or HL; empty
   * where its class is not split, or it is of none.
   */
  public abstract Optional<String> subClass();

  /** What an adaptive reservation promises it, and what it is taken to want; empty without one. */
  public abstract Optional<ReservedDemand> reservation();

  /** As the enforcer read it back. */
  public abstract Optional<DataRate> installed();

  /** Over the last interval between two reports. */
  public abstract Optional<DataRate> measured();

  public abstract long sentBytes();

  /** 0 where only bytes are counted. */
  public abstract long sentPackets();

  /**
   * What its frames carry, where these are counted: of their headers those are left out that each
   * has, so that it is a hundredth too much at most. What TCP sends again counts.
   */
  public final long payloadBytes() {
    if (sentPackets() == 0) {
      return sentBytes() / HUNDRED * PERCENT_OF_FULL_FRAMES;
    }
    boolean isIpv6 = conversation().localAddress().indexOf(':') >= 0;
    boolean isTcp = conversation().transport() == Transport.TCP;
    long headers = (isIpv6 ? IPV6_BYTES : IPV4_BYTES) + (isTcp ? TCP_BYTES : UDP_BYTES);
    return Math.max(0, sentBytes() - sentPackets() * (ETHERNET_BYTES + headers));
  }

  /** In the enforcer's own queue, where none should be. */
  public abstract long droppedPackets();

  public abstract int sockets();

  /** What the application measured itself, by name, until it is too old to say anything. */
  public abstract Map<String, KpiReading> kpis();

  /** By its KPIs, or those of the opposite direction; empty while there are none. */
  public abstract Optional<Experience> experience();

  /** How its sockets fare, where its host knows. */
  public abstract Optional<TcpReading> tcp();

  public abstract Instant reportedAt();

  /** When it first was in a plan. */
  public abstract Optional<Instant> plannedAt();

  /** When its first granted rate was acknowledged. */
  public abstract Optional<Instant> installedAt();

  /** When the counters were last read. */
  public abstract Optional<Instant> countedAt();

  public static Proof of(Conversation conversation, EffectivePolicy requested, Instant reportedAt) {
    return new AutoValue_Proof.Builder()
        .conversation(conversation)
        .state(ConversationState.SEEN)
        .reason("")
        .unserved(Optional.empty())
        .requested(requested)
        .computed(Optional.empty())
        .isPaced(false)
        .subClass(Optional.empty())
        .reservation(Optional.empty())
        .lent(DataRate.ZERO)
        .borrowsUpTo(DataRate.ZERO)
        .elements(List.of())
        .installed(conversation.rateInForce())
        .sentBytes(0)
        .sentPackets(0)
        .droppedPackets(0)
        .sockets(1)
        .kpis(Map.of())
        .experience(Optional.empty())
        .tcp(Optional.empty())
        .reportedAt(reportedAt)
        .build();
  }

  public abstract Builder toBuilder();

  /** Builds a proof. */
  @AutoValue.Builder
  public abstract static class Builder {
    public abstract Builder conversation(Conversation conversation);

    public abstract Builder state(ConversationState state);

    public abstract Builder reason(String reason);

    public abstract Builder unserved(Optional<Unserved> why);

    public abstract Builder requested(EffectivePolicy policy);

    public abstract Builder computed(Optional<Grant> grant);

    public abstract Builder isPaced(boolean isPaced);

    public abstract Builder subClass(Optional<String> name);

    public abstract Builder reservation(Optional<ReservedDemand> reservation);

    public abstract Builder lent(DataRate rate);

    public abstract Builder borrowsUpTo(DataRate rate);

    public abstract Builder elements(List<InstalledElement> elements);

    public abstract Builder installed(DataRate rate);

    public abstract Builder measured(DataRate rate);

    public abstract Builder sentBytes(long bytes);

    public abstract Builder sentPackets(long packets);

    public abstract Builder droppedPackets(long packets);

    public abstract Builder sockets(int sockets);

    public abstract Builder kpis(Map<String, KpiReading> kpis);

    public abstract Builder experience(Optional<Experience> experience);

    public abstract Builder tcp(Optional<TcpReading> reading);

    public abstract Builder reportedAt(Instant time);

    public abstract Builder plannedAt(Instant time);

    public abstract Builder installedAt(Instant time);

    public abstract Builder installedAt(Optional<Instant> time);

    public abstract Builder countedAt(Instant time);

    public abstract Builder countedAt(Optional<Instant> time);

    public abstract Proof build();
  }
}
