package org.paceline.gateway;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.paceline.gateway.flood.Floods;
import org.paceline.protocol.HeldConversations;

/**
 * The attached agents' streams, one a host, and what each host has said to be open, which is kept
 * for an agent that comes back.
 */
final class AgentSessions {
  private static final long KEPT_NANOS = Duration.ofHours(1).toNanos();

  /**
   * Of hosts whose agents are away: so many of them, and of their conversations, are remembered at
   * the most. Whoever is forgotten says all once more when it comes back.
   */
  static final int MOST_AWAY = SharedBounds.MOST_HOSTS;

  static final int MOST_KEPT = SharedBounds.MOST_CONVERSATIONS;

  private final SharedBounds bounds;
  private final Floods floods;
  private final Map<String, AgentStream> byHost = new ConcurrentHashMap<>();
  private final Map<String, HeldConversations> held = new ConcurrentHashMap<>();

  /** Who is away, in the order in which they have left. */
  private final Map<String, Absence> away = new LinkedHashMap<>();

  private int kept;

  /** Since when a host is away, and with how many conversations. */
  private static final class Absence {
    final long sinceNanos = System.nanoTime();
    final int conversations;

    Absence(int conversations) {
      this.conversations = conversations;
    }
  }

  AgentSessions(SharedBounds bounds) {
    this(bounds, new Floods(System::nanoTime));
  }

  /**
   * @param floods of agents that say too much for too long
   */
  AgentSessions(SharedBounds bounds, Floods floods) {
    this.bounds = bounds;
    this.floods = floods;
  }

  SharedBounds bounds() {
    return bounds;
  }

  Floods floods() {
    return floods;
  }

  /** Why this host is not heard now, or there is no room for it beside those that are attached. */
  Optional<String> refusal(String host) {
    return byHost.containsKey(host)
        ? Optional.empty()
        : floods.refusal(host).or(() -> bounds.refusalOfHost(byHost.size()));
  }

  /** Whether the stream now speaks for its host: nobody else does, or nobody who is still there. */
  boolean claim(String host, AgentStream stream) {
    AgentStream holder =
        byHost.compute(
            host,
            (same, known) -> known == null || known == stream || known.isStale() ? stream : known);
    boolean claimed = holder == stream;
    if (claimed) {
      returned(host);
    }
    return claimed;
  }

  /** What the host has said to be open, by the stream that speaks for it or by those before. */
  HeldConversations held(String host) {
    return held.computeIfAbsent(host, same -> new HeldConversations());
  }

  /** Its agent has ended: another one's conversations have other ids. */
  void forget(String host) {
    returned(host);
    held.remove(host);
  }

  private synchronized void returned(String host) {
    Absence absence = away.remove(host);
    if (absence != null) {
      kept -= absence.conversations;
    }
  }

  /** Forgets what hosts have said whose agents have been away for long. */
  synchronized void forgetLongGone() {
    long now = System.nanoTime();
    while (!away.isEmpty() && now - away.values().iterator().next().sinceNanos > KEPT_NANOS) {
      forget(away.keySet().iterator().next());
    }
  }

  /** Whether the stream spoke for the host until now. */
  boolean release(String host, AgentStream stream) {
    boolean spoke = byHost.remove(host, stream);
    if (spoke) {
      left(host);
    }
    return spoke;
  }

  private synchronized void left(String host) {
    returned(host);
    if (byHost.containsKey(host)) {
      // Another stream speaks for it already.
      return;
    }
    Absence absence = new Absence(held(host).size());
    away.put(host, absence);
    kept += absence.conversations;
    while (away.size() > MOST_AWAY || kept > MOST_KEPT) {
      forget(away.keySet().iterator().next());
    }
  }

  Optional<AgentStream> find(String host) {
    return Optional.ofNullable(byHost.get(host));
  }

  Iterable<AgentStream> all() {
    return byHost.values();
  }
}
