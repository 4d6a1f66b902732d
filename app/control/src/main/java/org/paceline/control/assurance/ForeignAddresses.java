package org.paceline.control.assurance;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Proof;

/**
 * Agents that speak for addresses which are not their hosts'. One alarm an agent, about the first
 * such conversation: an agent may announce thousands. On one thread.
 */
public final class ForeignAddresses {
  private final Clock clock;
  private Map<String, Instant> since = Map.of();

  public ForeignAddresses(Clock clock) {
    this.clock = clock;
  }

  /** O(n) in conversations. */
  public List<Alarm> look(Collection<Proof> proofs) {
    Map<String, List<Proof>> byHost = new TreeMap<>();
    for (Proof proof : proofs) {
      if (proof.isForeign()) {
        byHost
            .computeIfAbsent(proof.conversation().id().host(), host -> new ArrayList<>())
            .add(proof);
      }
    }
    Instant now = clock.instant();
    Map<String, Instant> next = new TreeMap<>();
    List<Alarm> alarms = new ArrayList<>();
    byHost.forEach(
        (host, foreign) -> {
          next.put(host, since.getOrDefault(host, now));
          Proof first = foreign.get(0);
          alarms.add(
              Alarm.of(
                  Alarm.Kind.FOREIGN_ADDRESS,
                  first.conversation().id(),
                  first.reason() + others(foreign.size() - 1),
                  next.get(host)));
        });
    since = next;
    return alarms;
  }

  private static String others(int many) {
    return many == 0 ? "" : " So it is with (" + many + ") more of its conversations.";
  }
}
