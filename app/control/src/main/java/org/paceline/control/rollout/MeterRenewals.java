package org.paceline.control.rollout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.paceline.control.model.ConversationId;
import org.paceline.control.port.Worker;

/**
 * Who waits for a new meter because a switch refused the rule that leads to the one it had: maybe
 * the switch has lost it. Once each, until their rules are in force: whose second rule is refused,
 * too, lacks something else. Belongs to the worker's thread.
 */
public final class MeterRenewals {
  /** By then a switch that answers has made a meter. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Predicate<ConversationId> meterAgain;
  private final Worker worker;
  private final Set<ConversationId> awaited = new HashSet<>();
  private final Set<ConversationId> tried = new HashSet<>();

  /**
   * @param meterAgain has a conversation led through a new meter; false where it has none
   */
  public MeterRenewals(Predicate<ConversationId> meterAgain, Worker worker) {
    this.meterAgain = meterAgain;
    this.worker = worker;
  }

  /**
   * Asks for a new meter for each that was not asked for before; false where nobody gets one.
   *
   * @param goOn is run where one has not come in time
   */
  public boolean ask(Collection<ConversationId> ids, Runnable goOn) {
    List<ConversationId> fresh = new ArrayList<>(ids);
    fresh.removeIf(id -> !tried.add(id));
    // All at once: what comes for the first must not begin before the last is asked for.
    awaited.addAll(fresh);
    List<ConversationId> asked =
        fresh.stream().filter(meterAgain).collect(Collectors.toUnmodifiableList());
    awaited.removeIf(id -> fresh.contains(id) && !asked.contains(id));
    asked.forEach(
        id ->
            worker.after(
                PATIENCE,
                () -> {
                  if (awaited.remove(id)) {
                    goOn.run();
                  }
                }));
    return !asked.isEmpty();
  }

  /** Nothing is to be written while somebody waits. */
  public boolean isWaiting() {
    return !awaited.isEmpty();
  }

  /** Its new meter is here, or it is to have none. */
  public void came(ConversationId id) {
    awaited.remove(id);
  }

  /**
   * Their rules are in force, or they are led no more: another time they may be asked for again.
   */
  public void forget(Collection<ConversationId> ids) {
    awaited.removeAll(ids);
    tried.removeAll(ids);
  }
}
