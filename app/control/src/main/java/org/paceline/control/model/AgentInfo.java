package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** An agent that is attached. */
@AutoValue
public abstract class AgentInfo {
  public abstract String host();

  public abstract List<String> addresses();

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
        host, List.copyOf(addresses), enforcer, agentVersion, peer, since, Set.of());
  }

  public final AgentInfo naming(Collection<String> intents) {
    return new AutoValue_AgentInfo(
        host(),
        addresses(),
        enforcer(),
        agentVersion(),
        peer(),
        since(),
        Collections.unmodifiableSet(new TreeSet<>(intents)));
  }
}
