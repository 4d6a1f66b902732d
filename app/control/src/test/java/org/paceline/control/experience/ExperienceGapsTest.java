package org.paceline.control.experience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.control.experience.Talking.kpis;
import static org.paceline.control.experience.Talking.proof;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Proof;
import org.paceline.control.model.TcpReading;
import org.paceline.intents.kpi.KpiReading;
import org.paceline.intents.kpi.LikelyCause;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

final class ExperienceGapsTest {
  private static final Duration LASTING = Duration.ofSeconds(30);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Experienced as 2.2, where 4.5 is predicted. */
  private static final double BAD = 17.4;

  /** As 3.97. */
  private static final double WORSE_BY_HALF = 2.34;

  /** As 4.11. */
  private static final double BETTER_BY_A_BIT = 2;

  /** As 4.72. */
  private static final double GOOD = 1;

  private final ManualWorker clock = new ManualWorker();
  private final ProofBook book = new ProofBook();
  private final ExperienceGaps gaps =
      new ExperienceGaps(new Experiences(book, () -> Duration.ofMinutes(2), clock), () -> LASTING);
  private final Proof uncounted = proof("h1", Talking.PAGE, "10.0.0.1", "10.0.0.2");
  private final Proof page = uncounted.toBuilder().measured(Talking.GRANTED).build();

  ExperienceGapsTest() {
    book.put(page);
    clock.pass(SECOND);
  }

  @Test
  void aUserWhoLastinglyExperiencesLessIsAnAlarmUntilAGoodReport() {
    Instant first = clock.instant().plus(SECOND);
    assertThat(reports(BAD, 30)).isEmpty();
    List<Alarm> alarms = reports(BAD, 1);
    assertThat(alarms).extracting(Alarm::kind).containsExactly(Alarm.Kind.EXPERIENCE);
    assertThat(alarms).extracting(Alarm::since).containsExactly(first);
    assertThat(alarms)
        .extracting(Alarm::sentence)
        .containsExactly(
            "Its user experiences 2.21 (page_load_s 17.4), 2.29 less than was predicted. Its rate"
                + " and delay are as granted. Maybe its intent's utility function promises too"
                + " much.");
    assertThat(reports(WORSE_BY_HALF, 5)).hasSize(1);
    assertThat(reports(BETTER_BY_A_BIT, 1)).as("0.39 below is in between").hasSize(1);
    assertThat(reports(GOOD, 1)).isEmpty();
    assertThat(reports(BETTER_BY_A_BIT, 60)).isEmpty();
  }

  @Test
  void oneBadReportIsNoneHoweverLongItIsTheLast() {
    reports(GOOD, 10);
    reports(BAD, 1);
    for (int second = 0; second < 119; second++) {
      assertThat(pass()).isEmpty();
    }
    assertThat(reports(GOOD, 1)).isEmpty();
    assertThat(reports(BAD, 30)).as("it begins anew").isEmpty();
  }

  @Test
  void withoutReportsItEnds() {
    assertThat(reports(BAD, 31)).hasSize(1);
    book.change(page.conversation().id(), p -> p.kpis(Map.of()));
    assertThat(pass()).isEmpty();
  }

  @Test
  void whatWasMeasuredUnderALesserGrantIsHeldToThat() {
    reports(GOOD, 1);
    grant(Utility.of(2.5));
    pass();
    grant(Utility.of(4.5));
    // A page that took long because it began before.
    assertThat(reports(BAD, 1)).isEmpty();
    assertThat(reports(BAD, 30)).isEmpty();
    assertThat(reports(BAD, 1)).hasSize(1);
  }

  @Test
  void whoIsNotServedOrOnlyAdvisedIsPromisedNothing() {
    book.change(page.conversation().id(), p -> p.state(ConversationState.RECOMMENDED));
    assertThat(reports(BAD, 60)).isEmpty();
    book.change(
        page.conversation().id(),
        p -> p.state(ConversationState.UNSERVED).computed(Optional.empty()));
    assertThat(reports(BAD, 60)).isEmpty();
  }

