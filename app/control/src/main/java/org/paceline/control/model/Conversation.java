package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.TrafficDirection;
import org.paceline.intents.unit.DataRate;

/**
 * A user's traffic in one direction between two hosts under one intent, as it was announced. The
 * local end is the one that sends, whoever announced it.
 */
@AutoValue
public abstract class Conversation {
  public abstract ConversationId id();

  /** As it came in: {@code class/intent}, or empty for the unidentified. */
  public abstract String intent();

  public abstract String localAddress();

  public abstract String remoteAddress();

  public abstract Transport transport();

  /** 0 for any. */
  public abstract int localPort();

  /** 0 for any. */
  public abstract int remotePort();

  /** By the ports of its first socket, so that it stays the same while others come and go. */
  public final TrafficDirection direction() {
    return foundDirection().orElseGet(() -> TrafficDirection.ofPorts(localPort(), remotePort()));
  }

  /** As its first packet shows it, by more ports than its match has; empty where none was seen. */
  abstract Optional<TrafficDirection> foundDirection();

  /** What this tree says of its intent, for its direction. */
  public final EffectivePolicy policy(IntentTree tree) {
    return tree.resolve(intent()).inDirection(direction());
  }

  /** Of its other sockets, where transport and ports do not say it: sorted, each once. */
  public abstract List<PacketMatch> moreMatches();

  /** All of its packets', that of its transport and ports first. */
  public List<PacketMatch> matches() {
    List<PacketMatch> all = new ArrayList<>();
    all.add(PacketMatch.of(transport(), localPort(), remotePort()));
    all.addAll(moreMatches());
    return all;
  }

  /** Whether only matches, whose it is, or the rate that holds, are not as in the other. */
  public boolean isToldOtherwise(Conversation other) {
    Conversation sameRate = toBuilder().rateInForce(other.rateInForce()).build();
    return !sameRate.equals(other)
        && sameRate.toBuilder()
            .moreMatches(other.moreMatches())
            .process(other.process())
            .user(other.user())
            .build()
            .equals(other);
  }

  public abstract String process();

  public abstract String user();

  /** The naming rule of the controller that names it; empty where somebody announced it. */
  public abstract String namedBy();

  /** What the host that announced it calls the other end; empty where none was heard. */
  public abstract String remoteName();

  public abstract Enforcement enforcement();

  /** Whether a drop meter at the sender's first switch holds it to its rate. */
  public final boolean isMetered() {
    return enforcement() == Enforcement.FIRST_HOP || isQuarantined();
  }

  /** Whether a meter holds it since its agent does not. */
  public final boolean isQuarantined() {
    return enforcement() == Enforcement.QUARANTINE;
  }

  /** The same where its agent is not believed: it borrows nothing that others are to have. */
  public final Conversation inQuarantine() {
    return toBuilder().enforcement(Enforcement.QUARANTINE).pool(Optional.empty()).build();
  }

  /** With whose conversations it can share a pool; empty where its agent lends nothing. */
  public abstract Optional<PoolId> pool();

  /** Whether the host that receives it has announced it. */
  public abstract boolean incoming();

  /** When its first packet or socket was seen, by the sending host's clock. */
  public abstract Instant firstSeen();

  /** The rate that already holds when it is announced: the default's, or an earlier grant. */
  public abstract DataRate rateInForce();

  public abstract Builder toBuilder();

  public static Builder builder() {
    return new AutoValue_Conversation.Builder()
        .intent("")
        .transport(Transport.ANY)
        .localPort(0)
        .remotePort(0)
        .moreMatches(List.of())
        .process("")
        .user("")
        .namedBy("")
        .remoteName("")
        .enforcement(Enforcement.AGENT)
        .incoming(false)
        .firstSeen(Instant.EPOCH)
        .rateInForce(DataRate.ZERO);
  }

  /** Builds a conversation. */
  @AutoValue.Builder
  public abstract static class Builder {
    public abstract Builder id(ConversationId id);

    public abstract Builder intent(String intent);

    public abstract Builder localAddress(String address);

    public abstract Builder remoteAddress(String address);

    public abstract Builder transport(Transport transport);

    public abstract Builder localPort(int port);

    public abstract Builder remotePort(int port);

    public abstract Builder foundDirection(TrafficDirection direction);

    public abstract Builder process(String process);

    public abstract Builder user(String user);

    public abstract Builder namedBy(String rule);

    public abstract Builder remoteName(String name);

    public abstract Builder enforcement(Enforcement enforcement);

    public abstract Builder pool(Optional<PoolId> pool);

    public abstract Builder incoming(boolean incoming);

    public abstract Builder firstSeen(Instant time);

    public abstract Builder rateInForce(DataRate rate);

    public Builder moreMatches(Collection<PacketMatch> matches) {
      return moreMatches(
          matches.stream().sorted().distinct().collect(Collectors.toUnmodifiableList()));
    }

    abstract Builder moreMatches(List<PacketMatch> matches);

    abstract Conversation autoBuild();

    /**
     * @throws IllegalArgumentException if a port is none
     */
    public Conversation build() {
      Conversation conversation = autoBuild();
      for (PacketMatch match : conversation.matches()) {
        check(conversation, match.localPort());
        check(conversation, match.remotePort());
      }
      return conversation;
    }

    private static void check(Conversation conversation, int port) {
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException(
            "The port ("
                + port
                + ") of conversation ("
                + conversation.id()
                + ") must lie from 0 (any) to 65535.");
      }
    }
  }
}
