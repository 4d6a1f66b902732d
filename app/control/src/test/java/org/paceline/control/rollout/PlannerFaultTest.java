package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.paceline.control.SolverBug;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.model.Transport;

/** Whatever fails while a plan is made or put in force, the next one comes by itself. */
final class PlannerFaultTest {
  private final Office office = new Office();

  static List<Arguments> whilePlanning() {
    return faults(Office.Part.NETWORK, Office.Part.CAPABILITIES, Office.Part.SOLVER);
  }

  static List<Arguments> whileTelling() {
    return faults(Office.Part.SENDING, Office.Part.LEADING);
  }

  private static List<Arguments> faults(Office.Part... parts) {
    List<Arguments> faults = new ArrayList<>();
    for (Office.Part part : parts) {
      Stream.of(SolverBug.values()).forEach(bug -> faults.add(Arguments.of(part, bug)));
    }
    return faults;
  }

  /** A host's, or a switch's. */
  @ParameterizedTest
  @MethodSource("whileTelling")
  void whatCouldNotBeToldIsToldAgain(Office.Part part, SolverBug bug) {
    office.state = OfficeNetwork.twoWays(10_000);
    office.attach(1);
    office.broken.put(part, bug);
    office.open(Office.conversation(1, "x", "files/copy"));
    office.settle();
    office.worker.pass(Duration.ofSeconds(5));
    assertThat(office.warnings).isNotEmpty();

    office.broken.clear();
    // Each second a host says what it holds.
    office.report(id -> 1);
    office.report(id -> 1);
    assertThat(office.enforced.get(ConversationId.of("h1", "x")))
        .as("with what it is lent")
        .isGreaterThanOrEqualTo(office.grant("h1", "x"));
  }

  /** A conversation's end, here, of which not all can be taken in. */
  @ParameterizedTest
  @EnumSource
  void anAgentWhoseWordsCouldNotBeTakenInIsAskedToSayAllOnceMore(SolverBug bug) {
    office.attach(1);
    office.open(Office.conversation(1, "x", "files/copy"));
    office.open(Office.conversation(1, "y", "files/copy"));
    office.settle();
    ConversationId over = ConversationId.of("h1", "x");
    office.broken.put(Office.Part.RELEASING, bug);
    office.planner.closed(List.of(over));
    office.worker.pass(Duration.ofMillis(500));
    assertThat(office.warnings.stream().filter(said -> said.contains(bug.said))).hasSize(1);
    assertThat(office.proofs.find(over)).as("for all others it is over").isEmpty();
    assertThat(office.planner.plan().grants()).containsOnlyKeys(ConversationId.of("h1", "y"));
    assertThat(office.askedAgain).isEmpty();
    office.worker.pass(Duration.ofSeconds(1));
    assertThat(office.askedAgain).containsExactly("h1");

    office.planner.closed(List.of(ConversationId.of("h1", "y")));
    office.worker.pass(Duration.ofMillis(1_500));
    assertThat(office.askedAgain).as("less often each time").hasSize(1);
    office.worker.pass(Duration.ofSeconds(1));
    assertThat(office.askedAgain).hasSize(2);
  }

  /** Its agent says nothing of it any more. */
  @Test
  void whatIsLeftOfAConversationThatIsOverIsTakenAwayLater() {
    ConversationId over = overInPart("x");
    office.worker.pass(Duration.ofSeconds(10));
    assertThat(office.released).isEmpty();
    office.broken.clear();
    office.worker.pass(Duration.ofMinutes(1));
    assertThat(office.released).containsExactly(over);
    office.worker.pass(Duration.ofMinutes(5));
    assertThat(office.released).hasSize(1);
  }

  @Test
  void whatCannotBeTakenAwayForAnHourIsLeft() {
    overInPart("x");
    office.worker.pass(Duration.ofHours(2));
    office.broken.clear();
    office.worker.pass(Duration.ofHours(2));
    assertThat(office.released).isEmpty();
  }

  @Test
  void whatIsThereAgainIsNotTakenAwayForWhatWasOver() {
    overInPart("x");
    office.open(Office.conversation(1, "x", "files/copy"));
    office.settle();
    office.broken.clear();
    office.worker.pass(Duration.ofMinutes(5));
    assertThat(office.released).isEmpty();
    assertThat(office.proof("h1", "x").installed()).isPresent();
  }

  /** Returns one whose end could not be taken in. */
  private ConversationId overInPart(String local) {
    office.attach(1);
    office.open(Office.conversation(1, local, "files/copy"));
    office.settle();
    office.broken.put(Office.Part.RELEASING, SolverBug.STACK);
    ConversationId over = ConversationId.of("h1", local);
    office.planner.closed(List.of(over));
    return over;
  }

  @Test
  void whoHasSaidAllOnceMoreIsNotAskedAgainForWhatFailedBefore() {
    office.attach(1);
    office.open(Office.conversation(1, "x", "files/copy"));
    office.open(Office.conversation(1, "y", "files/copy"));
    office.settle();
    office.broken.put(Office.Part.RELEASING, SolverBug.STACK);
    office.planner.closed(List.of(ConversationId.of("h1", "x")));
    office.planner.closed(List.of(ConversationId.of("h1", "y")));
    office.worker.pass(Duration.ofMillis(1_500));
    assertThat(office.askedAgain).containsExactly("h1");
    office.broken.clear();
    office.attach(1);
    office.worker.pass(Duration.ofMinutes(1));
    assertThat(office.askedAgain).containsExactly("h1");
  }