  @Test
  void bothDirectionsAreOneAlarmAtTheOneThatCarriesMore() {
    Proof down = proof("h2", Talking.PAGE, "10.0.0.2", "10.0.0.1").toBuilder().sentBytes(9).build();
    book.put(down);
    assertThat(reports(BAD, 31))
        .extracting(alarm -> alarm.conversation().orElseThrow())
        .containsExactly(down.conversation().id());
    // What is promised is what the lesser direction lets through.
    book.change(
        page.conversation().id(),
        p -> p.computed(Optional.of(withUtility(page.computed().orElseThrow(), Utility.of(2.3)))));
    assertThat(reports(BAD, 2)).isEmpty();
  }

  @Test
  void itStaysAtItsDirectionWhereTheOtherComesToCarryMore() {
    Proof back = proof("h2", Talking.PAGE, "10.0.0.2", "10.0.0.1").toBuilder().sentBytes(8).build();
    book.put(back);
    book.change(page.conversation().id(), p -> p.sentBytes(9));
    Instant first = clock.instant().plus(SECOND);
    assertThat(reports(BAD, 15)).isEmpty();
    book.change(back.conversation().id(), p -> p.sentBytes(10));
    assertThat(reports(BAD, 16)).extracting(Alarm::since).containsExactly(first);
    book.change(page.conversation().id(), p -> p.sentBytes(11));
    assertThat(reports(BAD, 1)).extracting(Alarm::since).containsExactly(first);
    // The next one is at the one that carries more then.
    book.change(back.conversation().id(), p -> p.sentBytes(12));
    assertThat(reports(GOOD, 1)).isEmpty();
    assertThat(reports(BAD, 31))
        .extracting(alarm -> alarm.conversation().orElseThrow())
        .containsExactly(back.conversation().id());
  }

  @Test
  void theLikelyCauseIsByWhatIsMeasuredAnyway() {
    assertThat(cause(p -> {})).isEqualTo(LikelyCause.TABLE_WRONG);
    assertThat(cause(p -> p.measured(DataRate.ofKilobitsPerSecond(400))))
        .isEqualTo(LikelyCause.DEMAND_BELOW_GRANT);
    // 40 ms of grants and 36 ms for three frames at its rate.
    assertThat(cause(p -> p.tcp(tcp(75, 0)))).isEqualTo(LikelyCause.TABLE_WRONG);
    assertThat(cause(p -> p.tcp(tcp(78, 0)))).isEqualTo(LikelyCause.DELAY_ABOVE_BUDGET);
    assertThat(cause(p -> p.tcp(tcp(30, 201)).measured(DataRate.ofKilobitsPerSecond(400))))
        .isEqualTo(LikelyCause.FAR_END_SLOW);
  }

  @Test
  void whereNobodyHasCountedItIsNotTheDemand() {
    book.put(uncounted);
    assertThat(reports(BAD, 31))
        .extracting(alarm -> alarm.likelyCause().orElseThrow())
        .containsExactly(LikelyCause.TABLE_WRONG);
  }

  @Test
  void aTerminalThatIsAnsweredLateOverAFastNetworkHasASlowFarEnd() {
    Proof terminal = proof("h1", Talking.TERMINAL, "10.0.0.1", "10.0.0.2");
    for (int second = 0; second <= 31; second++) {
      clock.pass(SECOND);
      book.put(
          terminal.toBuilder()
              .measured(DataRate.ofKilobitsPerSecond(3))
              .tcp(tcp(35, 0))
              .kpis(kpis(clock.instant(), "response_s", 0.8))
              .build());
      gaps.look(book.all());
    }
    assertThat(gaps.look(book.all()))
        .extracting(alarm -> alarm.likelyCause().orElseThrow())
        .containsExactly(LikelyCause.FAR_END_SLOW);
  }

