package org.paceline.onos.meter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.SolverBug;
import org.paceline.control.directive.Capabilities;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Meter;
import org.paceline.control.directive.MeterGroup;
import org.paceline.control.directive.Pace;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Counters;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.Unserved;
import org.paceline.control.telemetry.MeterCount;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.onos.flow.ConversationRules;
import org.paceline.onos.flow.Mesh;
import org.paceline.onos.flow.RecordedSwitches;
import org.paceline.onos.flow.StepWorker;
import org.paceline.onos.flow.Treatment;

/** Two conversations, led over the first of five switches, and their meters there. */
final class MeterRig {
  private static final DefaultApplicationId APP = new DefaultApplicationId(1, "test");
  static final Conversation FLOOD = Mesh.conversation("flood", 6000);
  static final Conversation OTHER = Mesh.conversation("other", 6001);
  static final MeterGroup GOLD = MeterGroup.of(IntentPath.parse("video/gold"), "H");
  static final MeterGroup LOW = MeterGroup.of(IntentPath.parse("video/gold"), "L");

  /** The first, paced by an agent. */
  static final Conversation PACED =
      Conversation.builder()
          .id(FLOOD.id())
          .localAddress(FLOOD.localAddress())
          .remoteAddress(FLOOD.remoteAddress())
          .transport(FLOOD.transport())
          .localPort(FLOOD.localPort())
          .enforcement(Enforcement.AGENT)
          .build();

  static final String FIRST = "of:0000000000000001";

  final StepWorker worker = new StepWorker();
  final RecordedSwitches switches = new RecordedSwitches(1);
  final MetersOfOneSwitch service = new MetersOfOneSwitch();
  final List<InstalledRate> acknowledged = new ArrayList<>();
  final List<Counters> counted = new ArrayList<>();
  final Map<ConversationId, Unserved> refused = new HashMap<>();
  final Allowance allowance = new Allowance();
  final Answers asked = new Answers();

  /** Thrown where conversations are to be led otherwise. */
  Optional<SolverBug> broken = Optional.empty();

  final ConversationRules rules =
      switches.led(
          Mesh.nextHops(this::isInSight), Treatment.ALIKE, () -> 100, worker, refused::putIfAbsent);
  final FirstHopMeters meters =
      new FirstHopMeters(
          new DropMeters(service, asked, APP, worker, allowance::of),
          rules,
          worker,
          (host, version, rates) -> acknowledged.addAll(rates),
          counted::addAll,
          refused::putIfAbsent);

  MeterRig() {
    rules.install(FLOOD, Mesh.over(1, 2, 5));
    rules.install(OTHER, Mesh.over(1, 2, 5));
  }

  private boolean isInSight() {
    broken.ifPresent(SolverBug::thrown);
    return true;
  }

  /** As a switch does whose meters are deleted: what leads to them goes, and is not taken again. */
  void loseMeters() {
    service.meters.clear();
    switches.rules(FIRST).stream()
        .filter(rule -> !rule.treatment().meters().isEmpty())
        .forEach(switches::forget);
    switches.refuseNew(
        rule ->
            rule.treatment().meters().stream()
                .anyMatch(meter -> !service.meters.containsKey(meter.meterId())));
  }

  /** Who is refused is left out of the next plan. */
  void over(Conversation conversation) {
    rules.remove(conversation);
    meters.release(conversation);
  }

  List<MeterId> metersLedTo() {
    return leadingToMeters().stream()
        .flatMap(rule -> rule.treatment().meters().stream())
        .map(Instructions.MeterInstruction::meterId)
        .collect(Collectors.toList());
  }

  /** The meter or net of {@link #FLOOD}, as it is read. */
  InstalledElement element() {
    return meters.read().join().getOrDefault(FLOOD.id(), List.of()).get(0);
  }

  /** What has it share a meter with others of the group. */
  static Meter shared(Conversation conversation, MeterGroup group, long kbps) {
    return Meter.sharedInsteadOf(
        Pace.of(
                SchemeName.SERVICE_CLASSES,
                Directive.Reason.GRANTED,
                conversation.id(),
                DataRate.ofKilobitsPerSecond(kbps))
            .sharing(group));
  }

  /** All in one batch. */
  void share(MeterGroup group, Map<Conversation, Long> kbps) {
    Map<Conversation, Meter> batch = new LinkedHashMap<>();
    kbps.forEach(
        (conversation, rate) -> batch.put(conversation, shared(conversation, group, rate)));
    meters.limit("h", 1, batch);
  }

  void share(MeterGroup group, Conversation conversation, long kbps) {
    share(group, Map.of(conversation, kbps));
  }

  void limit(Conversation conversation, long kbps) {
    meters.limit(
        "h",
        1,
        Map.of(
            conversation,
            Meter.insteadOf(
                Pace.of(
                    SchemeName.UTILITY_FAIR,
                    Directive.Reason.GRANTED,
                    conversation.id(),
                    DataRate.ofKilobitsPerSecond(kbps)))));
  }

  /** Why a conversation is not served. */
  String reason(Conversation conversation) {
    return Optional.ofNullable(refused.get(conversation.id())).orElseThrow().reason();
  }

  /** One a conversation: that for fragments is left out. */
  List<FlowRule> leadingToMeters() {
    return switches.rules(FIRST).stream()
        .filter(rule -> !rule.treatment().meters().isEmpty())
        .filter(rule -> !RecordedSwitches.isOfFragments(rule))
        .collect(Collectors.toList());
  }

  static final class Answers implements MeterConfigs {
    Optional<CompletableFuture<Map<Long, MeterConfigs.Config>>> answer = Optional.empty();

    final Map<Long, MeterCount> counted = new HashMap<>();

    /** Whether meters can be changed here, and what was told. */
    boolean isTold;

    final List<String> told = new ArrayList<>();
    final List<CompletableFuture<Boolean>> notAnswered = new ArrayList<>();

    @Override
    public Optional<CompletableFuture<Boolean>> change(
        DeviceId device, long meter, MeterConfigs.Config to) {
      if (!isTold) {
        return Optional.empty();
      }
      told.add(meter + " to " + to.kbps());
      CompletableFuture<Boolean> answer = new CompletableFuture<>();
      notAnswered.add(answer);
      return Optional.of(answer);
    }

    void answer(boolean changed) {
      List<CompletableFuture<Boolean>> now = List.copyOf(notAnswered);
      notAnswered.clear();
      now.forEach(answer -> answer.complete(changed));
    }

    @Override
    public Optional<CompletableFuture<Map<Long, MeterConfigs.Config>>> ask(DeviceId device) {
      return answer;
    }

    @Override
    public Optional<CompletableFuture<Map<Long, MeterCount>>> count(DeviceId device) {
      return Optional.of(CompletableFuture.completedFuture(Map.copyOf(counted)));
    }
  }

  static final class Allowance {
    long held = 100;
    long allowed = 50;

    Capabilities of(DeviceId device) {
      return Capabilities.ofSwitch(device.toString())
          .meters(Optional.of(held))
          .metersAllowed(allowed)
          .rulesAllowed(1_000)
          .build();
    }
  }
}
