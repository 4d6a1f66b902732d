package org.paceline.gateway;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.paceline.protocol.HeldConversations;

/**
 * The attached agents' streams, one a host, and what each host has said to be open, which is kept
 * for an agent that comes back.
 */
final class AgentSessions {
  private static final long KEPT_NANOS = Duration.ofHours(1).toNanos();

  private final SharedBounds bounds;
  private final Map<String, AgentStream> byHost = new ConcurrentHashMap<>();
  private final Map<String, HeldConversations> held = new ConcurrentHashMap<>();
  private final Map<String, Long> leftNanos = new ConcurrentHashMap<>();

  AgentSessions(SharedBounds bounds) {
    this.bounds = bounds;
  }

  SharedBounds bounds() {
    return bounds;
  }

  /** Why there is no room for this host beside those that are attached. */
  Optional<String> refusal(String host) {
    return byHost.containsKey(host) ? Optional.empty() : bounds.refusalOfHost(byHost.size());
  }

  /** Whether the stream now speaks for its host: nobody else does, or nobody who is still there. */
  boolean claim(String host, AgentStream stream) {
    AgentStream holder =
        byHost.compute(
            host,
            (same, known) -> known == null || known == stream || known.isStale() ? stream : known);
    boolean claimed = holder == stream;
    if (claimed) {
      leftNanos.remove(host);
    }
    return claimed;
  }

  /** What the host has said to be open, by the stream that speaks for it or by those before. */
  HeldConversations held(String host) {
    return held.computeIfAbsent(host, same -> new HeldConversations());
  }

  /** Its agent has ended: another one's conversations have other ids. */
  void forget(String host) {
    held.remove(host);
    leftNanos.remove(host);
  }

  /** Forgets what hosts have said whose agents have been away for long. */
  void forgetLongGone() {
    long now = System.nanoTime();
    leftNanos.forEach(
        (host, since) -> {
          if (now - since > KEPT_NANOS && leftNanos.remove(host, since)) {
            held.remove(host);
          }
        });
  }

  /** Whether the stream spoke for the host until now. */
  boolean release(String host, AgentStream stream) {
    boolean spoke = byHost.remove(host, stream);
    if (spoke) {
      leftNanos.put(host, System.nanoTime());
    }
    return spoke;
  }

  Optional<AgentStream> find(String host) {
    return Optional.ofNullable(byHost.get(host));
  }

  Iterable<AgentStream> all() {
    return byHost.values();
  }
}
