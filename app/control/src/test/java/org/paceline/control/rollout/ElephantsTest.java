package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.paceline.allocator.elephant.PrefixPair;
import org.paceline.allocator.elephant.QueueSplitRule;
import org.paceline.control.NoCeilings;
import org.paceline.control.directive.Capabilities;
import org.paceline.control.directive.QueueCounts;
import org.paceline.control.directive.QueueTraffic;
import org.paceline.control.explain.PolicyDifference;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Counters;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.LinkRates;
import org.paceline.control.port.ReservedRates;
import org.paceline.control.reservations.AdmissionDecision;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.control.settings.ElephantSettings;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.address.AddressPrefix;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** A branch of elephants beside others, on two ways of 10 Mbit/s. */
final class ElephantsTest {
  private static final IntentPath BACKUP = IntentPath.parse("backup");
  private static final IntentPath FILES = IntentPath.parse("files");
  private static final LinkId STRAIGHT = LinkId.of("s1", "s2");
  private static final LinkId ROUND = LinkId.of("s1", "s3");
  private static final ConversationId COPY = ConversationId.of("h1", "copy");
  private static final long UNLIMITED = PlannerSettings.UNLIMITED.millibitsPerSecond();

  private static final QueueCounts NOTHING =
      QueueCounts.of(
          Instant.EPOCH,
          Duration.ZERO,
          QueueCounts.Queued.of(0, 0, 0),
          QueueCounts.Queued.of(0, 0, 0));

  private final Office world = divided(new Office());
  private final Map<LinkId, QueueCounts> counts = new HashMap<>();
  private int second;

  private static Office divided(Office office) {
    office.state = OfficeNetwork.twoWays(10_000);
    for (String device : List.of("s1", "s2", "s3")) {
      office.capabilities.put(
          device, Capabilities.ofSwitch(device).metersAllowed(100).rulesAllowed(100).build());
    }
    office.divides = link -> link.from().startsWith("s");
    office.setPolicy(BACKUP, Policy.builder().scheme(SchemeName.ELEPHANT_ISOLATION).build());
    return office;
  }

  private void watch(IntentPath... branches) {
    world.elephants(
        ElephantSettings.of(
            QueueSplitRule.DEFAULT,
            List.of(branches),
            List.of(),
            1_000_000,
            Duration.ofSeconds(5)));
  }

  /** All that goes from the one site to the other. */
  private void list() {
    world.elephants(
        ElephantSettings.of(
            QueueSplitRule.DEFAULT,
            List.of(),
            List.of(
                PrefixPair.of(
                    AddressPrefix.parse("10.0.1.0/24"), AddressPrefix.parse("10.0.2.0/24"))),
            1_000_000,
            Duration.ofSeconds(5)));
  }

  private long told(ConversationId id) {
    return world.enforced.getOrDefault(id, 0L);
  }

  @Example
  void anElephantGoesWhereOthersDoNotAndNobodyHoldsIt() {
    world.open(Office.conversation(2, "web", "web"));
    world.settle();
    LinkId its = world.proof("h2", "web").computed().orElseThrow().path().hops().get(1);
    world.open(Office.conversation(1, "copy", "backup"));
    world.settle();
    assertThat(world.apart).containsOnlyKeys(COPY);
    assertThat(Objects.requireNonNull(world.apart.get(COPY)).hops()).doesNotContain(its);
    assertThat(told(COPY)).isEqualTo(UNLIMITED);
    assertThat(world.grant("h1", "copy")).isBetween(9_400_000_000L, 9_500_001_000L);
    assertThat(world.divided.keySet())
        .containsAll(
            Objects.requireNonNull(world.apart.get(COPY))
                .hops()
                .subList(1, Objects.requireNonNull(world.apart.get(COPY)).hops().size()));
  }

  @Example
  void nobodyIsLetGoBeforeThePortsHaveTheirQueues() {
    world.answersQueues = false;
    world.open(Office.conversation(1, "copy", "backup"));
    world.settle();
    assertThat(world.apart).isEmpty();
    assertThat(told(COPY)).isLessThan(UNLIMITED);
    world.answerQueues();
    world.settle();
    assertThat(world.apart).containsOnlyKeys(COPY);
    assertThat(told(COPY)).isEqualTo(UNLIMITED);
  }

