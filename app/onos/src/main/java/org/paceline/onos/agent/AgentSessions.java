package org.paceline.onos.agent;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The attached agents' streams, one a host. */
final class AgentSessions {
  private final Map<String, AgentStream> byHost = new ConcurrentHashMap<>();

  /** Whether the stream now speaks for its host: nobody else does, or nobody who is still there. */
  boolean claim(String host, AgentStream stream) {
    AgentStream holder =
        byHost.compute(
            host,
            (same, known) -> known == null || known == stream || known.isStale() ? stream : known);
    return holder == stream;
  }

  /** Whether the stream spoke for the host until now. */
  boolean release(String host, AgentStream stream) {
    return byHost.remove(host, stream);
  }

  Optional<AgentStream> find(String host) {
    return Optional.ofNullable(byHost.get(host));
  }

  Iterable<AgentStream> all() {
    return byHost.values();
  }
}
