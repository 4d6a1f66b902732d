package org.paceline.onos.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Meter;
import org.paceline.control.directive.Pace;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.InstalledRate;
import org.paceline.intents.network.Path;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.onos.flow.ConversationRules;
import org.paceline.onos.flow.InstalledRules;
import org.paceline.onos.flow.Mesh;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.flow.Treatment;

/**
 * A conversation is metered, and then at another rate on another path, by a switch that goes and
 * comes back between any two messages of this. However that falls, it ends right.
 */
final class SwitchThatDropsTest {
  private static final DefaultApplicationId APP = new DefaultApplicationId(1, "test");
  private static final DeviceId FIRST = DeviceId.deviceId(MeterRig.FIRST);
  private static final int NEVER = Integer.MAX_VALUE;
  private static final long KBPS = 2_000;

  /** As planners do: who is refused is left out for a while, and then ordered again. */
  private static final class Run {
    final ManualWorker worker = new ManualWorker();
    final List<InstalledRate> acknowledged = new ArrayList<>();
    final DroppingSwitch first;
    final ConversationRules rules;
    final FirstHopMeters meters;
    private Path path = Mesh.over(1, 2, 5);
    private long kbps = 4_000;
    private boolean isOut;

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
              (id, why) -> refused());
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
              (host, version, rates) -> acknowledged.addAll(rates),
              counters -> {},
              (id, why) -> refused());
      new Reconciler(
              new ProofBook(),
              List.of(new InstalledRules(rules, first.rules, first.devices), meters),
              worker,
              worker,
              new Nobody.NoJournal())
          .start();
    }

    void go() {
      worker.execute(this::order);
      worker.pass(Duration.ofSeconds(2));
      path = Mesh.over(1, 3, 5);
      kbps = KBPS;
      if (!isOut) {
        worker.execute(this::order);
      }
      worker.pass(Duration.ofSeconds(20));
      first.comeBack();
      worker.pass(Duration.ofMinutes(3));
    }

    private void order() {
      isOut = false;
      rules.install(MeterRig.FLOOD, path).thenRun(() -> worker.execute(this::limit));
    }

    private void limit() {
      if (!isOut) {
        meters.limit(
            "h",
            1,
            Map.of(
                MeterRig.FLOOD,
                Meter.insteadOf(
                    Pace.of(
                        SchemeName.UTILITY_FAIR,
                        Directive.Reason.GRANTED,
                        MeterRig.FLOOD.id(),
                        DataRate.ofKilobitsPerSecond(kbps)))));
      }
    }

    private void refused() {
      if (!isOut) {
        isOut = true;
        rules.remove(MeterRig.FLOOD);
        meters.release(MeterRig.FLOOD);
        worker.after(Duration.ofSeconds(10), this::order);
      }
    }

    void mustBeRight(String when) {
      assertThat(first.held).as(when).hasSize(1);
      DefaultMeter held = first.held.values().iterator().next();
      assertThat(held.bands())
          .as(when)
          .singleElement()
          .satisfies(band -> assertThat(band.rate()).isEqualTo(KBPS));
      assertThat(first.table())
          .as(when + ": it leads on the new path, and fragments, too")
          .hasSize(2)
          .allSatisfy(rule -> mustLead(rule, held.id()));
      assertThat(acknowledged)
          .as(when)
          .last()
          .isEqualTo(InstalledRate.of(MeterRig.FLOOD.id(), DataRate.ofKilobitsPerSecond(KBPS), ""));
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

  /** The meter that comes back is at the rate before it was changed. */
  @Test
  void itEndsRightWhereOnosBringsMetersBack() {
    itEndsRight(true);
  }

  private static void itEndsRight(boolean bringsBack) {
    Run undisturbed = new Run(NEVER, NEVER, false, bringsBack);
    undisturbed.go();
    undisturbed.mustBeRight("undisturbed");
    assertThat(undisturbed.first.made()).as("changed where it is").isEqualTo(1);
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