  /** No agent says once more what switches found, or an operator has announced. */
  @ParameterizedTest
  @ValueSource(strings = {ConversationId.FOUND, ConversationId.ANNOUNCED})
  void whatIsSaidOfAHostWithoutAgentIsTakenInLaterByItself(String host) {
    Conversation one = openedOf(host);
    office.broken.put(Office.Part.MATCHING, SolverBug.STACK);
    office.planner.opened(one);
    office.worker.pass(Duration.ofMillis(1_500));
    assertThat(office.rematched).isEmpty();
    assertThat(office.warnings.stream().filter(said -> said.contains(SolverBug.STACK.said)))
        .isNotEmpty();
    office.broken.clear();
    office.worker.pass(Duration.ofMinutes(1));
    assertThat(office.rematched).containsExactly(one);
    assertThat(office.proofs.find(one.id()).orElseThrow().conversation()).isEqualTo(one);
    assertThat(office.askedAgain).isEmpty();
  }

  @Test
  void whatIsOverMeanwhileIsNotOpenedLater() {
    Conversation one = openedOf(ConversationId.FOUND);
    office.broken.put(Office.Part.MATCHING, SolverBug.STACK);
    office.planner.opened(one);
    office.worker.pass(Duration.ofMillis(500));
    office.broken.clear();
    office.planner.closed(List.of(one.id()));
    office.worker.pass(Duration.ofMinutes(1));
    assertThat(office.proofs.find(one.id())).isEmpty();
    assertThat(office.rematched).isEmpty();
  }

  /** Returns the same with one match more, which nobody was told yet. */
  private Conversation openedOf(String host) {
    office.state = OfficeNetwork.twoWays(10_000);
    Conversation one =
        Office.metered(1, "x", "files/copy").toBuilder().id(ConversationId.of(host, "x")).build();
    office.open(one);
    office.settle();
    return one.toBuilder().moreMatches(List.of(PacketMatch.of(Transport.TCP, 40_002, 443))).build();
  }

  /** Such as while the store has no majority. */
  @ParameterizedTest
  @EnumSource
  void aHostThatCannotBeRememberedIsServedAndRememberedLater(SolverBug bug) {
    Office forgetful = new Office();
    forgetful.worker.goingOn();
    forgetful.broken.put(Office.Part.REMEMBERING, bug);
    forgetful.attach(1);
    forgetful.open(Office.conversation(1, "x", "files/copy"));
    forgetful.settle();
    assertThat(forgetful.proof("h1", "x").installed()).isPresent();
    assertThat(forgetful.hosts).isEmpty();
    assertThat(forgetful.worker.faults).hasSize(1);
    forgetful.broken.clear();
    forgetful.worker.pass(Duration.ofMinutes(1));
    assertThat(forgetful.hosts).containsExactly("h1");
  }

  @Test
  void aClockThatIsSteppedMakesNoPlanLateAndHidesNone() {
    office.state = OfficeNetwork.twoWays(10_000);
    office.attach(1);
    office.broken.put(Office.Part.SOLVER, SolverBug.values()[0]);
    office.open(Office.conversation(1, "x", "files/copy"));
    office.worker.step(Duration.ofHours(2));
    office.worker.pass(Duration.ofSeconds(1));
    assertThat(office.planner.alarms()).isEmpty();
    office.worker.step(Duration.ofHours(-4));
    office.worker.pass(Duration.ofSeconds(40));
    assertThat(office.planner.alarms())
        .extracting(Alarm::kind)
        .containsExactly(Alarm.Kind.PLANNER_STALLED);
  }

  @ParameterizedTest
  @MethodSource("whilePlanning")
  void thePlanInForceStaysIsSaidToBeOldAndTheNextOneComesByItself(Office.Part part, SolverBug bug) {
    office.state = OfficeNetwork.twoWays(10_000);
    office.attach(1);
    office.open(Office.conversation(1, "x", "files/copy"));
    office.settle();
    var before = office.planner.plan().grants();
    assertThat(before).isNotEmpty();

    office.broken.put(part, bug);
    office.state = OfficeNetwork.twoWays(9_000);
    office.open(Office.conversation(1, "y", "files/copy"));
    office.worker.pass(Duration.ofSeconds(29));
    assertThat(office.planner.plan().grants()).isEqualTo(before);
    assertThat(office.planner.alarms()).isEmpty();
    assertThat(office.warnings.stream().filter(said -> said.contains(bug.said))).hasSize(1);

    office.worker.pass(Duration.ofSeconds(5));
    assertThat(office.planner.alarms())
        .extracting(Alarm::kind)
        .containsExactly(Alarm.Kind.PLANNER_STALLED);
    assertThat(office.planner.alarms().get(0).sentence()).contains(bug.said);

    // Nothing else happens.
    office.broken.clear();
    office.worker.pass(Duration.ofMinutes(1));
    office.settle();
    assertThat(office.planner.plan().grants()).containsKey(ConversationId.of("h1", "y"));
    assertThat(office.planner.alarms()).isEmpty();
    assertThat(office.proof("h1", "y").installed()).isPresent();
    assertThat(office.mostSent()).isLessThanOrEqualTo(2 * 9_000_000_000L);
  }
}
