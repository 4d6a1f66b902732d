package org.paceline.onos.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.paceline.control.inventory.ProofBook;
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
 * What is ordered on one path, and then anew on another, of a first switch that goes and comes back
 * between two messages of this.
 */
abstract class DroppingRun {
  private static final DefaultApplicationId APP = new DefaultApplicationId(1, "test");
  private static final DeviceId FIRST = DeviceId.deviceId(MeterRig.FIRST);
  private static final int NEVER = Integer.MAX_VALUE;

  final ManualWorker worker = new ManualWorker();
  final DroppingSwitch first;
  final ConversationRules rules;
  final FirstHopMeters meters;
  Path path = Mesh.over(1, 2, 5);
  private final Map<ConversationId, InstalledRate> acknowledged = new LinkedHashMap<>();

  /** Before which messages the switch goes and is back, and what it does then. */
  static final class Moment {
    final int goesAt;
    final int isBackAt;
    final boolean forgets;
    final boolean bringsBack;

    private Moment(int goesAt, int isBackAt, boolean forgets, boolean bringsBack) {
      this.goesAt = goesAt;
      this.isBackAt = isBackAt;
      this.forgets = forgets;
      this.bringsBack = bringsBack;
    }
  }

  /** Begins a run; what it orders is of the class that extends this. */
  interface Maker {
    DroppingRun at(Moment moment);
  }

  DroppingRun(Moment moment) {
    first =
        new DroppingSwitch(
            FIRST, worker, moment.goesAt, moment.isBackAt, moment.forgets, moment.bringsBack);
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

  /** At the rates before. */
  abstract void order();

  /** At the rates after, on the path that it is now. */
  abstract void orderAnew();

  /** As planners do: who is refused is left out for a while, and then ordered again. */
  abstract void refused(ConversationId id);

  private void go() {
    worker.execute(this::order);
    worker.pass(Duration.ofSeconds(2));
    path = Mesh.over(1, 3, 5);
    orderAnew();
    worker.pass(Duration.ofSeconds(20));
    first.comeBack();
    worker.pass(Duration.ofMinutes(3));
  }

  /** One meter at the sum, to which the rules of all and those of fragments lead. */
  abstract void mustBeRight(String when);

  final void mustBeRight(String when, Map<ConversationId, Long> kbps) {
    assertThat(first.held).as(when).hasSize(1);
    DefaultMeter held = first.held.values().iterator().next();
    long sum = kbps.values().stream().mapToLong(Long::longValue).sum();
    assertThat(held.bands())
        .as(when)
        .singleElement()
        .satisfies(band -> assertThat(band.rate()).isEqualTo(sum));
    assertThat(first.table())
        .as(when + ": all lead on the new path, and fragments, too")
        .hasSize(kbps.size() + 1)
        .allSatisfy(rule -> mustLead(rule, held.id()));
    kbps.forEach(
        (id, rate) ->
            assertThat(acknowledged.get(id))
                .as(when)
                .isEqualTo(InstalledRate.of(id, DataRate.ofKilobitsPerSecond(rate), "")));
    assertThat(meters.used(FIRST)).as(when).isEqualTo(1);
  }

  private static void mustLead(FlowRule rule, MeterId meter) {
    assertThat(rule.treatment().meters())
        .extracting(Instructions.MeterInstruction::meterId)
        .containsExactly(meter);
    assertThat(rule.treatment().allInstructions())
        .contains(Instructions.createOutput(PortNumber.portNumber(3)));
  }

  /**
   * However the switch falls between the messages of a run, all is right in the end.
   *
   * @param bringsBack whether ONOS writes the meters that it remembers again
   * @return the run in which it stays
   */
  static DroppingRun endsRightAtEachMoment(Maker maker, boolean bringsBack) {
    DroppingRun undisturbed = maker.at(new Moment(NEVER, NEVER, false, bringsBack));
    undisturbed.go();
    undisturbed.mustBeRight("undisturbed");
    int messages = undisturbed.first.messages();
    assertThat(messages).isGreaterThan(8);
    for (int goes = 1; goes <= messages; goes++) {
      for (int back = goes + 1; back <= messages + 1; back++) {
        for (boolean forgets : new boolean[] {false, true}) {
          DroppingRun run =
              maker.at(new Moment(goes, back <= messages ? back : NEVER, forgets, bringsBack));
          run.go();
          run.mustBeRight(
              "gone before message " + goes + ", back before " + back + ", forgets: " + forgets);
        }
      }
    }
    return undisturbed;
  }
}