  @Example
  void whereAPortDoesNotAnswerAnElephantIsHeldToItsShareUntilItDoes() {
    world.answersQueues = false;
    world.open(Office.conversation(1, "copy", "backup"));
    world.settle();
    for (int second = 0; second < 3; second++) {
      world.report(id -> 1);
      world.settle();
    }
    assertThat(world.apart).as("led all the same").containsOnlyKeys(COPY);
    assertThat(told(COPY)).isEqualTo(world.grant("h1", "copy"));
    world.answerQueues();
    world.planner.lookAtQueues();
    world.report(id -> 1);
    world.settle();
    assertThat(told(COPY)).isEqualTo(UNLIMITED);
    // Somebody takes the queues away.
    world.answersQueues = false;
    world.divided.clear();
    world.planner.lookAtQueues();
    world.report(id -> 1);
    world.settle();
    assertThat(told(COPY)).isEqualTo(world.grant("h1", "copy"));
  }

  @Example
  void whoIsNoElephantAnyMoreIsHeldBeforeItMeetsOthers() {
    world.open(Office.conversation(1, "copy", "backup"));
    world.settle();
    world.setPolicy(BACKUP, Policy.builder().scheme(SchemeName.UTILITY_FAIR).build());
    world.worker.pass(Duration.ofMillis(20));
    assertThat(world.apart).as("it was told, and has not answered").containsOnlyKeys(COPY);
    world.settle();
    assertThat(world.apart).isEmpty();
    assertThat(told(COPY)).isEqualTo(world.grant("h1", "copy"));
  }

  @Example
  void whereNobodyDividesPortsItIsHeldToARateAndSaysSo() {
    world.divides = link -> false;
    world.open(Office.conversation(1, "copy", "backup"));
    world.settle();
    assertThat(world.apart).isEmpty();
    assertThat(world.proof("h1", "copy").state()).isEqualTo(ConversationState.UNSERVED);
    assertThat(world.proof("h1", "copy").unserved().orElseThrow().code())
        .isEqualTo(Unserved.Code.NOT_KEPT_APART);
    assertThat(told(COPY)).isBetween(9_000_000_000L, 10_000_000_000L);
    world.divides = link -> link.from().startsWith("s");
    world.report(id -> 1);
    world.report(id -> 1);
    world.settle();
    assertThat(world.apart).as("an agent of a switch has come").containsOnlyKeys(COPY);
  }

  @Example
  void theSplitFollowsWhatPortsCarryBesideThePlan() {
    world.open(Office.conversation(1, "copy", "backup"));
    world.settle();
    LinkId port = Objects.requireNonNull(world.apart.get(COPY)).hops().get(1);
    long before = Objects.requireNonNull(world.divided.get(port)).others().toKbpsFloor();
    for (int second = 1; second <= 6; second++) {
      // It sends nothing, and is counted.
      world.report(id -> 0);
      for (LinkId way : List.of(STRAIGHT, ROUND)) {
        world.carried.put(
            way, LinkRates.Reading.of(DataRate.ofKilobitsPerSecond(5_000), world.worker.instant()));
      }
      world.settle();
    }
    assertThat(before).isBetween(900L, 1_100L);
    assertThat(Objects.requireNonNull(world.apart.get(COPY)).hops()).contains(port);
    assertThat(Objects.requireNonNull(world.divided.get(port)).others().toKbpsFloor())
        .isGreaterThan(5_000);
  }

  private ReservationRequest circuit(long kbps) {
    return circuit("10.0.1.1", "10.0.2.1", kbps);
  }

  private ReservationRequest circuit(String from, String to, long kbps) {
    Instant now = world.worker.instant();
    Duration hour = Duration.ofHours(1);
    return ReservationRequest.of(
        "backup", from, to, DataRate.ofKilobitsPerSecond(kbps), now, hour, now.plus(hour));
  }

