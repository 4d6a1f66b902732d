package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.paceline.control.NoCeilings;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.User;
import org.paceline.control.model.Conversation;
import org.paceline.control.policy.Ceiling;
import org.paceline.control.reservations.AdmissionDecision;
import org.paceline.control.reservations.BrokenPromises;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

class ReservedTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static final Author ANNA = Author.of("anna", Optional.empty());
  private static final User BORIS = User.of("boris", Set.of("viewer", "operator:files"));

  private final Office office = new Office();
  private final Conversation copy = Office.conversation(1, "copy", "files/copy");

  @BeforeEach
  void fillTheLink() {
    for (int host = 1; host <= 3; host++) {
      office.attach(host);
    }
    office.open(copy);
    for (int i = 0; i < 20; i++) {
      office.open(Office.conversation(1 + i % 3, "web" + i, ""));
    }
    office.settle();
  }

  private ReservationRequest requested(long kbps, Duration in) {
    return requested("files", kbps, in);
  }

  private ReservationRequest requested(String intent, long kbps, Duration in) {
    Instant start = office.worker.instant().plus(in);
    return ReservationRequest.of(
        intent,
        "10.0.1.1",
        "10.0.2.1",
        DataRate.ofKilobitsPerSecond(kbps),
        start,
        HOUR,
        start.plus(HOUR));
  }

  private void pass(Duration time) {
    office.worker.pass(time);
    office.settle();
  }

  private DataRate granted() {
    return Optional.ofNullable(office.planner.plan().grants().get(copy.id())).orElseThrow().rate();
  }

  @Test
  void aReservedRateIsThereFromItsStartToItsEndAndNotLonger() {
    DataRate before = granted();
    assertThat(before).isLessThan(DataRate.ofKilobitsPerSecond(3_000));
    Reservation held =
        office.reservations.hold(NoCeilings.ADAM, requested(3_000, HOUR)).held().orElseThrow();
    assertThat(office.reservations.commit(held.id())).isPresent();

    pass(Duration.ofMinutes(59));
    assertThat(granted()).isEqualTo(before);
    pass(Duration.ofMinutes(1));
    assertThat(granted()).isGreaterThanOrEqualTo(DataRate.ofKilobitsPerSecond(3_000));
    pass(HOUR);
    assertThat(granted()).isEqualTo(before);
    assertThat(office.reservations.all()).isEmpty();
  }

  /** A promise is for a time of day, whatever that was taken for before. */
  @Test
  void aReservedRateIsThereInItsTimeThoughTheClockIsStepped() {
    DataRate before = granted();
    Reservation held =
        office.reservations.hold(NoCeilings.ADAM, requested(3_000, HOUR)).held().orElseThrow();
    assertThat(office.reservations.commit(held.id())).isPresent();

    office.worker.step(Duration.ofMinutes(-30));
    pass(Duration.ofMinutes(80));
    assertThat(granted()).isEqualTo(before);
    pass(Duration.ofMinutes(11));
    assertThat(granted()).isGreaterThanOrEqualTo(DataRate.ofKilobitsPerSecond(3_000));
    office.worker.step(Duration.ofMinutes(50));
    pass(Duration.ofMinutes(11));
    assertThat(granted()).isEqualTo(before);
  }

  @Test
  void underServiceClassesWhatIsReservedComesBeforeAllShares() {
    Policy root =
        office.policies.tree().policies().getOrDefault(IntentPath.ROOT, Policy.INHERIT_ALL);
    office.setPolicy(IntentPath.ROOT, root.toBuilder().scheme(SchemeName.SERVICE_CLASSES).build());
    office.settle();
    assertThat(granted().toKbpsFloor()).isEqualTo(9_500 / 21);
    Reservation held =
        office
            .reservations
            .hold(NoCeilings.ADAM, requested(3_000, Duration.ZERO))
            .held()
            .orElseThrow();
    office.reservations.commit(held.id());
    pass(Duration.ofSeconds(1));
    assertThat(granted()).isEqualTo(DataRate.ofKilobitsPerSecond(3_000));
    assertThat(office.grant("h1", "web0") / 1_000_000).isEqualTo(6_500 / 20);
  }

  /** The share of fixed rates is half of 9.5 Mbit/s; the others may count on the other half. */
  @Test
  void aReservationHasTheShareOfItsSchemeAndNoMore() {
    assertThat(isAdmitted("files", 9_000)).as("nobody has a fixed rate").isTrue();
    office.setPolicy(
        IntentPath.parse("backup"),
        Policy.builder()
            .scheme(SchemeName.FIXED_RATE)
            .maximumRate(DataRate.ofKilobitsPerSecond(3_000))
            .utilityFunction(office.policies.resolve("files/copy").utilityFunction().value())
            .build());
    assertThat(isAdmitted("files", 9_000)).isFalse();
    assertThat(isAdmitted("files", 4_700)).isTrue();
    assertThat(isAdmitted("backup", 3_000)).isTrue();

    Reservation backup = hold("backup", 3_000).held().orElseThrow();
    assertThat(isAdmitted("files", 4_700)).as("beside the share of the others").isTrue();
    AdmissionDecision second = hold("backup", 3_000);
    assertThat(second.refusal().orElseThrow())
        .contains("500 thousandths can be reserved under the scheme fixed-rate");
    assertThat(second.counterOffer().orElseThrow().rate())
        .isEqualTo(DataRate.ofKilobitsPerSecond(1_750));
    office.share(800);
    assertThat(isAdmitted("files", 4_700)).isFalse();
    assertThat(isAdmitted("backup", 3_000)).isTrue();
    assertThat(office.reservations.commit(backup.id())).isPresent();
  }

  private boolean isAdmitted(String intent, long kbps) {
    AdmissionDecision decision = hold(intent, kbps);
    decision.held().ifPresent(held -> office.reservations.cancel(held.id()));
    return decision.isYes();
  }

  private AdmissionDecision hold(String intent, long kbps) {
    return office.reservations.hold(NoCeilings.ADAM, requested(intent, kbps, HOUR).sharedBy(5));
  }

  @Test
  void whatALinkOfLessCapacityCannotKeepIsAnAlarmUntilItCan() {
    BrokenPromises promises =
        new BrokenPromises(
            office.reservations,
            () -> office.state,
            PlannerSettings.DEFAULT::plannable,
            office.worker);
    Reservation held =
        office
            .reservations
            .hold(NoCeilings.ADAM, requested(3_000, Duration.ZERO))
            .held()
            .orElseThrow();
    office.reservations.commit(held.id());
    pass(Duration.ofSeconds(1));
    assertThat(promises.look(office.proofs.all())).isEmpty();

    narrow(1_000);
    assertThat(promises.look(office.proofs.all())).as("it may be for a moment").isEmpty();
    pass(Duration.ofSeconds(5));
    assertThat(promises.look(office.proofs.all()))
        .singleElement()
        .satisfies(
            alarm -> {
              assertThat(alarm.conversation()).hasValue(copy.id());
              assertThat(alarm.sentence())
                  .startsWith("The reservation (" + held.id() + ") promises it 3000 kbit/s, and ")
                  .containsPattern(
                      " [0-9]{1,3} kbit/s are granted: the link \\(s1 -> s2\\) has room for"
                          + " [0-9]{1,3} kbit/s. Maybe give it more capacity again");
              assertThat(promises.shortfall(held))
                  .contains("Conversation (" + copy.id() + "): " + alarm.sentence());
            });

    narrow(10_000);
    assertThat(promises.look(office.proofs.all())).isEmpty();
    assertThat(promises.shortfall(held)).isEmpty();
    assertThat(granted()).isGreaterThanOrEqualTo(DataRate.ofKilobitsPerSecond(3_000));
    narrow(1_000);
    promises.look(office.proofs.all());
    office.reservations.cancel(held.id());
    pass(Duration.ofSeconds(6));
    assertThat(promises.look(office.proofs.all())).as("it was given back").isEmpty();
  }

  private void narrow(long kbps) {
    office.state = OfficeNetwork.oneWay(kbps);
    office.planner.networkChanged();
    pass(Duration.ofSeconds(1));
  }

  @Test
  void aBoostThatIsGivenBackIsOverAtOnce() {
    DataRate before = granted();
    Reservation boost =
        office
            .reservations
            .hold(NoCeilings.ADAM, requested(3_000, Duration.ZERO))
            .held()
            .orElseThrow();
    office.reservations.commit(boost.id());
    pass(Duration.ofSeconds(1));
    assertThat(granted()).isGreaterThanOrEqualTo(DataRate.ofKilobitsPerSecond(3_000));

    assertThat(office.reservations.cancel(boost.id())).isTrue();
    pass(Duration.ofSeconds(1));

    assertThat(granted()).isEqualTo(before);
    assertThat(office.reservations.cancel(boost.id())).isFalse();
  }

  @Test
  void whatIsHeldAndNotCommittedIsFreeAgainAfterAWhile() {
    ReservationRequest most = requested(9_000, HOUR).sharedBy(2);
    Reservation held = office.reservations.hold(NoCeilings.ADAM, most).held().orElseThrow();
    assertThat(office.reservations.hold(NoCeilings.ADAM, most).isYes()).isFalse();

    office.worker.pass(Reservations.HOLD);

    assertThat(office.reservations.commit(held.id())).isEmpty();
    assertThat(office.reservations.hold(NoCeilings.ADAM, most).isYes()).isTrue();
  }

  @Test
  void moreThanTheLinkCarriesIsRefusedWithWhatItCarries() {
    AdmissionDecision answer =
        office.reservations.hold(NoCeilings.ADAM, requested(20_000, HOUR).sharedBy(4));

    assertThat(answer.refusal()).isPresent();
    assertThat(answer.counterOffer())
        .hasValueSatisfying(
            offer -> {
              assertThat(offer.rate()).isEqualTo(DataRate.ofKilobitsPerSecond(9_500));
              assertThat(office.reservations.hold(NoCeilings.ADAM, offer).isYes()).isTrue();
            });
  }

  @Test
  void moreThanAConversationCanUseIsRefusedWithWhatItCan() {
    // The table of files/copy ends at 5 Mbit/s, and the link has room for more.
    for (Duration in : List.of(Duration.ZERO, HOUR)) {
      AdmissionDecision answer = office.reservations.hold(NoCeilings.ADAM, requested(6_000, in));
      assertThat(answer.refusal().orElseThrow())
          .contains("(files) can use 5000 kbit/s at most each", "This is 6000 kbit/s for one")
          .contains("Maybe ask for less, or say how many conversations will share it.");
      assertThat(answer.counterOffer().orElseThrow().rate())
          .isEqualTo(DataRate.ofKilobitsPerSecond(5_000));
      assertThat(office.reservations.ask(NoCeilings.ADAM, requested(6_000, in)).refusal())
          .isEqualTo(answer.refusal());
    }
    assertThat(office.reservations.all()).isEmpty();
    assertThat(office.reservations.ask(NoCeilings.ADAM, requested(6_000, HOUR).sharedBy(2)).isYes())
        .isTrue();
    assertThat(office.reservations.ask(NoCeilings.ADAM, requested(5_000, HOUR)).isYes()).isTrue();
  }

  @Test
  void asManyAsTalkAlreadyShareWhatBeginsNow() {
    office.open(Office.conversation(1, "copy2", "files/copy"));
    office.settle();
    assertThat(office.reservations.ask(NoCeilings.ADAM, requested(6_000, Duration.ZERO)).isYes())
        .isTrue();
    assertThat(office.reservations.ask(NoCeilings.ADAM, requested(6_000, HOUR)).isYes())
        .as("who knows")
        .isFalse();
  }

  @Test
  void aSecondForTheSameIsOfUseAsFarAsTheFirstLeavesIt() {
    office.reservations.hold(NoCeilings.ADAM, requested(3_000, HOUR));
    AdmissionDecision answer = office.reservations.hold(NoCeilings.ADAM, requested(3_000, HOUR));
    assertThat(answer.refusal().orElseThrow()).contains("with what is reserved for the same");
    assertThat(answer.counterOffer().orElseThrow().rate())
        .isEqualTo(DataRate.ofKilobitsPerSecond(2_000));
    assertThat(
            office
                .reservations
                .hold(NoCeilings.ADAM, requested(3_000, HOUR.multipliedBy(2)))
                .isYes())
        .isTrue();
  }

  @Test
  void whatAnotherPolicyLeavesWithoutUseIsSaidOfTheReservation() {
    Reservation first =
        office.reservations.hold(NoCeilings.ADAM, requested(2_000, HOUR)).held().orElseThrow();
    Reservation second =
        office.reservations.hold(NoCeilings.ADAM, requested(3_000, HOUR)).held().orElseThrow();
    assertThat(office.reservations.usable(first)).isEmpty();
    assertThat(office.reservations.usable(second)).isEmpty();
    Policy slower =
        Policy.builder()
            .utilityFunction(office.policies.resolve("files/copy").utilityFunction().value())
            .maximumRate(DataRate.ofKilobitsPerSecond(2_500))
            .build();
    office.setPolicy(IntentPath.parse("files/copy"), slower);
    assertThat(office.reservations.usable(first)).isEmpty();
    assertThat(office.reservations.usable(second)).hasValue(DataRate.ofKilobitsPerSecond(400));
  }

  @Test
  void whatClientsCanUseMayBeReservedToo() {
    UtilityFunction function = office.policies.resolve("files/copy").utilityFunction().value();
    Policy.Builder downloads =
        Policy.builder()
            .utilityFunction(
                function.within(DataRate.ZERO, DataRate.ofKilobitsPerSecond(1_000)).named("d"));
    office.setPolicy(IntentPath.parse("files/copy"), downloads.build());
    assertThat(office.reservations.hold(NoCeilings.ADAM, requested(3_000, HOUR)).isYes()).isFalse();
    office.setPolicy(IntentPath.parse("files/copy"), downloads.uploadFunction(function).build());
    assertThat(office.reservations.hold(NoCeilings.ADAM, requested(3_000, HOUR)).isYes()).isTrue();
  }

  @Test
  void aBranchGetsNoMoreThanItsPartOfEachLinkHoweverItIsSplit() {
    // Of a link of 10 Mbit/s a delegated branch has half, unless an admin says otherwise.
    AdmissionDecision answer = office.reservations.ask(BORIS, requested(6_000, HOUR).sharedBy(4));
    assertThat(answer.refusal().orElseThrow())
        .contains("The ceiling of (files) is 50 % of each link", "this of 6000 kbit/s");
    assertThat(offered(answer)).isEqualTo(5_000);
    assertThat(
            office.reservations.hold(NoCeilings.ADAM, requested(3_000, HOUR).sharedBy(4)).isYes())
        .isTrue();
    answer = office.reservations.hold(BORIS, requested(3_000, HOUR).sharedBy(4));
    assertThat(answer.refusal().orElseThrow()).contains("beside 3000 kbit/s");
    assertThat(offered(answer)).isEqualTo(2_000);
    assertThat(office.reservations.hold(BORIS, answer.counterOffer().orElseThrow()).isYes())
        .isTrue();
    assertThat(office.reservations.ask(BORIS, requested(1, HOUR).sharedBy(4)).isYes()).isFalse();
    assertThat(office.reservations.ask(NoCeilings.ADAM, requested(4_000, HOUR).sharedBy(4)).isYes())
        .isTrue();
  }

  @Test
  void aRateAndADurationAreCeilingsOfAllTogetherAndTheRefusalSaysWhich() {
    IntentPath files = IntentPath.parse("files");
    office.ceilings.set(
        ANNA,
        "",
        Ceiling.of(files)
            .rate(Optional.of(DataRate.ofKilobitsPerSecond(1_000)))
            .duration(Optional.of(HOUR.plusMinutes(30)))
            .build());
    office.reservations.hold(BORIS, requested(700, HOUR));
    AdmissionDecision answer = office.reservations.ask(BORIS, requested(700, HOUR));
    assertThat(answer.refusal().orElseThrow())
        .contains("The ceiling of (files) is 1000 kbit/s", "700 kbit/s are reserved then");
    assertThat(offered(answer)).isEqualTo(300);
    answer = office.reservations.ask(BORIS, requested(700, HOUR.multipliedBy(5)));
    assertThat(answer.refusal().orElseThrow())
        .contains("The ceiling of (files) is 5400 s", "it would be 7200 s");
    assertThat(answer.counterOffer().orElseThrow().duration()).isEqualTo(Duration.ofMinutes(30));
    // The ceiling of a branch binds what is below it.
    User ofCopies = User.of("clara", Set.of("viewer", "operator:files/copy"));
    assertThat(office.reservations.ask(ofCopies, requested(700, HOUR)).isYes()).isFalse();
  }

  @Test
  void whatIsReservedAboveACeilingThatIsSetLaterStaysAndSaysSo() {
    Reservation held = office.reservations.hold(BORIS, requested(3_000, HOUR)).held().orElseThrow();
    assertThat(office.reservations.aboveCeiling(held)).isEmpty();
    for (Ceiling ceiling :
        List.of(
            Ceiling.of(IntentPath.ROOT)
                .rate(Optional.of(DataRate.ofKilobitsPerSecond(2_000)))
                .build(),
            Ceiling.of(IntentPath.parse("files"))
                .duration(Optional.of(HOUR.dividedBy(2)))
                .build())) {
      office.ceilings.set(ANNA, "", ceiling);
      assertThat(office.reservations.aboveCeiling(held).orElseThrow())
          .contains("The ceiling of (" + ceiling.branch() + ") is");
      office.ceilings.remove(ANNA, "", ceiling.branch());
    }
    assertThat(office.reservations.aboveCeiling(held)).isEmpty();
    assertThat(office.reservations.find(held.id())).isPresent();
  }

  private static long offered(AdmissionDecision answer) {
    return answer.counterOffer().orElseThrow().rate().toKbpsFloor();
  }

  @Test
  void anUnknownIntentAndAPastStartAreNamed() {
    ReservationRequest requested = requested(1_000, HOUR);
    ReservationRequest unknown =
        ReservationRequest.of(
            "fils",
            requested.from().toString(),
            requested.to().toString(),
            requested.rate(),
            requested.start(),
            requested.duration(),
            requested.deadline());
    assertThat(office.reservations.hold(NoCeilings.ADAM, unknown).refusal())
        .hasValueSatisfying(why -> assertThat(why).contains("fils", "files"));
    assertThat(
            office
                .reservations
                .hold(NoCeilings.ADAM, requested(1_000, Duration.ofSeconds(-31)))
                .refusal())
        .hasValueSatisfying(why -> assertThat(why).contains("past"));
  }
}
