package org.paceline.onos.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.model.Transport;
import org.paceline.control.model.Unserved;

/** All sockets of a conversation go its way, whatever their ports. */
final class SeveralMatchesTest {
  private static final PacketMatch SECOND = PacketMatch.of(Transport.TCP, 40_000, 443);
  private static final Conversation ONE = Mesh.conversation("video", 5004);
  private static final Conversation TWO = ONE.toBuilder().moreMatches(List.of(SECOND)).build();
  private static final Conversation COPY = Mesh.conversation("copy", 5080);
  private static final Optional<PassedMeter> METER = Optional.of(Mesh.meter(7));

  private final StepWorker worker = new StepWorker();
  private final Map<ConversationId, Unserved> refused = new HashMap<>();
  private final RecordedSwitches switches = new RecordedSwitches(1);
  private int limit = 100;
  private final ConversationRules rules = switches.led(() -> limit, worker, refused::put);

  private void leadApart(Conversation conversation) {
    rules.install(COPY, Mesh.over(1, 2, 5));
    rules.install(conversation, Mesh.over(1, 3, 5));
    rules.meter(conversation, METER);
    worker.passTime();
  }

  @Test
  void allMatchesFollowTheWayAndPassTheMeter() {
    leadApart(TWO);
    for (int number : new int[] {1, 3, 5}) {
      assertThat(selectors(own(number)))
          .containsExactlyInAnyOrderElementsOf(ConversationMatch.all(TWO));
    }
    assertThat(own(1))
        .hasSize(2)
        .allSatisfy(rule -> assertThat(rule.treatment().meters()).hasSize(1))
        .allSatisfy(rule -> assertThat(rule.treatment().toString()).contains("OUTPUT:3"));
    assertThat(own(1))
        .extracting(FlowRule::priority)
        .containsExactlyInAnyOrder(PairRules.OWN_PRIORITY + 2, PairRules.OWN_PRIORITY + 4);
    Map<ConversationId, List<InstalledElement>> read = switches.installed(rules).read().join();
    assertThat(read.getOrDefault(TWO.id(), List.of()))
        .extracting(InstalledElement::standing)
        .as("of each of two transports one more for fragments")
        .hasSize(12)
        .containsOnly(InstalledElement.Standing.AS_WANTED);
  }

  @Test
  void aMatchThatComesLaterIsLedAsTheOthersWhichAreNotTouchedAndGoesAlone() {
    leadApart(ONE);
    Set<FlowRule> before = all();
    int written = switches.written();

    rules.matchedOtherwise(TWO);

    assertThat(switches.written())
        .as("at each of three switches, and fragments")
        .isEqualTo(written + 6);
    assertThat(all()).containsAll(before).hasSize(before.size() + 6);
    assertThat(own(1)).allSatisfy(rule -> assertThat(rule.treatment().meters()).hasSize(1));

    rules.matchedOtherwise(ONE);
    worker.passTime();
    worker.passTime();

    assertThat(switches.written()).isEqualTo(written + 12);
    assertThat(all()).isEqualTo(before);
    rules.remove(ONE);
    rules.remove(COPY);
    worker.passTime();
    worker.passTime();
    assertThat(switches.count()).isZero();
  }

  @Test
  void whoChangesItsWayTakesAllItsMatchesAlongAndNothingIsLeft() {
    leadApart(TWO);
    rules.install(TWO, Mesh.over(1, 4, 5));
    worker.passTime();
    assertThat(own(3)).isEmpty();
    assertThat(own(4)).hasSize(2);
    rules.install(TWO, Mesh.over(1, 2, 5));
    worker.passTime();
    assertThat(own(1)).as("metered on the shared way").hasSize(2);
    assertThat(own(2)).isEmpty();
    rules.remove(TWO);
    rules.remove(COPY);
    worker.passTime();
    worker.passTime();
    assertThat(switches.count()).isZero();
    assertThat(rules.used(org.onosproject.net.DeviceId.deviceId(Mesh.device(1)))).isZero();
  }

  @Test
  void whoIsNotLedIsNotLedByOtherPortsEither() {
    rules.matchedOtherwise(TWO);
    assertThat(switches.count()).isZero();
  }

  @Test
  void ofTwoWithTheSameMatchTheFirstHasItAndNothingIsWrittenAgain() {
    Conversation other =
        Mesh.conversation("other", 6000).toBuilder().moreMatches(List.of(SECOND)).build();
    leadApart(TWO);
    rules.install(other, Mesh.over(1, 4, 5));
    rules.meter(other, Optional.of(Mesh.meter(8)));
    worker.passTime();
    int written = switches.written();
    worker.passTime();
    assertThat(switches.written()).isEqualTo(written);
    assertThat(own(1)).hasSize(3);
    Map<ConversationId, List<InstalledElement>> read = switches.installed(rules).read().join();
    assertThat(read.values().stream().flatMap(List::stream).map(InstalledElement::standing))
        .containsOnly(InstalledElement.Standing.AS_WANTED);
    assertThat(refused).isEmpty();
  }

  @Test
  void aMatchThatHasNoPlaceInATableIsRefusedWithTheReason() {
    leadApart(ONE);
    limit = rules.used(org.onosproject.net.DeviceId.deviceId(Mesh.device(1)));
    rules.matchedOtherwise(TWO);
    worker.passTime();
    assertThat(Objects.requireNonNull(refused.get(ONE.id())).reason())
        .contains("maxRulesPerSwitch");
    assertThat(own(1)).isEmpty();
  }

  private List<FlowRule> own(int number) {
    List<FlowRule> own = new ArrayList<>(switches.rules(Mesh.device(number)));
    own.removeIf(rule -> rule.priority() < PairRules.OWN_PRIORITY);
    return own;
  }

  private static List<TrafficSelector> selectors(List<FlowRule> rules) {
    List<TrafficSelector> selectors = new ArrayList<>();
    rules.forEach(rule -> selectors.add(ConversationMatch.anywhere(rule.selector())));
    return selectors;
  }

  private Set<FlowRule> all() {
    Set<FlowRule> all = new HashSet<>();
    for (int number = 1; number <= Mesh.SWITCHES; number++) {
      all.addAll(switches.rules(Mesh.device(number)));
    }
    return all;
  }
}