  @Example
  void aBookedCircuitHasOthersOnItsWayHeldUntilItEnds() {
    world.state = OfficeNetwork.oneWay(10_000);
    List<ConversationId> others =
        List.of(ConversationId.of("h2", "dump"), ConversationId.of("h3", "tape"));
    world.open(Office.conversation(1, "copy", "backup"));
    world.open(Office.conversation(2, "dump", "backup"));
    world.open(Office.conversation(3, "tape", "backup"));
    world.settle();
    assertThat(others).allSatisfy(id -> assertThat(told(id)).isEqualTo(UNLIMITED));
    Reservation held = world.reservations.hold(NoCeilings.ADAM, circuit(800)).held().orElseThrow();
    world.reservations.commit(held.id());
    world.settle();
    assertThat(told(COPY)).isEqualTo(UNLIMITED);
    assertThat(world.apart.keySet()).as("all of them still").containsAll(others).contains(COPY);
    long ofOthers = others.stream().mapToLong(this::told).sum();
    assertThat(ofOthers + 800_000_000L)
        .isLessThanOrEqualTo(
            Objects.requireNonNull(world.divided.get(STRAIGHT)).elephants().millibitsPerSecond());
    for (ConversationId id : others) {
      assertThat(told(id)).isEqualTo(world.grant(id.host(), id.local())).isPositive();
      assertThat(world.proof(id.host(), id.local()).state()).isEqualTo(ConversationState.GRANTED);
      assertThat(world.proof(id.host(), id.local()).isPaced()).isTrue();
    }
    world.reservations.cancel(held.id());
    world.settle();
    assertThat(others).allSatisfy(id -> assertThat(told(id)).isEqualTo(UNLIMITED));
    assertThat(world.proof("h2", "dump").isPaced()).isFalse();
  }

  @Example
  void theConversationsBetweenTwoPrefixesShareTheirCircuit() {
    world.state = OfficeNetwork.oneWay(10_000);
    ConversationId dump = ConversationId.of("h2", "dump");
    ConversationId tape = ConversationId.of("h3", "tape");
    Reservation held =
        world
            .reservations
            .hold(NoCeilings.ADAM, circuit("10.0.1.0/31", "10.0.2.0/24", 800))
            .held()
            .orElseThrow();
    world.reservations.commit(held.id());
    world.open(Office.conversation(1, "copy", "backup"));
    world.open(Office.conversation(2, "dump", "backup"));
    world.settle();
    assertThat(promised(COPY, dump)).as("10.0.1.2 is not in 10.0.1.0/31").containsExactly(800L, 0L);
    assertThat(told(dump)).as("it is held for the circuit").isLessThan(UNLIMITED);
    world.reservations.cancel(held.id());
    Reservation wider =
        world
            .reservations
            .hold(NoCeilings.ADAM, circuit("10.0.1.2/31", "10.0.2.0/24", 800))
            .held()
            .orElseThrow();
    world.reservations.commit(wider.id());
    world.open(Office.conversation(3, "tape", "backup"));
    world.settle();
    assertThat(promised(COPY, dump, tape)).as("10.0.1.1 is not").containsExactly(0L, 400L, 400L);
    assertThat(world.grant("h2", "dump")).isGreaterThanOrEqualTo(400_000_000L);
    assertThat(world.grant("h3", "tape")).isGreaterThanOrEqualTo(400_000_000L);
  }

  /** By circuits, in kbit/s. */
  private List<Long> promised(ConversationId... ids) {
    Map<ConversationId, ReservedRates.Due> due =
        world.reservations.due(
            Stream.of(ids)
                .map(id -> world.proof(id.host(), id.local()))
                .collect(Collectors.toUnmodifiableList()));
    return Stream.of(ids)
        .map(id -> due.getOrDefault(id, ReservedRates.Due.NOTHING).circuit().toKbpsFloor())
        .collect(Collectors.toUnmodifiableList());
  }

  @Example
  void circuitsBetweenPrefixesAreAdmittedTogetherOnTheWaysBetweenTheirSwitches() {
    ReservationRequest one = circuit("10.0.1.0/24", "10.0.2.0/24", 600);
    assertThat(world.reservations.hold(NoCeilings.ADAM, one).isYes()).isTrue();
    assertThat(world.reservations.hold(NoCeilings.ADAM, circuit(600)).isYes())
        .as("by the other way")
        .isTrue();
    AdmissionDecision third = world.reservations.hold(NoCeilings.ADAM, one);
    assertThat(third.refusal().orElseThrow()).contains("has no room");
    assertThat(third.counterOffer().orElseThrow().rate())
        .isEqualTo(DataRate.ofKilobitsPerSecond(255));
  }

