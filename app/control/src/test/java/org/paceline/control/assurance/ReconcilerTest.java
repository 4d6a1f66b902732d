package org.paceline.control.assurance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.paceline.control.ManualWorker;
import org.paceline.control.SolverBug;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.model.Proof;
import org.paceline.control.port.InstalledState;
import org.paceline.control.port.Journal;
import org.paceline.control.settings.PlanMode;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class ReconcilerTest {
  private static final ConversationId ID = ConversationId.of("h1", "a");

  private final ManualWorker worker = new ManualWorker();
  private final ProofBook book = new ProofBook();
  private final Notes notes = new Notes();
  private final Switch meters = new Switch();
  private final Reconciler reconciler =
      new Reconciler(
          book,
          List.of(new PacingClasses(book, () -> PlanMode.ENFORCE), meters),
          worker,
          worker,
          notes);

  @BeforeEach
  void aConversationIsPlannedAndInstalled() {
    IntentTree tree =
        IntentTree.withDefault(
            UtilityFunction.of(
                "web",
                List.of(DataRate.ofKilobitsPerSecond(100)),
                List.of(Latency.ofMillis(10)),
                List.of(List.of(Utility.MAX))));
    Conversation conversation =
        Conversation.builder().id(ID).localAddress("10.0.0.1").remoteAddress("10.0.0.2").build();
    book.put(Proof.of(conversation, tree.resolve(""), Instant.EPOCH));
    DataRate rate = DataRate.ofKilobitsPerSecond(4_000);
    book.change(
        ID,
        p ->
            p.computed(
                    Optional.of(
                        Grant.of(
                            "h1/a",
                            1,
                            rate,
                            Latency.ofMillis(10),
                            Utility.MAX,
                            Path.of(List.of("h1", "s1", "h2")))))
                .installed(rate)
                .installedAt(Instant.EPOCH));
    meters.held.put("7", "4000 kbit/s");
    reconciler.start();
  }

  @Test
  void whereAllIsWellNothingIsTouched() {
    worker.pass(Duration.ofSeconds(20));
    assertThat(meters.repairs).isZero();
    assertThat(notes.said).isEmpty();
    assertThat(reconciler.alarms()).isEmpty();
    assertThat(book.find(ID).orElseThrow().elements())
        .extracting(InstalledElement::standing)
        .containsExactly(InstalledElement.Standing.AS_WANTED, InstalledElement.Standing.AS_WANTED);
  }

  @Test
  void aWrongMeterIsRepairedWithinFiveSecondsAndSaid() {
    worker.pass(Duration.ofSeconds(3));
    meters.held.put("7", "9000 kbit/s");
    worker.pass(Duration.ofSeconds(5));
    assertThat(meters.held).containsEntry("7", "4000 kbit/s");
    assertThat(meters.repairs).isEqualTo(1);
    assertThat(notes.said)
        .anyMatch(s -> s.contains("meter 7 at s1 is (9000 kbit/s) and should be (4000 kbit/s)"))
        .anyMatch(s -> s.contains("as wanted again"));
    assertThat(reconciler.alarms()).isEmpty();
  }

  @Test
  void whatWasOnlySeenOnceIsNotTouched() {
    worker.pass(Duration.ofSeconds(3));
    meters.held.remove("7");
    worker.pass(Duration.ofSeconds(1));
    meters.held.put("7", "4000 kbit/s");
    worker.pass(Duration.ofSeconds(5));
    assertThat(meters.repairs).isZero();
    assertThat(notes.said).isEmpty();
  }

  @Test
  void whatCannotBeRepairedIsAnAlarmOnceAndIsOverWhenItIsWellAgain() {
    meters.stubborn = true;
    meters.held.clear();
    worker.pass(Duration.ofSeconds(30));
    assertThat(reconciler.alarms()).hasSize(1);
    assertThat(reconciler.alarms().get(0).sentence()).contains("missing").contains("Maybe");
    assertThat(notes.said.stream().filter(s -> s.startsWith("ALARM"))).hasSize(1);
    meters.stubborn = false;
    worker.pass(Duration.ofSeconds(3));
    assertThat(reconciler.alarms()).isEmpty();
  }

  @Test
  void aSwitchThatDoesNotAnswerHoldsUpNobodyElse() {
    meters.silent = true;
    book.change(ID, p -> p.installed(DataRate.ofKilobitsPerSecond(70)));
    worker.pass(Duration.ofSeconds(30));
    assertThat(reconciler.alarms())
        .extracting(Alarm::sentence)
        .anyMatch(s -> s.contains("pacing class a at h1 is (70 kbit/s)"));
  }

  @Test
  void troubleEndsWithItsConversation() {
    meters.stubborn = true;
    meters.held.clear();
    worker.pass(Duration.ofSeconds(30));
    book.remove(ID);
    meters.gone = true;
    worker.pass(Duration.ofSeconds(3));
    assertThat(reconciler.alarms()).isEmpty();
  }

  @Test
  void whoSendsMoreThanIsInstalledIsAnAlarmAfterThreeReports() {
    for (int second = 1; second <= 3; second++) {
      Instant at = Instant.ofEpochSecond(second);
      book.change(ID, p -> p.measured(DataRate.ofKilobitsPerSecond(9_000)).countedAt(at));
      assertThat(reconciler.alarms()).isEmpty();
      worker.pass(Duration.ofMillis(1_000));
    }
    worker.pass(Duration.ofMillis(1_000));
    assertThat(reconciler.alarms())
        .extracting(Alarm::sentence)
        .containsExactly(
            "It sends 9000 kbit/s, though 4000 kbit/s are installed. Maybe its packets leave by an"
                + " interface that is not managed.");
  }

  @Test
  void whatOthersSeeIsAnAlarmAsLongAsTheySeeIt() {
    List<Alarm> seen = new ArrayList<>();
    reconciler.watch(proofs -> List.copyOf(seen));
    seen.add(Alarm.of(Alarm.Kind.SHORTFALL, ID, "It has too little.", Instant.EPOCH));
    worker.pass(Duration.ofSeconds(2));
    assertThat(reconciler.alarms()).isEqualTo(seen);
    assertThat(notes.said).contains("ALARM, conversation " + ID + ": It has too little.");
    seen.clear();
    worker.pass(Duration.ofSeconds(2));
    assertThat(reconciler.alarms()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void whateverFailsTheOthersAreReadBackAndThisOneWhenItIsWellAgain(SolverBug bug) {
    reconciler.watch(
        proofs -> {
          meters.bug.ifPresent(SolverBug::thrown);
          return List.of();
        });
    meters.bug = Optional.of(bug);
    book.change(ID, p -> p.installed(DataRate.ofKilobitsPerSecond(70)));
    worker.pass(Duration.ofSeconds(30));
    assertThat(reconciler.alarms())
        .extracting(Alarm::sentence)
        .anyMatch(s -> s.contains("pacing class a at h1 is (70 kbit/s)"));
    assertThat(notes.faults).isEqualTo(1);

    meters.bug = Optional.empty();
    meters.bugOfRepair = Optional.of(bug);
    meters.held.put("7", "9000 kbit/s");
    worker.pass(Duration.ofSeconds(5));
    assertThat(meters.held).containsEntry("7", "9000 kbit/s");
    meters.bugOfRepair = Optional.empty();
    worker.pass(Duration.ofSeconds(5));
    assertThat(meters.held).containsEntry("7", "4000 kbit/s");
  }

  @Test
  void aWorkerThatIsHeldUpIsAnAlarmThoughItCannotSayIt() {
    worker.pass(Duration.ofSeconds(3));
    assertThat(reconciler.alarms()).isEmpty();
    // Time goes on, and nothing is done.
    worker.stand(Duration.ofSeconds(31));
    assertThat(reconciler.alarms())
        .extracting(Alarm::kind)
        .containsExactly(Alarm.Kind.PLANNER_STALLED);
    worker.pass(Duration.ofSeconds(2));
    assertThat(reconciler.alarms()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void whatOneWhoHearsOfAlarmsThrowsTheOthersHearAllTheSameAndReadingGoesOn(SolverBug bug) {
    worker.goingOn();
    List<Integer> heard = new ArrayList<>();
    reconciler.onAlarms(alarms -> bug.thrown());
    reconciler.onAlarms(alarms -> heard.add(alarms.size()));
    meters.stubborn = true;
    meters.held.clear();
    worker.pass(Duration.ofSeconds(20));
    assertThat(heard).isNotEmpty().containsOnly(1);
    assertThat(worker.faults).isNotEmpty();
    meters.stubborn = false;
    worker.pass(Duration.ofSeconds(20));
    assertThat(heard).endsWith(0);
  }

  @Test
  void aClockThatIsSteppedIsNoWorkerThatIsHeldUpAndHidesNoneThatIs() {
    worker.pass(Duration.ofSeconds(3));
    worker.step(Duration.ofHours(2));
    assertThat(reconciler.alarms()).isEmpty();
    worker.step(Duration.ofHours(-4));
    worker.stand(Duration.ofSeconds(31));
    assertThat(reconciler.alarms())
        .extracting(Alarm::kind)
        .containsExactly(Alarm.Kind.PLANNER_STALLED);
  }

  /** A switch with one meter that should be at 4000 kbit/s. */
  private static final class Switch implements InstalledState {
    final Map<String, String> held = new HashMap<>();
    Optional<SolverBug> bug = Optional.empty();
    Optional<SolverBug> bugOfRepair = Optional.empty();
    boolean stubborn;
    boolean silent;
    boolean gone;
    int repairs;

    @Override
    public CompletableFuture<Map<ConversationId, List<InstalledElement>>> read() {
      bug.ifPresent(SolverBug::thrown);
      if (silent) {
        return new CompletableFuture<>();
      }
      InstalledElement meter =
          InstalledElement.of(
              InstalledElement.Kind.METER,
              "s1",
              "7",
              InstalledElement.Standing.of("4000 kbit/s", Optional.ofNullable(held.get("7"))),
              "4000 kbit/s",
              held.getOrDefault("7", ""));
      return CompletableFuture.completedFuture(gone ? Map.of() : Map.of(ID, List.of(meter)));
    }

    @Override
    public void repair(ConversationId id, InstalledElement element) {
      bugOfRepair.ifPresent(SolverBug::thrown);
      repairs++;
      if (!stubborn) {
        held.put(element.name(), element.wanted());
      }
    }
  }

  private final class Notes implements Journal {
    final List<String> said = new ArrayList<>();
    int faults;

    @Override
    public void fault(String sentence, Throwable bug) {
      if (meters.bug.isEmpty() && meters.bugOfRepair.isEmpty()) {
        throw new AssertionError(sentence, bug);
      }
      faults++;
    }

    @Override
    public void note(String sentence) {
      said.add(sentence);
    }

    @Override
    public void warn(String sentence) {
      said.add(sentence);
    }

    @Override
    public void planned(long version, String summary, String difference) {}
  }
}
