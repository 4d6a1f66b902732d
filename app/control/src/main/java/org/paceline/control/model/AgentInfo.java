package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** An agent that is attached. */
@AutoValue
public abstract class AgentInfo {
  public abstract String host();

  /** Those that it says are its host's. */
  public abstract List<String> addresses();

  /** Those that its certificate names; empty where that names none. */
  public abstract Set<String> certified();

  /** How it enforces rates, such as {@code htb}; empty where it cannot. */
  public abstract String enforcer();

  public abstract String agentVersion();

  /** Where it called from. */
  public abstract String peer();

  public abstract Instant since();

  /** The intents that its rules can name, as it says them; whether the tree has them or not. */
  public abstract Set<String> intents();

  /** What its host had agreed on with others before; empty where a controller decided. */
  public abstract Optional<PeerAgreement> peerAgreement();

  /** Rates that hosts have agreed on without a controller, until this agent attached. */
  @AutoValue
  public abstract static class PeerAgreement {
    /** By the host's clock. */
    public abstract Instant since();

    /** How many others the host heard. */
    public abstract int peers();

    /**
     * @throws IllegalArgumentException if the number of peers is negative
     */
    public static PeerAgreement of(Instant since, int peers) {
      if (peers < 0) {
        throw new IllegalArgumentException("The peers (" + peers + ") must not be negative.");
      }
      return new AutoValue_AgentInfo_PeerAgreement(since, peers);
    }
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder host(String host);

    abstract Builder addresses(List<String> addresses);

    abstract Builder certified(Set<String> addresses);

    abstract Builder enforcer(String enforcer);

    abstract Builder agentVersion(String version);

    abstract Builder peer(String peer);

    abstract Builder since(Instant since);

    abstract Builder intents(Set<String> intents);

    abstract Builder peerAgreement(PeerAgreement agreement);

    abstract AgentInfo build();
  }

  abstract Builder toBuilder();

  /** One whose rules name no intent. */
  public static AgentInfo of(
      String host,
      List<String> addresses,
      String enforcer,
      String agentVersion,
      String peer,
      Instant since) {
    return new AutoValue_AgentInfo.Builder()
        .host(host)
        .addresses(List.copyOf(addresses))
        .certified(Set.of())
        .enforcer(enforcer)
        .agentVersion(agentVersion)
        .peer(peer)
        .since(since)
        .intents(Set.of())
        .build();
  }

  /** The same, with rules that can name these intents. */
  public final AgentInfo naming(Collection<String> intents) {
    return toBuilder().intents(Collections.unmodifiableSet(new TreeSet<>(intents))).build();
  }

  /** The same, with a certificate that names these addresses. */
  public final AgentInfo certifiedFor(Set<String> addresses) {
    return toBuilder().certified(Set.copyOf(addresses)).build();
  }

  /** The same, whose host had agreed on its rates with others before. */
  public final AgentInfo comingFrom(PeerAgreement agreement) {
    return toBuilder().peerAgreement(agreement).build();
  }

  /** The same without some of the addresses that it says are its host's. */
  public final AgentInfo without(Set<String> others) {
    return toBuilder()
        .addresses(
            addresses().stream()
                .filter(address -> !others.contains(address))
                .collect(Collectors.toUnmodifiableList()))
        .build();
  }
}