  @Example
  void aPrefixOfHostsAtSeveralSwitchesIsRefusedWithThese() {
    AdmissionDecision refused =
        world.reservations.hold(NoCeilings.ADAM, circuit("10.0.0.0/16", "10.0.2.0/24", 100));
    assertThat(refused.refusal().orElseThrow())
        .startsWith(
            "The hosts of (10.0.0.0/16) stand at 2 switches: (10.0.1.1) at (s1), (10.0.2.1) at"
                + " (s2). A circuit enters and leaves");
    assertThat(refused.counterOffer()).isEmpty();
  }

  @Example
  void whatAPrefixCannotBeOfIsSaid() {
    assertThat(refusal("10.9.0.0/24", "10.0.2.0/24")).contains("No host of (10.9.0.0/24) is known");
    assertThat(refusal("2001:db8::/48", "10.0.2.0/24"))
        .isEqualTo(
            "No packet goes from (2001:db8::/48) to (10.0.2.0/24): one is IPv4, one is IPv6.");
    assertThat(refusal("10.0.1.1", "10.0.1.2/31")).contains("stays within the switch (s1)");
    assertThat(refusal("10.0.1.0/24", "10.0.1.0/24")).contains("stays within the switch (s1)");
    world.setPolicy(BACKUP, Policy.builder().scheme(SchemeName.UTILITY_FAIR).build());
    assertThat(refusal("10.0.1.0/24", "10.0.2.0/24"))
        .contains("are ruled by utility-fair", "from one host to another only");
  }

  private String refusal(String from, String to) {
    return world.reservations.hold(NoCeilings.ADAM, circuit(from, to, 100)).refusal().orElseThrow();
  }

  @Example
  void aCircuitBeyondTheShareOfElephantsIsRefusedWithTheMostThereIs() {
    AdmissionDecision refused = world.reservations.hold(NoCeilings.ADAM, circuit(900));
    assertThat(refused.refusal().orElseThrow())
        .contains("has no room", "90 thousandths", "elephant-isolation", "elephantThousandths");
    ReservationRequest most = refused.counterOffer().orElseThrow();
    assertThat(most.rate()).isEqualTo(DataRate.ofKilobitsPerSecond(855));
    assertThat(world.reservations.hold(NoCeilings.ADAM, most).isYes()).isTrue();
    AdmissionDecision second = world.reservations.hold(NoCeilings.ADAM, circuit(900));
    assertThat(second.counterOffer().orElseThrow().rate())
        .as("there are two ways")
        .isEqualTo(DataRate.ofKilobitsPerSecond(855));
  }

  @Example
  void whereNobodyDividesPortsNoCircuitCanBeBooked() {
    world.divides = link -> false;
    AdmissionDecision refused = world.reservations.hold(NoCeilings.ADAM, circuit(100));
    assertThat(refused.isYes()).isFalse();
    assertThat(refused.refusal().orElseThrow()).contains("divided");
  }

  /** It would never have a seat: so narrow a port is divided by nobody. */
  @Example
  void onALinkThatIsTooNarrowToBeDividedNoCircuitCanBeBooked() {
    world.state = OfficeNetwork.oneWay(90);
    AdmissionDecision refused = world.reservations.hold(NoCeilings.ADAM, circuit(1));
    assertThat(refused.refusal().orElseThrow())
        .contains("(s1 -> s2) is not divided: plans have 85 kbit/s of it, and 100 are needed.");
    assertThat(refused.counterOffer()).isEmpty();
    world.state = OfficeNetwork.oneWay(200);
    assertThat(world.reservations.hold(NoCeilings.ADAM, circuit(1)).isYes()).isTrue();
  }

  @Example
  void aCircuitThatMayBeLentHasOthersHeldOnlyWhileItIsUsed() {
    world.state = OfficeNetwork.oneWay(10_000);
    ConversationId dump = ConversationId.of("h2", "dump");
    world.open(Office.conversation(1, "copy", "backup"));
    world.open(Office.conversation(2, "dump", "backup"));
    Reservation held =
        world.reservations.hold(NoCeilings.ADAM, circuit(800).adaptive(true)).held().orElseThrow();
    world.reservations.commit(held.id());
    world.settle();
    assertThat(told(dump)).isLessThan(UNLIMITED);
    for (int second = 0; second < 8; second++) {
      world.report(id -> id.equals(COPY) ? 0 : 1e9 / told(id));
    }
    world.settle();
    assertThat(told(dump)).isEqualTo(UNLIMITED);
    for (int second = 0; second < 4; second++) {
      world.report(id -> 1e9 / told(id));
    }
    world.settle();
    assertThat(told(dump)).isLessThan(UNLIMITED);
    assertThat(told(COPY)).isEqualTo(UNLIMITED);
  }

