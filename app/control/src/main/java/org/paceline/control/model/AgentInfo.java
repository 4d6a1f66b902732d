package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.List;

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

  public static AgentInfo of(
      String host,
      List<String> addresses,
      String enforcer,
      String agentVersion,
      String peer,
      Instant since) {
    return new AutoValue_AgentInfo(
        host, List.copyOf(addresses), enforcer, agentVersion, peer, since);
  }
}
