package org.paceline.onos.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.conversations.Enforcement;
import org.paceline.control.conversations.Transport;
import org.paceline.control.proof.InstalledElement;
import org.paceline.intents.network.Path;

final class ConversationRulesTest {
  private static final Conversation CALL = Mesh.conversation("call", 5004);
  private static final Conversation COPY = Mesh.conversation("copy", 5080);
  private static final List<Path> PATHS = Mesh.allPaths();

  private StepWorker worker = new StepWorker();
  private final Map<ConversationId, String> refused = new HashMap<>();
  private RecordedSwitches switches = new RecordedSwitches(1);
  private ConversationRules rules = rules(100);

  private ConversationRules rules(int limit) {
    return rules(limit, worker);
  }

  private ConversationRules rules(int limit, StepWorker by) {
    return new ConversationRules(
        switches,
        Mesh.nextHops(),
        new DefaultApplicationId(1, "test"),
        Treatment.ALIKE,
        () -> false,
        device -> limit,
        by,
        refused::put);
  }

  @Test
  void conversationsOfAPairShareTheirRulesWhereTheyShareTheirPath() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    rules.install(COPY, Mesh.over(1, 2, 5));
    assertThat(switches.count()).isEqualTo(3);
    assertThat(way(CALL)).containsExactly(1, 2, 5);
    assertThat(way(COPY)).containsExactly(1, 2, 5);
  }

  @Test
  void whoLeavesTheSharedPathGetsRulesOfItsOwnAndTheOthersAreNotTouched() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    rules.install(COPY, Mesh.over(1, 2, 5));
    List<FlowRule> before = switches.rules(Mesh.device(2));
    rules.install(COPY, Mesh.over(1, 3, 4, 5));
    assertThat(way(CALL)).containsExactly(1, 2, 5);
    assertThat(way(COPY)).containsExactly(1, 3, 4, 5);
    assertThat(switches.rules(Mesh.device(2))).isEqualTo(before);
    rules.install(COPY, Mesh.over(1, 2, 5));
    worker.passTime();
    assertThat(way(COPY)).containsExactly(1, 2, 5);
    assertThat(switches.count()).isEqualTo(3);
  }

  @Test
  void conversationsOfIpv6AreLedByRulesOfIpv6() {
    Conversation call = between("call6", "fd00::1", "fd00::2", 5004);
    Conversation copy = between("copy6", "fd00::1", "fd00::2", 5080);
    rules.install(call, Mesh.over(1, 2, 5));
    rules.install(copy, Mesh.over(1, 3, 5));
    assertThat(rules.meter(copy, Optional.of(MeterId.meterId(7))).join()).isTrue();
    assertThat(way(call)).containsExactly(1, 2, 5);
    assertThat(way(copy)).containsExactly(1, 3, 5);
    assertThat(metered(1)).hasSize(1);
    int written = switches.written();
    ConversationRules restarted = rules(100);
    restarted.install(call, Mesh.over(1, 2, 5));
    assertThat(switches.written()).as("what a controller before wrote leads on").isEqualTo(written);
  }

  @Test
  void noPacketGoesFromIpv4ToIpv6() {
    Conversation mixed = between("mixed", "10.0.0.1", "fd00::2", 5004);
    rules.install(mixed, Mesh.over(1, 2, 5));
    assertThat(switches.count()).isZero();
    assertThat(rules.firstSwitch(mixed)).isEmpty();
  }

  @Test
  void aConversationOfOnePortIsNotTakenByOneOfAllPorts() {
    Conversation any = between("any", "10.0.0.1", "10.0.0.2", 0);
    rules.install(CALL, Mesh.over(1, 2, 5));
    rules.install(any, Mesh.over(1, 2, 5));
    rules.meter(CALL, Optional.of(MeterId.meterId(7)));
    rules.meter(any, Optional.of(MeterId.meterId(8)));
    assertThat(
            metered(1).stream()
                .max(Comparator.comparingInt(FlowRule::priority))
                .map(FlowRule::selector))
        .contains(ConversationMatch.of(CALL, CALL.matches().get(0)));
  }

  private static Conversation between(String id, String from, String to, int port) {
    return Conversation.builder()
        .id(ConversationId.of("h", id))
        .localAddress(from)
        .remoteAddress(to)
        .transport(Transport.UDP)
        .localPort(port)
        .enforcement(Enforcement.FIRST_HOP)
        .build();
  }

  @Test
  void anEqualPathWritesNothing() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    int written = switches.written();
    rules.install(CALL, Mesh.over(1, 2, 5));
    worker.passTime();
    assertThat(switches.written()).isEqualTo(written);
  }

  @Test
  void nothingIsLeftOfWhatEnds() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    rules.install(CALL, Mesh.over(1, 3, 5));
    rules.install(COPY, Mesh.over(1, 4, 5));
    rules.remove(CALL);
    rules.remove(COPY);
    worker.passTime();
    worker.passTime();
    assertThat(switches.count()).isZero();
    assertThat(rules.used(switchId(1))).isZero();
  }

  @Test
  void packetsOfTheSecondTimeOnAWayAreNotCutOffByTheClockOfTheFirst() {
    for (int middle : new int[] {2, 3, 2, 3}) {
      rules.install(CALL, Mesh.over(1, middle, 5));
    }
    worker.passUntilNext();
    assertThat(wayFrom(2, CALL)).containsExactly(2, 5);
    worker.passTime();
    assertThat(wayFrom(2, CALL)).containsExactly(2);
    assertThat(way(CALL)).containsExactly(1, 3, 5);
  }

  @Test
  void afterARestartWhatSwitchesHoldLeadsOnAndNothingIsWrittenForWhoeverStaysOnItsWay() {
    ConversationRules killed = rules(100, new StepWorker());
    killed.install(CALL, Mesh.over(1, 2, 5));
    killed.install(COPY, Mesh.over(1, 3, 5));
    int written = switches.written();
    ConversationRules restarted = rules(100);
    restarted.install(CALL, Mesh.over(1, 2, 5));
    assertThat(way(COPY)).containsExactly(1, 3, 5);
    restarted.install(COPY, Mesh.over(1, 3, 5));
    worker.passTime();
    worker.passTime();
    assertThat(switches.written()).isEqualTo(written);
    assertThat(restarted.used(switchId(1))).isEqualTo(2);
  }

  @Test
  void afterARestartTheRulesOfWhoeverIsOverAreRemoved() {
    ConversationRules killed = rules(100, new StepWorker());
    killed.install(CALL, Mesh.over(1, 2, 5));
    killed.install(COPY, Mesh.over(1, 3, 5));
    Conversation away = Mesh.conversation("away", 5090, "10.0.0.9");
    killed.install(away, Mesh.over(1, 4, 5));
    ConversationRules restarted = rules(100);
    restarted.install(CALL, Mesh.over(1, 2, 5));
    for (int i = 0; i < 4; i++) {
      worker.passTime();
      assertThat(way(CALL)).containsExactly(1, 2, 5);
    }
    assertThat(switches.count()).isEqualTo(3);
    restarted.remove(CALL);
    worker.passTime();
    worker.passTime();
    assertThat(switches.count()).isZero();
    assertThat(restarted.used(switchId(1))).isZero();
  }

  /**
   * At every moment, whatever the order in which switches act, packets arrive; where ways change no
   * quicker than packets travel, those that are on their way do, too.
   */
  @Property(tries = 3_000)
  void packetsArriveWhileWaysChange(
      @ForAll long seed,
      @ForAll @Size(min = 2, max = 8) List<@IntRange(min = 0, max = 15) Integer> ways,
      @ForAll @Size(8) List<Boolean> whose,
      @ForAll boolean slowly) {
    switches = new RecordedSwitches(seed);
    worker = new StepWorker();
    ConversationRules changing = rules(100);
    Set<Conversation> led = new HashSet<>();
    Map<Conversation, Path> granted = new HashMap<>();
    Map<Conversation, Path> left = new HashMap<>();
    switches.afterEachWrite(
        () ->
            led.forEach(
                c -> {
                  assertThat(way(c)).startsWith(1).endsWith(Mesh.SWITCHES);
                  for (int from = 2; left.containsKey(c) && from <= Mesh.SWITCHES; from++) {
                    if (left.get(c).nodes().contains(Mesh.device(from))) {
                      assertThat(wayFrom(from, c)).endsWith(Mesh.SWITCHES);
                    }
                  }
                }));
    for (int i = 0; i < ways.size(); i++) {
      Conversation conversation = whose.get(i) ? CALL : COPY;
      Path path = PATHS.get(ways.get(i));
      if (slowly && granted.containsKey(conversation)) {
        left.put(conversation, granted.get(conversation));
      }
      changing.install(conversation, path);
      led.add(conversation);
      granted.put(conversation, path);
      granted.forEach((c, p) -> assertThat(Mesh.over(numbers(way(c)))).isEqualTo(p));
      if (slowly || i % 3 == 2) {
        left.clear();
        worker.passTime();
      }
    }
    worker.passTime();
    worker.passTime();
    granted.forEach((c, p) -> assertThat(Mesh.over(numbers(way(c)))).isEqualTo(p));
  }

  @Test
  void aWayThatASwitchRefusesIsNotTakenAndTheReasonNamesTheSwitch() {
    switches.refuseAt(Mesh.device(3));
    rules.install(CALL, Mesh.over(1, 3, 5));
    assertThat(refused.get(CALL.id())).contains("(" + Mesh.device(3) + ") refused");
    assertThat(switches.rules(Mesh.device(1))).isEmpty();
    worker.passTime();
    assertThat(switches.count()).isZero();
  }

  @Test
  void anotherConversationKeepsItsWayWhenASwitchRefuses() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    switches.refuseAt(Mesh.device(3));
    rules.install(COPY, Mesh.over(1, 3, 5));
    assertThat(refused).containsOnlyKeys(COPY.id());
    assertThat(way(CALL)).containsExactly(1, 2, 5);
    switches.acceptEverywhere();
    rules.install(COPY, Mesh.over(1, 3, 5));
    assertThat(way(COPY)).containsExactly(1, 3, 5);
  }

  @Test
  void aFullTableIsSaidBeforeAnythingIsWritten() {
    ConversationRules narrow = rules(1);
    narrow.install(CALL, Mesh.over(1, 2, 5));
    narrow.install(COPY, Mesh.over(1, 3, 5));
    assertThat(refused.get(COPY.id()))
        .contains("may hold 1 rules of conversations")
        .contains("Maybe raise maxRulesPerSwitch");
    assertThat(switches.count()).isEqualTo(3);
  }

  @Test
  void aMeterIsPassedAtTheFirstSwitchOnlyAndStaysWhenTheWayChanges() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    assertThat(rules.meter(CALL, Optional.of(MeterId.meterId(7))).join()).isTrue();
    rules.install(CALL, Mesh.over(1, 3, 5));
    worker.passTime();
    assertThat(metered(1)).hasSize(1);
    assertThat(metered(3)).isEmpty();
    assertThat(way(CALL)).containsExactly(1, 3, 5);
    assertThat(rules.firstSwitch(CALL)).contains(switchId(1));
  }

  @Test
  void whatSwitchesLostIsFoundMissingAndWrittenAgain() {
    rules.install(CALL, Mesh.over(1, 2, 5));
    InstalledRules installed =
        new InstalledRules(
            rules,
            switches,
            new DeviceServiceAdapter() {
              @Override
              public boolean isAvailable(org.onosproject.net.DeviceId device) {
                return true;
              }
            });
    assertThat(installed.read().join().get(CALL.id()))
        .hasSize(3)
        .allMatch(element -> element.standing() == InstalledElement.Standing.AS_WANTED);
    switches.forget(switches.rules(Mesh.device(2)).get(0));
    InstalledElement missing =
        installed.read().join().getOrDefault(CALL.id(), List.of()).stream()
            .filter(InstalledElement::isDrifted)
            .findFirst()
            .orElseThrow();
    assertThat(missing.at()).isEqualTo(Mesh.device(2));
    installed.repair(CALL.id(), missing);
    assertThat(way(CALL)).containsExactly(1, 2, 5);
  }

  private List<FlowRule> metered(int number) {
    List<FlowRule> metered = new ArrayList<>(switches.rules(Mesh.device(number)));
    metered.removeIf(rule -> rule.treatment().meters().isEmpty());
    return metered;
  }

  private static org.onosproject.net.DeviceId switchId(int number) {
    return org.onosproject.net.DeviceId.deviceId(Mesh.device(number));
  }

  private static int[] numbers(List<Integer> way) {
    return way.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The switches that a packet crosses by rules of conversations; a circle is cut. */
  private List<Integer> way(Conversation conversation) {
    return wayFrom(1, conversation);
  }

  private List<Integer> wayFrom(int first, Conversation conversation) {
    Set<TrafficSelector> matches =
        Set.of(
            ConversationMatch.of(conversation, conversation.matches().get(0)),
            ConversationMatch.pair(conversation).build());
    List<Integer> way = new ArrayList<>();
    Optional<Integer> at = Optional.of(first);
    while (at.isPresent() && way.size() <= 2 * Mesh.SWITCHES) {
      way.add(at.get());
      Optional<PortNumber> out = switches.output(Mesh.device(at.get()), matches);
      at = out.flatMap(Mesh::switchBehind);
    }
    return way;
  }
}
