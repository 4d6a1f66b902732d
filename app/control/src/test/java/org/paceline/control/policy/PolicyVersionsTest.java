package org.paceline.control.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.RememberedRecords;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Change;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.Denied;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Request;
import org.paceline.control.audit.Retention;
import org.paceline.control.audit.Subject;
import org.paceline.control.audit.User;
import org.paceline.control.model.Alarm;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class PolicyVersionsTest {
  private static final Author ANNA = Author.of("anna", Optional.of("CHG0030001"));
  private static final Optional<Duration> AT_ONCE = Optional.empty();
  private static final Subject VERSION_2 = Subject.of(Subject.Kind.POLICY, "2");
  private static final User OPERATOR = user("operator");

  private final IntentTree first =
      IntentTree.withDefault(
          UtilityFunction.of(
              "web",
              List.of(DataRate.ofKilobitsPerSecond(100)),
              List.of(Latency.ofMillis(10)),
              List.of(List.of(Utility.MAX))));
  private final IntentTree second = withPriority(2);
  private final IntentTree third = withPriority(3);

  private ManualWorker worker = new ManualWorker();
  private final RememberedRecords<PolicyVersion> versionRecords = new RememberedRecords<>();
  private final RememberedRecords<PolicyDraft> draftRecords = new RememberedRecords<>();
  private final RememberedRecords<Change> changeRecords = new RememberedRecords<>();
  private final RememberedRecords<PendingChange> begun = new RememberedRecords<>();
  private final ChangeLog changes =
      new ChangeLog(RememberedRecords.numbered(changeRecords), begun, "n1", worker);
  private final Ceilings ceilings = new Ceilings(new RememberedRecords<>(), changes, path -> true);
  private IntentPolicies policies = new IntentPolicies(first);
  private PolicyVersions versions = versions();
  private final PolicyDrafts drafts =
      new PolicyDrafts(draftRecords, versions, changes, worker, IntentTree::toString);

  @Test
  void aCommitIsAVersionInForceAndAChangeWithItsAuthorBeforeAndAfter() {
    PolicyVersion version =
        versions.commit(ANNA, "More calls.", "the body", tree -> second, AT_ONCE);
    assertThat(version.number()).isEqualTo(2);
    assertThat(policies.tree()).isEqualTo(second);
    assertThat(versions.newest(9, Long.MAX_VALUE))
        .extracting(PolicyVersion::tree)
        .containsExactly(second, first);
    Change change = changes.find(1).orElseThrow();
    assertThat(change.author()).isEqualTo(ANNA);
    assertThat(change.operation()).isEqualTo("More calls.");
    assertThat(change.body()).isEqualTo("the body");
    assertThat(change.before()).isEqualTo(first.toString());
    assertThat(change.after()).isEqualTo(second.toString());
  }

  @Test
  void theTreeInForceMakesNoVersion() {
    assertThat(versions.commit(ANNA, "Again.", "", tree -> first, AT_ONCE).number()).isEqualTo(1);
    assertThat(changes.find(1)).isEmpty();
  }

  @Test
  void aChangeThatTakesItsTimeHoldsNobodyUpAndIsMadeOfWhatOthersMadeMeanwhile() {
    IntentPath mail = IntentPath.parse("mail");
    List<IntentTree> seen = new ArrayList<>();
    versions.commit(
        ANNA,
        "Slow.",
        "",
        now -> {
          seen.add(now);
          if (seen.size() == 1) {
            CompletableFuture.runAsync(
                    () -> {
                      versions.commit(ANNA, "Quick.", "", tree -> second, AT_ONCE);
                      versions.inForce();
                    })
                .orTimeout(2, TimeUnit.MINUTES)
                .join();
          }
          return now.with(mail, Policy.INHERIT_ALL);
        },
        AT_ONCE);
    assertThat(seen).containsExactly(first, second);
    assertThat(policies.tree()).isEqualTo(second.with(mail, Policy.INHERIT_ALL));
    assertThat(versions.inForce().number()).isEqualTo(3);
  }

  @Test
  void whatNobodyConfirmsGoesBackByItself() {
    versions.commit(ANNA, "A trial.", "", tree -> second, Optional.of(Duration.ofMinutes(10)));
    worker.pass(Duration.ofSeconds(599));
    assertThat(policies.tree()).isEqualTo(second);
    worker.pass(Duration.ofSeconds(2));
    assertThat(policies.tree()).isEqualTo(first);
    assertThat(versions.inForce().author()).isEqualTo(Author.PACELINE);
    assertThat(changes.find(2).orElseThrow().body()).contains("Nobody confirmed");
  }

  @Test
  void whatIsConfirmedStays() {
    versions.commit(ANNA, "A trial.", "", tree -> second, Optional.of(Duration.ofMinutes(10)));
    versions.confirm(OPERATOR, ANNA, "");
    worker.pass(Duration.ofHours(1));
    assertThat(policies.tree()).isEqualTo(second);
    assertThatThrownBy(() -> versions.confirm(OPERATOR, ANNA, "")).isInstanceOf(Refused.class);
  }

  @Test
  void aTrialIsConfirmedAndRolledBackByWhoMayChangeWhatItChanged() {
    User mine = user("viewer", "operator:web");
    User others = user("viewer", "operator:voip");
    IntentTree ofWeb = first.with(IntentPath.parse("web"), Policy.builder().priority(7).build());
    IntentTree before = ofWeb.with(IntentPath.parse("voip"), Policy.INHERIT_ALL);
    IntentTree trial = before.with(IntentPath.parse("web"), Policy.builder().priority(8).build());
    versions.commit(ANNA, "The tree.", "", tree -> before, AT_ONCE);
    versions.commit(ANNA, "A trial.", "", tree -> trial, Optional.of(Duration.ofMinutes(10)));
    for (User denied : List.of(others, user("viewer"), user())) {
      assertThatThrownBy(() -> versions.confirm(denied, ANNA, "")).isInstanceOf(Denied.class);
      assertThatThrownBy(() -> versions.rollBack(denied, ANNA, "", Optional.empty()))
          .isInstanceOf(Denied.class);
    }
    // Further back more would change than what is theirs.
    assertThatThrownBy(() -> versions.rollBack(mine, ANNA, "", Optional.of(1L)))
        .isInstanceOf(Denied.class);
    assertThat(versions.inForce().number()).isEqualTo(3);
    assertThat(versions.confirm(mine, ANNA, "").tree()).isEqualTo(trial);
    versions.rollBack(mine, ANNA, "", Optional.of(2L));
    assertThat(policies.tree()).isEqualTo(before);
  }

  @Test
  void aTrialOfOthersIsNotMadeToStayByGoingBackToAVersionThatIsLikeIt() {
    IntentTree mine = second.with(IntentPath.parse("web"), Policy.INHERIT_ALL);
    versions.commit(ANNA, "One.", "", tree -> mine, AT_ONCE);
    versions.commit(ANNA, "Two.", "", tree -> third, AT_ONCE);
    versions.commit(ANNA, "A trial.", "", tree -> mine, Optional.of(Duration.ofMinutes(10)));
    User others = user("viewer", "operator:web");
    assertThatThrownBy(() -> versions.rollBack(others, ANNA, "", Optional.of(2L)))
        .isInstanceOf(Denied.class);
    assertThatThrownBy(() -> versions.rollBack(OPERATOR, ANNA, "", Optional.of(2L)))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("Maybe confirm it");
    assertThat(versions.confirm(OPERATOR, ANNA, "").tree()).isEqualTo(mine);
  }

  @Test
  void whereNothingWaitsWhoMayChangeNothingIsDeniedAndOthersAreRefused() {
    assertThatThrownBy(() -> versions.confirm(user("viewer"), ANNA, "")).isInstanceOf(Denied.class);
    assertThatThrownBy(() -> versions.rollBack(user("viewer"), ANNA, "", Optional.of(7L)))
        .isInstanceOf(Denied.class);
    assertThatThrownBy(() -> versions.confirm(OPERATOR, ANNA, "")).isInstanceOf(Refused.class);
  }

  @Test
  void aTrialRefusesOtherChangesAndNamesTheWayOut() {
    versions.commit(ANNA, "A trial.", "", tree -> second, Optional.of(Duration.ofMinutes(10)));
    assertThatThrownBy(() -> versions.commit(ANNA, "Another.", "", tree -> third, AT_ONCE))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("Version 2")
        .hasMessageContaining("Maybe confirm it or roll it back first.");
    assertThat(policies.tree()).isEqualTo(second);
    assertThat(changes.find(2)).isEmpty();
  }

  @Test
  void aTrialEndsThoughTheControllerRestartsBefore() {
    versions.commit(ANNA, "A trial.", "", tree -> second, Optional.of(Duration.ofMinutes(10)));
    worker = new ManualWorker();
    policies = new IntentPolicies(first);
    versions = versions();
    assertThat(policies.tree()).isEqualTo(second);
    worker.pass(Duration.ofMinutes(11));
    assertThat(policies.tree()).isEqualTo(first);
  }

  @Test
  void aRollBackUndoesTheLastChangeAndAnotherUndoesTheRollBack() {
    versions.commit(ANNA, "One.", "", tree -> second, AT_ONCE);
    versions.commit(ANNA, "Two.", "", tree -> third, AT_ONCE);
    versions.rollBack(OPERATOR, ANNA, "", Optional.empty());
    assertThat(policies.tree()).isEqualTo(second);
    versions.rollBack(OPERATOR, ANNA, "", Optional.empty());
    assertThat(policies.tree()).isEqualTo(third);
    versions.rollBack(OPERATOR, ANNA, "", Optional.of(1L));
    assertThat(policies.tree()).isEqualTo(first);
  }

  @Test
  void aRollBackAfterAConfirmedTrialGoesToTheTreeBeforeTheTrial() {
    versions.commit(ANNA, "A trial.", "", tree -> second, Optional.of(Duration.ofMinutes(10)));
    versions.confirm(OPERATOR, ANNA, "");
    PolicyVersion back = versions.rollBack(OPERATOR, ANNA, "", Optional.empty());
    assertThat(back.tree()).isEqualTo(first);
    assertThat(back.reason()).isEqualTo("Back to version 1.");
    assertThat(versions.changedBy(back)).containsExactly(IntentPath.parse("voice"));
    assertThat(policies.tree()).isEqualTo(first);
    PolicyVersion again = versions.rollBack(OPERATOR, ANNA, "", Optional.empty());
    assertThat(again.reason()).isEqualTo("Back to version 3.");
    assertThat(policies.tree()).isEqualTo(second);
  }

  @Test
  void aRollBackOfATrialAfterAConfirmedOneGoesToWhatWasConfirmed() {
    Optional<Duration> trial = Optional.of(Duration.ofMinutes(10));
    versions.commit(ANNA, "A trial.", "", tree -> second, trial);
    versions.confirm(OPERATOR, ANNA, "");
    versions.commit(ANNA, "Another.", "", tree -> third, trial);
    versions.rollBack(OPERATOR, ANNA, "", Optional.empty());
    assertThat(policies.tree()).isEqualTo(second);
    versions.commit(ANNA, "Once more.", "", tree -> third, trial);
    worker.pass(Duration.ofMinutes(11));
    assertThat(policies.tree()).isEqualTo(second);
  }

  @Test
  void aRollBackThatWouldChangeNothingIsRefusedWithTheReason() {
    versions.commit(ANNA, "A trial.", "", tree -> second, Optional.of(Duration.ofMinutes(10)));
    versions.confirm(OPERATOR, ANNA, "");
    assertThatThrownBy(() -> versions.rollBack(OPERATOR, ANNA, "", Optional.of(2L)))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("The tree of version 2 is that of version 3")
        .hasMessageContaining("nothing would change");
    assertThat(versions.inForce().number()).isEqualTo(3);
    assertThat(changes.find(3)).isEmpty();
  }

  @Test
  void whoGoesBackBehindAConfirmedTrialMustBeAllowedToChangeWhatItChanged() {
    versions.commit(ANNA, "A trial.", "", tree -> second, Optional.of(Duration.ofMinutes(10)));
    versions.confirm(OPERATOR, ANNA, "");
    User others = user("viewer", "operator:web");
    assertThatThrownBy(() -> versions.rollBack(others, ANNA, "", Optional.empty()))
        .isInstanceOf(Denied.class);
    User mine = user("viewer", "operator:voice");
    assertThat(versions.rollBack(mine, ANNA, "", Optional.empty()).tree()).isEqualTo(first);
  }

  @Test
  void aRollBackThatIsSentAgainIsMadeOnce() {
    versions.commit(ANNA, "A trial.", "", tree -> second, Optional.of(Duration.ofMinutes(10)));
    versions.confirm(OPERATOR, ANNA, "");
    Author asked = ANNA.by(Optional.of(Request.of("request-1", worker.instant())));
    PolicyVersion back = versions.rollBack(OPERATOR, asked, "", Optional.empty());
    assertThat(versions.rollBack(OPERATOR, asked, "", Optional.empty())).isEqualTo(back);
    assertThat(policies.tree()).isEqualTo(first);
  }

  @Test
  void aDelegatedOperatorGivesNoPriorityAboveTheCeiling() {
    User mine = user("viewer", "operator:voice");
    ceilings.set(
        ANNA, "", Ceiling.of(IntentPath.parse("voice/calls")).priority(Optional.of(1)).build());
    versions.mustBeAllowed(mine, first, withPriority(10));
    assertThatThrownBy(() -> versions.mustBeAllowed(mine, first, withPriority(11)))
        .isInstanceOf(Denied.class)
        .hasMessageContaining(
            "The priority (11) of (voice) is above the ceiling of (voice), which is 10");
    versions.mustBeAllowed(OPERATOR, first, withPriority(11));
    // What is above it already may stay, or fall.
    versions.mustBeAllowed(mine, withPriority(12), withPriority(11));
    // One that inherits is raised, too, and bound by the ceilings above it as well.
    IntentTree calls = second.with(IntentPath.parse("voice/calls"), Policy.INHERIT_ALL);
    IntentTree raised = third.with(IntentPath.parse("voice/calls"), Policy.INHERIT_ALL);
    assertThatThrownBy(() -> versions.mustBeAllowed(mine, calls, raised))
        .hasMessageContaining("(3) of (voice/calls) is above the ceiling of (voice/calls)");
    ceilings.set(ANNA, "", Ceiling.of(IntentPath.ROOT).priority(Optional.of(2)).build());
    assertThatThrownBy(() -> versions.mustBeAllowed(mine, first, third))
        .hasMessageContaining("the ceiling of (/), which is 2");
    assertThatThrownBy(() -> drafts.mustBeAllowed(mine, third)).isInstanceOf(Denied.class);
    versions.commit(ANNA, "A trial.", "", tree -> third, Optional.of(Duration.ofMinutes(10)));
    assertThatThrownBy(() -> versions.confirm(mine, ANNA, "")).isInstanceOf(Denied.class);
    versions.rollBack(mine, ANNA, "", Optional.empty());
    assertThatThrownBy(() -> versions.rollBack(mine, ANNA, "", Optional.empty()))
        .isInstanceOf(Denied.class);
    assertThat(policies.tree()).isEqualTo(first);
  }

  @Test
  void thereIsNothingToGoBackToAtTheStart() {
    assertThatThrownBy(() -> versions.rollBack(OPERATOR, ANNA, "", Optional.empty()))
        .isInstanceOf(Refused.class);
    versions.commit(ANNA, "One.", "", tree -> second, AT_ONCE);
    assertThatThrownBy(() -> versions.rollBack(OPERATOR, ANNA, "", Optional.of(2L)))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("(2)");
  }

  @Test
  void aVersionThatWasWrittenDownBeforeACrashComesIntoForceWhateverWasThereAtTheStart() {
    versions.commit(ANNA, "One.", "", tree -> second, AT_ONCE);
    for (IntentTree atStart : List.of(first, third)) {
      policies = new IntentPolicies(atStart);
      versions = versions();
      assertThat(policies.tree()).isEqualTo(second);
      assertThat(versions.newest(9, Long.MAX_VALUE))
          .extracting(PolicyVersion::tree)
          .containsExactly(second, first);
    }
  }

  @Test
  void whereTheNewestVersionCannotBeReadTheOneBeforeIsInForce() {
    versions.commit(ANNA, "One.", "", tree -> second, AT_ONCE);
    versions.commit(ANNA, "Two.", "", tree -> third, AT_ONCE);
    versionRecords.makeUnreadable("3");
    policies = new IntentPolicies(first);
    versions = versions();
    assertThat(policies.tree()).isEqualTo(second);
    assertThat(versions.inForce().number()).isEqualTo(3);
  }

  private void loseVersion3() {
    versions.commit(ANNA, "One.", "", tree -> second, AT_ONCE);
    versions.commit(ANNA, "Two.", "", tree -> third, AT_ONCE);
    versionRecords.makeUnreadable("3");
    policies = new IntentPolicies(first);
    versions = versions();
  }

  @Test
  void aNewestVersionThatCannotBeReadIsAnAlarmAndNothingIsBuiltOnWhatWasBefore() {
    assertThat(versions.alarms()).isEmpty();
    loseVersion3();
    Alarm alarm = versions.alarms().get(0);
    assertThat(alarm.kind()).isEqualTo(Alarm.Kind.POLICY);
    assertThat(alarm.about()).isEqualTo("the policy");
    assertThat(alarm.sentence()).contains("Version 3", "cannot be read", "Maybe");
    assertThat(versions.inForce().reason())
        .isEqualTo("Version 3 cannot be read; this is the tree of version 2.");
    assertThatThrownBy(() -> versions.commit(ANNA, "Four.", "", tree -> third, AT_ONCE))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("Version 3");
    assertThatThrownBy(() -> versions.confirm(OPERATOR, ANNA, ""))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("Version 3");
    assertThat(policies.tree()).isEqualTo(second);
    assertThat(versionRecords.keys()).containsExactlyInAnyOrder("1", "2", "3");
  }

  @Test
  void anOperatorGivesItUpInSoManyWords() {
    loseVersion3();
    User some = user("viewer", "operator:voip");
    assertThatThrownBy(() -> versions.rollBack(some, ANNA, "", Optional.empty()))
        .isInstanceOf(Denied.class);
    PolicyVersion back = versions.rollBack(OPERATOR, ANNA, "", Optional.empty());
    assertThat(back.number()).isEqualTo(4);
    assertThat(back.tree()).isEqualTo(second);
    assertThat(back.reason()).isEqualTo("Version 3 cannot be read, and is given up.");
    assertThat(versions.alarms()).isEmpty();
    assertThat(versions.commit(ANNA, "Five.", "", tree -> third, AT_ONCE).number()).isEqualTo(5);
    assertThat(versionRecords.keys()).contains("3");
  }

  @Test
  void orForAnyEarlierOne() {
    loseVersion3();
    PolicyVersion back = versions.rollBack(OPERATOR, ANNA, "", Optional.of(2L));
    assertThat(back.tree()).isEqualTo(second);
    assertThat(back.reason())
        .isEqualTo("Back to version 2. Version 3 cannot be read, and is given up.");
    assertThat(versions.alarms()).isEmpty();
  }

  @Test
  void whereNoneCanBeReadTheTreeOfTheStartIsInForceAndTheWayOutIsTheSame() {
    loseVersion3();
    versionRecords.makeUnreadable("1");
    versionRecords.makeUnreadable("2");
    policies = new IntentPolicies(third);
    versions = versions();
    assertThat(policies.tree()).isEqualTo(third);
    assertThat(versions.alarms()).hasSize(1);
    versions.rollBack(OPERATOR, ANNA, "", Optional.empty());
    assertThat(versions.alarms()).isEmpty();
    assertThat(versions.inForce().tree()).isEqualTo(third);
  }

  @Test
  void whatCannotBeWrittenDownDoesNotHappen() {
    versionRecords.refuse();
    assertThatThrownBy(() -> versions.commit(ANNA, "One.", "", tree -> second, AT_ONCE))
        .hasMessage("the store is away");
    assertThat(policies.tree()).isEqualTo(first);
    assertThat(changes.find(2).orElseThrow().operation())
        .isEqualTo("Change 1 was not made: the store is away");
  }

  @Test
  void aChangeMadeTheVersionThatHasItsTimeThoughAnotherReadsTheSame() {
    PendingChange lost = begun(1, ANNA);
    worker.pass(Duration.ofMillis(5));
    versions.commit(ANNA, "One.", "", tree -> second, AT_ONCE);
    assertThat(versions.isMade(lost)).isFalse();
    assertThat(versions.isMade(PendingChange.of(VERSION_2, changes.find(1).orElseThrow())))
        .isTrue();
  }

  @Test
  void anEarlierPacelinesVersionIsALittleYoungerThanTheChangeThatMadeIt() {
    PendingChange made = begun(1, ANNA);
    worker.pass(Duration.ofMillis(5));
    versionRecords.add(
        "2", PolicyVersion.of(2, worker.instant(), ANNA, "One.", Optional.empty(), second));
    assertThat(versions.isMade(made)).isTrue();
    assertThat(versions.isMade(begun(1, Author.of("bert", Optional.empty())))).isFalse();
    worker.pass(Duration.ofMillis(5));
    assertThat(versions.isMade(begun(2, ANNA))).isFalse();
  }

  /** What a crash left of a change, now, that was to make version 2. */
  private PendingChange begun(long number, Author author) {
    return PendingChange.of(
        VERSION_2, Change.of(number, worker.instant(), author, "One.", "", "first", "second"));
  }

  @Test
  void whatAnotherNodeMadeIsInForceHereAndToldThere() {
    AtomicInteger changed = new AtomicInteger();
    policies.onChange(changed::incrementAndGet);
    List<PolicyVersion> told = new ArrayList<>();
    versions.onChange(told::add);
    PolicyVersions another = ofAnotherNode();
    another.commit(ANNA, "One.", "", tree -> second, AT_ONCE);
    another.commit(ANNA, "Two.", "", tree -> third, AT_ONCE);
    // Of the first and of the second, when both are there.
    versions.catchUp();
    assertThat(policies.tree()).isEqualTo(third);
    versions.catchUp();
    assertThat(policies.tree()).isEqualTo(third);
    assertThat(changed).hasValue(1);
    assertThat(told).isEmpty();
  }

  @Test
  void aTrialThatAnotherNodeMadeEndsHereToo() {
    ofAnotherNode()
        .commit(ANNA, "A trial.", "", tree -> second, Optional.of(Duration.ofMinutes(10)));
    versions.catchUp();
    assertThat(policies.tree()).isEqualTo(second);
    worker.pass(Duration.ofMinutes(11));
    assertThat(policies.tree()).isEqualTo(first);
  }

  /** Whose own clock has stopped. */
  private PolicyVersions ofAnotherNode() {
    return PolicyVersions.open(
        new IntentPolicies(first),
        RememberedRecords.numbered(versionRecords),
        changes,
        new ManualWorker(),
        worker,
        ceilings,
        IntentTree::toString);
  }

  @Test
  void ofVersionsThatAreTooManyThoseThatDraftsWereMadeFromStay() throws IOException {
    commit(4);
    PolicyDraft draft = drafts.put("CHG-1", ANNA, "", withPriority(9_999));
    assertThat(draft.base()).isEqualTo(5);
    commit(245);
    versions.commit(ANNA, "A trial.", "", tree -> third, Optional.of(Duration.ofHours(1)));
    List<Long> exported = new ArrayList<>();
    new Retention(
            List.of(
                drafts.retentionOfVersions(
                    () -> 10,
                    (first, last, some) -> {
                      some.forEach(version -> exported.add(version.number()));
                      return "They are elsewhere.";
                    })),
            worker,
            worker)
        .start();
    worker.pass(Duration.ZERO);
    assertThat(exported).hasSize(200).startsWith(1L, 2L).endsWith(199L, 200L);
    assertThat(versionRecords.keys()).hasSize(52).contains("5", "201", "251");
    assertThat(versions.newest(1_000, Long.MAX_VALUE)).hasSize(52);
    assertThat(versions.inForce().tree()).isEqualTo(third);
    PolicyVersions restarted = versions();
    assertThat(restarted.inForce().number()).isEqualTo(251);
    assertThatThrownBy(() -> versions.mustFind(6, ""))
        .isInstanceOf(Absent.class)
        .hasMessage("The version (6) is not kept here any more. They are elsewhere.");
    assertThatThrownBy(() -> versions.rollBack(OPERATOR, ANNA, "", Optional.of(6L)))
        .isInstanceOf(Refused.class)
        .hasMessage("The version (6) is not kept here any more. They are elsewhere.");
    // What the trial goes back to is there.
    worker.pass(Duration.ofHours(1));
    assertThat(policies.tree()).isEqualTo(withPriority(1_000 + 250));
    assertThat(versions.inForce().number()).isEqualTo(252);
  }

  /** So many versions more, each with a tree of its own. */
  private void commit(int more) {
    for (int n = 0; n < more; n++) {
      int priority = 1_001 + (int) versions.inForce().number();
      versions.commit(ANNA, "One more.", "", tree -> withPriority(priority), AT_ONCE);
    }
  }

  @Test
  void whatCannotBeExportedStaysAndAnAlarmSaysSoUntilItCan() {
    commit(250);
    AtomicBoolean isFull = new AtomicBoolean(true);
    Retention retention =
        new Retention(
            List.of(
                drafts.retentionOfVersions(
                    () -> 10,
                    (first, last, some) -> {
                      if (isFull.get()) {
                        throw new IOException("(versions) cannot be written: No space left.");
                      }
                      some.forEach(version -> {});
                      return "They are elsewhere.";
                    })),
            worker,
            worker);
    retention.start();
    worker.pass(Duration.ofSeconds(1));
    Alarm alarm = retention.alarms().get(0);
    assertThat(alarm.kind()).isEqualTo(Alarm.Kind.RETENTION);
    assertThat(alarm.about()).isEqualTo("retention");
    assertThat(alarm.sentence())
        .startsWith(
            "(versions) cannot be written: No space left. Until it can, nothing is removed");
    worker.pass(Duration.ofSeconds(70));
    assertThat(retention.alarms()).containsExactly(alarm);
    assertThat(versionRecords.keys()).hasSize(251);
    isFull.set(false);
    worker.pass(Duration.ofSeconds(60));
    assertThat(retention.alarms()).isEmpty();
    assertThat(versionRecords.keys()).hasSize(51);
  }

  @Test
  void aDraftChangesNothingUntilItIsCommitted() {
    PolicyDraft draft = drafts.put("CHG-1", ANNA, "", second);
    assertThat(policies.tree()).isEqualTo(first);
    drafts.commit(OPERATOR, draft, ANNA, "", AT_ONCE);
    assertThat(policies.tree()).isEqualTo(second);
    assertThat(drafts.all()).isEmpty();
  }

  @Test
  void aDraftSurvivesATrialThatRunsOutAndGoesWhenOneIsConfirmed() {
    Optional<Duration> trial = Optional.of(Duration.ofMinutes(10));
    PolicyDraft draft = drafts.put("CHG-1", ANNA, "", second);
    drafts.commit(OPERATOR, draft, ANNA, "", trial);
    assertThatThrownBy(() -> drafts.commit(OPERATOR, draft, ANNA, "", trial))
        .hasMessageContaining("to be confirmed");
    worker.pass(Duration.ofSeconds(601));
    assertThat(policies.tree()).isEqualTo(first);
    assertThat(drafts.all()).containsExactly(draft);
    drafts.commit(OPERATOR, draft, ANNA, "", trial);
    versions.rollBack(OPERATOR, ANNA, "", Optional.empty());
    assertThat(drafts.all()).containsExactly(draft);
    drafts.commit(OPERATOR, draft, ANNA, "", trial);
    drafts.forgetCommitted();
    assertThat(drafts.all()).containsExactly(draft);
    versions.confirm(OPERATOR, ANNA, "");
    assertThat(policies.tree()).isEqualTo(second);
    assertThat(drafts.all()).isEmpty();
  }

  @Test
  void aDraftGoesOnWithWhatIsInItAlready() {
    assertThat(drafts.goOnWith("CHG-1")).isEqualTo(first);
    drafts.put("CHG-1", ANNA, "", second);
    assertThat(drafts.goOnWith("CHG-1")).isEqualTo(second);
    versions.commit(ANNA, "Quicker.", "", tree -> third, AT_ONCE);
    assertThatThrownBy(() -> drafts.goOnWith("CHG-1"))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("made from version 1, and version 2 is in force");
  }

  @Test
  void aDraftThatEqualsWhatSomebodyElsePutInForceStaysOverACrash() {
    PolicyDraft draft = drafts.put("CHG-1", ANNA, "", second);
    versions.commit(ANNA, "The same by hand.", "", tree -> second, AT_ONCE);
    drafts.forgetCommitted();
    assertThat(drafts.all()).containsExactly(draft);
  }

  @Test
  void aDraftWhoseSentenceSomebodyElsesVersionHasStays() {
    PolicyDraft draft = drafts.put("CHG-1", ANNA, "", second);
    versions.commit(ANNA, "Draft CHG-1 is put in force.", "", tree -> second, AT_ONCE);
    drafts.forgetCommitted();
    assertThat(drafts.all()).containsExactly(draft);
  }

  @Test
  void aDraftThatACrashLeftWhenItWasInForceIsTakenAway() {
    PolicyDraft draft = drafts.put("CHG-1", ANNA, "", second);
    drafts.commit(OPERATOR, draft, ANNA, "", AT_ONCE);
    draftRecords.add(draft.name(), draft);
    drafts.forgetCommitted();
    assertThat(drafts.all()).isEmpty();
  }

  @Test
  void aDraftsTicketGoesIntoItsCommitUnlessThatHasItsOwn() {
    Author bert = Author.of("bert", Optional.empty());
    Author forTicket = Author.of("anna", Optional.of("CHG7"));
    PolicyVersion version =
        drafts.commit(OPERATOR, drafts.put("a", forTicket, "", second), bert, "", AT_ONCE);
    assertThat(version.author()).isEqualTo(Author.of("bert", Optional.of("CHG7")));
    assertThat(changes.find(2).orElseThrow().author()).isEqualTo(version.author());
    Author another = Author.of("bert", Optional.of("CHG8"));
    assertThat(
            drafts
                .commit(OPERATOR, drafts.put("b", forTicket, "", third), another, "", AT_ONCE)
                .author())
        .isEqualTo(another);
  }

  @Test
  void aDraftOfAnOlderVersionIsRefusedAndKept() {
    PolicyDraft draft = drafts.put("CHG-1", ANNA, "", second);
    versions.commit(ANNA, "Quicker.", "", tree -> third, AT_ONCE);
    assertThatThrownBy(() -> drafts.commit(OPERATOR, draft, ANNA, "", AT_ONCE))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("made from version 1, and version 2 is in force");
    assertThat(policies.tree()).isEqualTo(third);
    assertThat(drafts.find("CHG-1")).isPresent();
  }

  @Test
  void aDraftIsCommittedAsItWasSeenOrNotAtAll() {
    PolicyDraft seen = drafts.put("CHG-1", ANNA, "", second);
    PolicyDraft changed = drafts.put("CHG-1", ANNA, "", third);
    assertThatThrownBy(() -> drafts.commit(OPERATOR, seen, ANNA, "", AT_ONCE))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("(CHG-1) was changed or taken away");
    drafts.remove("CHG-1", ANNA, "");
    assertThatThrownBy(() -> drafts.commit(OPERATOR, changed, ANNA, "", AT_ONCE))
        .isInstanceOf(Refused.class);
    assertThat(policies.tree()).isEqualTo(first);
  }

  @Test
  void aDraftIsCommittedByWhoMayWhenItComesIntoForce() {
    PolicyDraft draft = drafts.put("CHG-1", ANNA, "", second);
    assertThatThrownBy(
            () -> drafts.commit(user("viewer", "operator:web"), draft, ANNA, "", AT_ONCE))
        .isInstanceOf(Denied.class);
    assertThat(policies.tree()).isEqualTo(first);
    drafts.commit(user("viewer", "operator:voice"), draft, ANNA, "", AT_ONCE);
    assertThat(policies.tree()).isEqualTo(second);
  }

  @Test
  void ofACommitAndARemovalAtTheSameMomentOneIsDone() throws Exception {
    for (int round = 0; round < 200; round++) {
      IntentTree before = versions.inForce().tree();
      PolicyDraft draft = drafts.put("CHG-1", ANNA, "", before.equals(second) ? third : second);
      CyclicBarrier together = new CyclicBarrier(2);
      CompletableFuture<Boolean> removal =
          CompletableFuture.supplyAsync(
              () -> {
                await(together);
                return drafts.remove("CHG-1", ANNA, "");
              });
      await(together);
      boolean isCommitted = true;
      try {
        drafts.commit(OPERATOR, draft, ANNA, "", AT_ONCE);
      } catch (Refused takenAway) {
        isCommitted = false;
      }
      assertThat(removal.get(2, TimeUnit.MINUTES)).isEqualTo(!isCommitted);
      assertThat(policies.tree()).isEqualTo(isCommitted ? draft.tree() : before);
      assertThat(drafts.all()).isEmpty();
    }
  }

  private static void await(CyclicBarrier together) {
    try {
      together.await(2, TimeUnit.MINUTES);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("the other thread did not come", e);
    }
  }

  @Test
  void namesAndTicketsThatALogCannotShowAreRefused() {
    assertThatThrownBy(() -> drafts.put("a/b", ANNA, "", second)).hasMessageContaining("(a/b)");
    assertThatThrownBy(() -> Author.of("anna", Optional.of("CHG 1\n")))
        .hasMessageContaining("Maybe CHG0030001");
  }

  private static User user(String... roles) {
    return User.of("anna", Set.of(roles));
  }

  private IntentTree withPriority(int priority) {
    return first.with(IntentPath.parse("voice"), Policy.builder().priority(priority).build());
  }

  private PolicyVersions versions() {
    return PolicyVersions.open(
        policies,
        RememberedRecords.numbered(versionRecords),
        changes,
        worker,
        worker,
        ceilings,
        IntentTree::toString);
  }
}