  @Example
  void whatWasReservedUnderAnotherSchemeMakesNoCircuitOfAListedElephant() {
    world.setPolicy(BACKUP, Policy.builder().scheme(SchemeName.UTILITY_FAIR).build());
    world.state = OfficeNetwork.oneWay(10_000);
    Reservation held = world.reservations.hold(NoCeilings.ADAM, circuit(500)).held().orElseThrow();
    world.reservations.commit(held.id());
    list();
    world.open(Office.conversation(1, "copy", "backup"));
    world.open(Office.conversation(2, "dump", "backup"));
    world.settle();
    assertThat(told(COPY)).isEqualTo(UNLIMITED);
    assertThat(told(ConversationId.of("h2", "dump"))).isEqualTo(UNLIMITED);
  }

  @Example
  void whatAPolicyWouldChangeIsForetoldOfAListedElephantAsOfOne() {
    world.setPolicy(BACKUP, Policy.builder().scheme(SchemeName.UTILITY_FAIR).build());
    list();
    world.open(Office.conversation(1, "copy", "backup"));
    world.settle();
    assertThat(told(COPY)).isEqualTo(UNLIMITED);
    IntentTree now = world.policies.tree();
    assertThat(PolicyDifference.of(now, now, world.planner, world.proofs).effects()).isEmpty();
  }

  @Example
  void whatWasPromisedBeforeTheBranchCameUnderTheSchemeIsNoCircuit() {
    world.state = OfficeNetwork.oneWay(10_000);
    world.setPolicy(BACKUP, Policy.builder().scheme(SchemeName.UTILITY_FAIR).build());
    Reservation held = world.reservations.hold(NoCeilings.ADAM, circuit(500)).held().orElseThrow();
    world.reservations.commit(held.id());
    assertThat(world.reservations.find(held.id()).orElseThrow().promisedBy())
        .contains(SchemeName.UTILITY_FAIR);
    world.setPolicy(BACKUP, Policy.builder().scheme(SchemeName.ELEPHANT_ISOLATION).build());
    world.open(Office.conversation(1, "copy", "backup"));
    world.open(Office.conversation(2, "dump", "backup"));
    world.settle();
    assertThat(told(COPY)).isEqualTo(UNLIMITED);
    assertThat(told(ConversationId.of("h2", "dump"))).isEqualTo(UNLIMITED);
    Reservation booked =
        world.reservations.hold(NoCeilings.ADAM, circuit(800)).held().orElseThrow();
    assertThat(booked.promisedBy())
        .as("it takes nothing of what circuits may have")
        .contains(SchemeName.ELEPHANT_ISOLATION);
    world.reservations.commit(booked.id());
    world.settle();
    assertThat(told(COPY)).isEqualTo(UNLIMITED);
    assertThat(told(ConversationId.of("h2", "dump"))).isLessThan(UNLIMITED);
  }

  /** The queues of each way in the last second, in bytes of frames of 976, 1,000 on the wire. */
  private void count(long othersBytes, long othersDropped, long elephantsBytes) {
    second++;
    for (LinkId way : List.of(STRAIGHT, ROUND)) {
      QueueCounts before = Objects.requireNonNullElse(counts.get(way), NOTHING);
      QueueCounts now =
          QueueCounts.of(
              Instant.EPOCH,
              Duration.ofSeconds(second),
              more(before.elephants(), elephantsBytes, 0),
              more(before.others(), othersBytes, othersDropped));
      counts.put(way, now);
      QueueTraffic.between(before, now, world.worker.instant())
          .ifPresent(traffic -> world.queued.put(way, traffic));
    }
  }

  private static QueueCounts.Queued more(QueueCounts.Queued before, long bytes, long dropped) {
    return QueueCounts.Queued.of(
        before.bytes() + bytes, before.packets() + bytes / 976, before.droppedPackets() + dropped);
  }

