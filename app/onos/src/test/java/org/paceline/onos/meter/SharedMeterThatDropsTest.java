package org.paceline.onos.meter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.paceline.control.directive.Meter;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;

/**
 * Two conversations share a meter, and then another one at other rates on another path, by a switch
 * that goes and comes back between any two messages of this. However that falls, it ends right.
 */
final class SharedMeterThatDropsTest {
  private static final Map<Conversation, Long> BEFORE =
      Map.of(MeterRig.FLOOD, 4_000L, MeterRig.OTHER, 1_000L);
  private static final Map<Conversation, Long> AFTER =
      Map.of(MeterRig.FLOOD, 2_000L, MeterRig.OTHER, 1_500L);

  private static final class Run extends DroppingRun {
    private final Set<ConversationId> out = new HashSet<>();
    private Map<Conversation, Long> kbps = BEFORE;

    Run(Moment moment) {
      super(moment);
    }

    /** Those who are served: each is led, and all are limited in one batch. */
    @Override
    void order() {
      List<Conversation> served = new ArrayList<>(kbps.keySet());
      served.removeIf(conversation -> out.contains(conversation.id()));
      served.forEach(conversation -> rules.install(conversation, path));
      limit(served);
    }

    @Override
    void orderAnew() {
      kbps = AFTER;
      worker.execute(this::order);
    }

    private void limit(List<Conversation> some) {
      Map<Conversation, Meter> batch = new LinkedHashMap<>();
      some.forEach(
          conversation ->
              batch.put(
                  conversation,
                  MeterRig.shared(
                      conversation,
                      MeterRig.GOLD,
                      Optional.ofNullable(kbps.get(conversation)).orElseThrow())));
      meters.limit("h", 1, batch);
    }

    @Override
    void refused(ConversationId id) {
      Conversation conversation =
          kbps.keySet().stream().filter(one -> one.id().equals(id)).findFirst().orElseThrow();
      if (out.add(id)) {
        rules.remove(conversation);
        meters.release(conversation);
        worker.after(
            Duration.ofSeconds(10),
            () -> {
              out.remove(id);
              rules.install(conversation, path);
              limit(List.of(conversation));
            });
      }
    }

    @Override
    void mustBeRight(String when) {
      Map<ConversationId, Long> rates = new LinkedHashMap<>();
      AFTER.forEach((conversation, rate) -> rates.put(conversation.id(), rate));
      mustBeRight(when, rates);
    }
  }

  @Test
  void itEndsRightWheneverTheSwitchGoesAndComesBack() {
    DroppingRun.endsRightAtEachMoment(Run::new, false);
  }

  /** The meter that comes back is at the rate that ONOS wrote. */
  @Test
  void itEndsRightWhereOnosBringsMetersBack() {
    DroppingRun.endsRightAtEachMoment(Run::new, true);
  }
}