  @Test
  void aBadCallHasItsOwnCauseThoughPhonesAddTheirTimeToTheNetworks() {
    // 20 ms of the network, and 65 ms of the phone.
    assertThat(causeOfCall(Talking.GRANTED, 0.1, 85)).isEqualTo(LikelyCause.TABLE_WRONG);
    assertThat(causeOfCall(DataRate.ofKilobitsPerSecond(400), 0.1, 85))
        .isEqualTo(LikelyCause.DEMAND_BELOW_GRANT);
    // A phone that waits 80 ms longer for late packets; hardly anybody hears these.
    assertThat(causeOfCall(Talking.GRANTED, 0.1, 165)).isEqualTo(LikelyCause.TABLE_WRONG);
    // Of a silent one the delay is no matter.
    assertThat(causeOfCall(Talking.GRANTED, 1, 400)).isEqualTo(LikelyCause.TABLE_WRONG);
  }

  @Test
  void aCallWhoseWordsComeTooLateHasADelayAboveItsBudget() {
    assertThat(causeOfCall(Talking.GRANTED, 0, 400)).isEqualTo(LikelyCause.DELAY_ABOVE_BUDGET);
    assertThat(causeOfCall(DataRate.ofKilobitsPerSecond(400), 0.02, 400))
        .as("who waits for packets sends less")
        .isEqualTo(LikelyCause.DELAY_ABOVE_BUDGET);
  }

  @Test
  void ofTwoGrantedDelaysTheGreaterIsACallsBudget() {
    Proof call = proof("h1", Talking.CALL, "10.0.0.1", "10.0.0.2");
    Grant far = withDelay(call.computed().orElseThrow(), Latency.ofMillis(330));
    book.put(
        proof("h2", Talking.CALL, "10.0.0.2", "10.0.0.1").toBuilder()
            .computed(Optional.of(far))
            .build());
    assertThat(causeOfCall(Talking.GRANTED, 0, 400)).isEqualTo(LikelyCause.TABLE_WRONG);
  }

  private static Grant withDelay(Grant grant, Latency delay) {
    return Grant.of(grant.applicationId(), 1, grant.rate(), delay, grant.utility(), grant.path());
  }

  /** One that is bad from its first report on. */
  private LikelyCause causeOfCall(DataRate measured, double lossFraction, double delayMillis) {
    Proof call =
        proof("h1", Talking.CALL, "10.0.0.1", "10.0.0.2").toBuilder()
            .measured(measured)
            .sentBytes(1)
            .build();
    book.remove(call.conversation().id());
    gaps.look(book.all());
    List<Alarm> alarms = List.of();
    for (int second = 0; second <= 31; second++) {
      clock.pass(SECOND);
      Map<String, KpiReading> heard =
          kpis(clock.instant(), "loss_fraction", lossFraction, "delay_ms", delayMillis);
      book.put(call.toBuilder().kpis(heard).build());
      alarms = gaps.look(book.all());
    }
    assertThat(alarms).hasSize(1);
    return alarms.get(0).likelyCause().orElseThrow();
  }

  private static Optional<TcpReading> tcp(long millis, int farEndThousandths) {
    return Optional.of(
        TcpReading.of(0, Optional.of(Latency.ofMillis(millis)), OptionalInt.of(farEndThousandths)));
  }

  private LikelyCause cause(Consumer<Proof.Builder> measured) {
    Proof.Builder now = page.toBuilder();
    measured.accept(now);
    reports(GOOD, 1);
    book.put(now.build());
    List<Alarm> alarms = reports(BAD, 31);
    assertThat(alarms).hasSize(1);
    return alarms.get(0).likelyCause().orElseThrow();
  }

  private void grant(Utility utility) {
    book.change(
        page.conversation().id(),
        p -> p.computed(Optional.of(withUtility(page.computed().orElseThrow(), utility))));
  }

  private static Grant withUtility(Grant grant, Utility utility) {
    return Grant.of(grant.applicationId(), 1, grant.rate(), grant.delay(), utility, grant.path());
  }

  /** One a second; what is wrong after the last. */
  private List<Alarm> reports(double pageLoadSeconds, int times) {
    List<Alarm> alarms = List.of();
    for (int i = 0; i < times; i++) {
      clock.pass(SECOND);
      book.change(
          page.conversation().id(),
          p -> p.kpis(kpis(clock.instant(), "page_load_s", pageLoadSeconds)));
      alarms = gaps.look(book.all());
    }
    return alarms;
  }

  private List<Alarm> pass() {
    clock.pass(SECOND);
    return gaps.look(book.all());
  }
}