  private long others(LinkId port) {
    return Objects.requireNonNull(world.divided.get(port)).others().toKbpsFloor();
  }

  private LinkId portOfTheCopy() {
    world.open(Office.conversation(1, "copy", "backup"));
    world.settle();
    return Objects.requireNonNull(world.apart.get(COPY)).hops().get(1);
  }

  @Example
  void theSplitFollowsTheOthersQueueWithinASecondWhateverElephantsSend() {
    LinkId port = portOfTheCopy();
    for (int quiet = 0; quiet < 5; quiet++) {
      world.report(id -> 1);
      // Ports are counted at other times: elephants look like others there.
      world.carried.put(
          port, LinkRates.Reading.of(DataRate.ofKilobitsPerSecond(20_000), world.worker.instant()));
      count(0, 0, 1_000_000);
      world.settle();
    }
    for (int more = 0; more < 16; more++) {
      world.report(id -> 1);
      count(0, 0, 1_000_000);
      world.settle();
    }
    assertThat(others(port)).as("nobody is there but elephants").isBetween(900L, 1_100L);
    // 4 Mbit/s on the wire come to it, and three quarters find no room.
    world.report(id -> 1);
    count(976 * 125, 375, 1_000_000);
    world.worker.pass(Duration.ofMillis(600));
    world.settle();
    assertThat(others(port)).isBetween(4_800L, 5_500L);
  }

  @Example
  void aDivisionIsNeverBelowWhatIsSentBesideElephants() {
    LinkId port = portOfTheCopy();
    count(0, 0, 0);
    for (long packets : new long[] {100, 500, 700, 300, 650, 20, 0, 0, 0, 400, 0, 0}) {
      world.report(id -> 1);
      count(976 * packets, 0, 1_000_000);
      world.worker.pass(Duration.ofMillis(600));
      world.settle();
      assertThat(others(port)).isGreaterThanOrEqualTo(packets * 8);
    }
  }

  @Example
  void whoIsLedApartWhileItRunsIsNotTakenForOthers() {
    watch(FILES);
    world.open(Office.conversation(1, "copy", "files/copy"));
    world.settle();
    long alone = world.grant("h1", "copy") / 8_000;
    while (world.apart.isEmpty()) {
      world.report(id -> 1);
      count(alone / 976 * 976, 0, 0);
      world.settle();
    }
    LinkId port = Objects.requireNonNull(world.apart.get(COPY)).hops().get(1);
    // What it sent before it was marked is still counted of the others' queue.
    world.report(id -> 1);
    count(alone / 976 * 976, 0, 0);
    world.settle();
    for (int rest = 0; rest < 3; rest++) {
      world.report(id -> 1);
      count(0, 0, alone / 976 * 976);
      world.settle();
      assertThat(others(port)).isLessThan(2_000);
    }
  }

  @Example
  void whoSendsMuchAtOnceIsLedApartWhileItRunsAndCallsAreNot() {
    watch(FILES);
    world.open(Office.conversation(1, "copy", "files/copy"));
    world.open(Office.conversation(2, "call", "calls"));
    world.settle();
    assertThat(world.apart).isEmpty();
    for (int second = 0; second < 4; second++) {
      world.report(id -> 1);
    }
    world.settle();
    assertThat(world.apart).containsOnlyKeys(COPY);
    assertThat(world.proof("h1", "copy").requested().scheme().value())
        .isEqualTo(SchemeName.ELEPHANT_ISOLATION);
    assertThat(told(COPY)).isEqualTo(UNLIMITED);
    watch();
    world.settle();
    assertThat(world.apart).isEmpty();
    assertThat(told(COPY)).isLessThan(UNLIMITED);
  }

  /**
   * An agent and a switch began to count at different times; what lies between was sent long ago.
   */
  @Example
  void whatAnotherSourceCountedLongAgoMakesNoElephant() {
    watch(FILES);
    Conversation byAgent = Office.conversation(1, "copy", "files/copy");
    Conversation byMeter = Office.metered(1, "copy", "files/copy");
    world.open(byMeter);
    countedBySwitch(900_000);
    countedBySwitch(1_000_000);
    world.open(byAgent);
    countedByAgent(5_000_000_000L);
    countedByAgent(5_000_100_000L);
    world.open(byMeter);
    countedBySwitch(1_000_000);
    countedBySwitch(1_100_000);
    world.open(byAgent);
    countedByAgent(5_900_000_000L);
    countedByAgent(0);
    countedByAgent(100_000);
    assertThat(world.apart).isEmpty();
    assertThat(world.proof("h1", "copy").measured().orElseThrow().toKbpsFloor())
        .isBetween(700L, 800L);
    countedByAgent(1_200_000);
    assertThat(world.apart).containsOnlyKeys(COPY);
  }

