package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
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

  /** One whose rules name no intent. */
  public static AgentInfo of(
      String host,
      List<String> addresses,
      String enforcer,
      String agentVersion,
      String peer,
      Instant since) {
    return new AutoValue_AgentInfo(
        host, List.copyOf(addresses), Set.of(), enforcer, agentVersion, peer, since, Set.of());
  }

  /** The same, with rules that can name these intents. */
  public final AgentInfo naming(Collection<String> intents) {
    return new AutoValue_AgentInfo(
        host(),
        addresses(),
        certified(),
        enforcer(),
        agentVersion(),
        peer(),
        since(),
        Collections.unmodifiableSet(new TreeSet<>(intents)));
  }

  /** The same, with a certificate that names these addresses. */
  public final AgentInfo certifiedFor(Set<String> addresses) {
    return new AutoValue_AgentInfo(
        host(),
        addresses(),
        Set.copyOf(addresses),
        enforcer(),
        agentVersion(),
        peer(),
        since(),
        intents());
  }

  /** The same without some of the addresses that it says are its host's. */
  public final AgentInfo without(Set<String> others) {
    return new AutoValue_AgentInfo(
        host(),
        addresses().stream()
            .filter(address -> !others.contains(address))
            .collect(Collectors.toUnmodifiableList()),
        certified(),
        enforcer(),
        agentVersion(),
        peer(),
        since(),
        intents());
  }
}
