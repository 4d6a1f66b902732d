package org.paceline.control.inventory;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.control.model.ConversationId;

/**
 * For how long the newcomers of a host hold others up by what they come with.
 *
 * <p>A conversation that comes with more than it is to have counts with that until its agent has
 * answered that it holds less. An agent that opens and closes conversations faster than it answers
 * always has such a one, and nobody else on its links could ever gain, though it owes no answer
 * ({@link AgentConduct}). So a host is believed for as long as any agent may take to answer; then
 * its newcomers count with what they are told. A host with many short conversations loses nothing
 * by that: it is told the same, at the same time.
 *
 * <p>Time in which it has no such newcomer gives back what was used up. O(1) a conversation, O(h) a
 * step in hosts that have some or have had some lately. Belongs to the worker's thread.
 */
public final class NewcomerClaims {
  /** Between two steps; beyond it the controller was held up, or its clock was stepped. */
  private static final Duration LONGEST_STEP = Duration.ofSeconds(1);

  private final Map<String, Host> hosts = new HashMap<>();
  private Optional<Instant> steppedAt = Optional.empty();

  private static final class Host {
    /** Those that came with more than they are to have, and are not answered for. */
    final Set<ConversationId> waitedFor = new HashSet<>();

    Duration used = Duration.ZERO;
  }

  /**
   * A conversation is new that is to hold less than it came with.
   *
   * @return whether what it came with counts; else it counts with what it is told
   */
  public boolean isBelieved(ConversationId id) {
    Host host = hosts.computeIfAbsent(id.host(), h -> new Host());
    host.waitedFor.add(id);
    return host.used.compareTo(AgentConduct.PATIENCE) < 0;
  }

  /** It is answered for, or over. */
  public void end(ConversationId id) {
    Optional.ofNullable(hosts.get(id.host())).ifPresent(host -> host.waitedFor.remove(id));
  }

  /** Time has passed since the last step, in which everything was as it is now. */
  public void pass(Instant now) {
    Duration since = steppedAt.map(at -> Duration.between(at, now)).orElse(Duration.ZERO);
    Duration time = ToldRate.min(ToldRate.max(since, Duration.ZERO), LONGEST_STEP);
    steppedAt = Optional.of(now);
    hosts
        .values()
        .removeIf(
            host -> {
              host.used =
                  host.waitedFor.isEmpty()
                      ? ToldRate.minus(host.used, time)
                      : ToldRate.min(host.used.plus(time), AgentConduct.PATIENCE);
              return host.waitedFor.isEmpty() && host.used.isZero();
            });
  }
}