  @Example
  void whereBothCountTheSwitchsCountStands() {
    world.open(Office.metered(1, "copy", "files/copy"));
    countedBySwitch(900_000);
    for (int second = 1; second <= 3; second++) {
      countedByAgent(5_000_000_000L + second * 100_000L);
      countedBySwitch(900_000 + second * 100_000L);
    }
    assertThat(world.proof("h1", "copy").sentBytes()).isEqualTo(1_200_000);
    // 100 kB in each two seconds.
    assertThat(world.proof("h1", "copy").measured().orElseThrow().toKbpsFloor())
        .isBetween(350L, 400L);
  }

  private void countedBySwitch(long bytes) {
    world.worker.pass(Duration.ofSeconds(1));
    world.planner.counted(List.of(counted(bytes)));
    world.settle();
  }

  private void countedByAgent(long bytes) {
    world.worker.pass(Duration.ofSeconds(1));
    world.planner.reported(world.worker.instant(), List.of(counted(bytes)));
    world.settle();
  }

  private Counters counted(long bytes) {
    return Counters.of(
        COPY, bytes, 0, 1, DataRate.ofMillibitsPerSecond(told(COPY)), Map.of(), Optional.empty());
  }

  @Example
  void anElephantWithoutAnAgentIsCountedByAMeterThatDropsNothing() {
    Conversation guest = Office.metered(1, "copy", "backup");
    world.open(guest);
    world.settle();
    assertThat(world.apart).containsOnlyKeys(COPY);
    assertThat(told(COPY)).isEqualTo(UNLIMITED);
  }

  /** By which switches send on it. */
  private static List<LinkId> ports(@Nullable Path path) {
    return Objects.requireNonNull(path).hops().stream()
        .filter(hop -> hop.from().startsWith("s"))
        .collect(Collectors.toUnmodifiableList());
  }

  /** Whoever comes, ends and changes sides, with answers that come as late as they like. */
  @Property(tries = 100, seed = "20")
  void whoeverIsLetGoIsAmongOthersAtNoMoment(
      @ForAll @Size(min = 1, max = 25) List<@IntRange(min = 0, max = 5) Integer> steps) {
    Office office = divided(new Office());
    office.answersQueues = false;
    for (int step : steps) {
      ConversationId first = ConversationId.of("h1", "copy");
      switch (step) {
        case 0:
          if (!office.enforced.containsKey(first)) {
            office.open(Office.conversation(1, "copy", "backup"));
          }
          break;
        case 1:
          office.setPolicy(
              BACKUP,
              Policy.builder()
                  .scheme(
                      office.policies.resolve("backup").scheme().value()
                              == SchemeName.ELEPHANT_ISOLATION
                          ? SchemeName.UTILITY_FAIR
                          : SchemeName.ELEPHANT_ISOLATION)
                  .build());
          break;
        case 2:
          office.answerQueues();
          break;
        case 3:
          if (!office.onTheirWay.isEmpty()) {
            office.deliver();
          }
          break;
        case 4:
          if (!office.enforced.containsKey(ConversationId.of("h2", "web"))) {
            office.open(Office.conversation(2, "web", "web"));
          }
          break;
        default:
          office.worker.pass(Duration.ofMillis(20));
      }
      if (office.enforced.getOrDefault(first, 0L) >= UNLIMITED / 2) {
        assertThat(office.apart).containsKey(first);
        assertThat(office.divided.keySet()).containsAll(ports(office.apart.get(first)));
      }
      office.onTheirWay.stream()
          .flatMap(batch -> batch.rates.entrySet().stream())
          .filter(told -> PlannerSettings.isUnlimited(told.getValue()))
          .forEach(told -> assertThat(office.apart).containsKey(told.getKey().id()));
    }
  }
}
