package org.paceline.onos.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.meter.DefaultMeter;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.ManualWorker;
import org.paceline.control.Nobody;
import org.paceline.control.assurance.Reconciler;
import org.paceline.control.directive.Capabilities;
import org.paceline.control.directive.Meter;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledRate;
import org.paceline.intents.network.Path;
import org.paceline.intents.unit.DataRate;
import org.paceline.onos.flow.ConversationRules;
import org.paceline.onos.flow.InstalledRules;
import org.paceline.onos.flow.Mesh;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.flow.Treatment;

/**
 * Two conversations share a meter, and then another one at other rates on another path, by a switch
 * that goes and comes back between any two messages of this. However that falls, it ends right.
 */
final class SharedMeterThatDropsTest {
  private static final DefaultApplicationId APP = new DefaultApplicationId(1, "test");
  private static final DeviceId FIRST = DeviceId.deviceId(MeterRig.FIRST);
  private static final int NEVER = Integer.MAX_VALUE;
  private static final Map<Conversation, Long> BEFORE =
      Map.of(MeterRig.FLOOD, 4_000L, MeterRig.OTHER, 1_000L);
  private static final Map<Conversation, Long> AFTER =
      Map.of(MeterRig.FLOOD, 2_000L, MeterRig.OTHER, 1_500L);
  private static final long SUM = 3_500;

  /** As planners do: who is refused is left out for a while, and then ordered again. */
  private static final class Run {
    final ManualWorker worker = new ManualWorker();
    final Map<ConversationId, InstalledRate> acknowledged = new LinkedHashMap<>();
    final DroppingSwitch first;
    final ConversationRules rules;
    final FirstHopMeters meters;
    private final Set<ConversationId> out = new HashSet<>();
    private Path path = Mesh.over(1, 2, 5);
    private Map<Conversation, Long> kbps = BEFORE;

    Run(int goesAt, int isBackAt, boolean forgets, boolean bringsBack) {
      first = new DroppingSwitch(FIRST, worker, goesAt, isBackAt, forgets, bringsBack);
      rules =
          new ConversationRules(
              OwnRules.of(first.rules, APP, device -> true),
              Mesh.nextHops(),
              Treatment.ALIKE,
              () -> false,
              device -> 100,
              worker,
              (id, why) -> refused(id));
      meters =
          new FirstHopMeters(
              new DropMeters(
                  first.meters,
                  first.configs,
                  APP,
                  worker,
                  device ->
                      Capabilities.ofSwitch(device.toString())
                          .meters(Optional.of(9L))
                          .metersAllowed(9)
                          .rulesAllowed(100)
                          .build()),
              rules,
              worker,
              (host, version, rates) -> rates.forEach(rate -> acknowledged.put(rate.id(), rate)),
              counters -> {},
              (id, why) -> refused(id));
      new Reconciler(
              new ProofBook(),
              List.of(new InstalledRules(rules, first.rules, first.devices), meters),
              worker,
              worker,
              new Nobody.NoJournal())
          .start();
    }

    void go() {
      worker.execute(this::orderAll);
      worker.pass(Duration.ofSeconds(2));
      path = Mesh.over(1, 3, 5);
      kbps = AFTER;
      worker.execute(this::orderAll);
      worker.pass(Duration.ofSeconds(20));
      first.comeBack();
      worker.pass(Duration.ofMinutes(3));
    }

    /** Those who are served: each is led, and all are limited in one batch. */
    private void orderAll() {
      List<Conversation> served = new ArrayList<>(kbps.keySet());
      served.removeIf(conversation -> out.contains(conversation.id()));
      served.forEach(conversation -> rules.install(conversation, path));
      limit(served);
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

    private void refused(ConversationId id) {
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

    void mustBeRight(String when) {
      assertThat(first.held).as(when).hasSize(1);
      DefaultMeter held = first.held.values().iterator().next();
      assertThat(held.bands())
          .as(when)
          .singleElement()
          .satisfies(band -> assertThat(band.rate()).isEqualTo(SUM));
      assertThat(first.table())
          .as(when + ": both lead on the new path, and fragments, too")
          .hasSize(3)
          .allSatisfy(rule -> mustLead(rule, held.id()));
      AFTER.forEach(
          (conversation, rate) ->
              assertThat(acknowledged.get(conversation.id()))
                  .as(when)
                  .isEqualTo(
                      InstalledRate.of(conversation.id(), DataRate.ofKilobitsPerSecond(rate), "")));
      assertThat(meters.used(FIRST)).as(when).isEqualTo(1);
    }

    private static void mustLead(FlowRule rule, MeterId meter) {
      assertThat(rule.treatment().meters())
          .extracting(Instructions.MeterInstruction::meterId)
          .containsExactly(meter);
      assertThat(rule.treatment().allInstructions())
          .contains(Instructions.createOutput(PortNumber.portNumber(3)));
    }
  }

  @Test
  void itEndsRightWheneverTheSwitchGoesAndComesBack() {
    itEndsRight(false);
  }

  /** The meter that comes back is at the rate that ONOS wrote. */
  @Test
  void itEndsRightWhereOnosBringsMetersBack() {
    itEndsRight(true);
  }

  private static void itEndsRight(boolean bringsBack) {
    Run undisturbed = new Run(NEVER, NEVER, false, bringsBack);
    undisturbed.go();
    undisturbed.mustBeRight("undisturbed");
    int messages = undisturbed.first.messages();
    assertThat(messages).isGreaterThan(8);
    for (int goes = 1; goes <= messages; goes++) {
      for (int isBack = goes + 1; isBack <= messages + 1; isBack++) {
        for (boolean forgets : new boolean[] {false, true}) {
          Run run = new Run(goes, isBack <= messages ? isBack : NEVER, forgets, bringsBack);
          run.go();
          run.mustBeRight(
              "gone before message " + goes + ", back before " + isBack + ", forgets: " + forgets);
        }
      }
    }
  }
}
