package org.paceline.control.rollout;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.PoolId;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.unit.DataRate;

/** Sends what the {@link Rollout} allows, and goes on where a host does not answer in time. */
final class Delivery {
  private final PlannerPorts ports;
  private final Rollout rollout;
  private final Supplier<PlannerSettings> settings;
  private final Map<ConversationId, Conversation> conversations;
  private final Set<String> silent = new HashSet<>();
  private boolean advancesSoon;
  private boolean advancesLater;

  /**
   * @param conversations a live view of those that are open
   */
  Delivery(
      PlannerPorts ports,
      Rollout rollout,
      Supplier<PlannerSettings> settings,
      Map<ConversationId, Conversation> conversations) {
    this.ports = ports;
    this.rollout = rollout;
    this.settings = settings;
    this.conversations = conversations;
  }

  void acknowledged(
      String host, long version, List<InstalledRate> rates, Map<PoolId, DataRate> pools) {
    silent.remove(host);
    rollout.acknowledged(host, version, rates, pools);
    advanceSoon();
  }

  /**
   * The next step is for all that has come already. Each step looks at all conversations: one for
   * each of thousands that are led, or of hundreds of hosts that answer, would take time by the
   * square of them.
   */
  void advanceSoon() {
    if (!advancesSoon) {
      advancesSoon = true;
      ports
          .worker()
          .execute(
              () -> {
                advancesSoon = false;
                advance();
              });
    }
  }

  void advance() {
    rollout
        .step(conversations, ports.clock().instant())
        .forEach(
            (host, version) ->
                ports
                    .worker()
                    .after(
                        settings.get().acknowledgementLimit(), () -> giveUpWaiting(host, version)));
    if (!advancesLater) {
      rollout.waits().ifPresent(this::advanceAfter);
    }
  }

  private void advanceAfter(Duration pause) {
    advancesLater = true;
    ports
        .worker()
        .after(
            pause,
            () -> {
              advancesLater = false;
              advance();
            });
  }

  private void giveUpWaiting(String host, long version) {
    if (rollout.gaveUpWaiting(host, version)) {
      // Once, and not for each of many newcomers.
      if (silent.add(host)) {
        ports.journal().warn("Host " + host + " did not acknowledge rates in time.");
      }
      advanceSoon();
    }
  }
}
