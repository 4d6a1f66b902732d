package org.paceline.agent.smallnetwork;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MembersTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  // No clock starts at 0.
  private long now = 77 * SECOND;
  private final Members members = new Members(1, new SecureRandom(), now);

  private Announcement said(long epoch, int sequence, Long... heard) {
    return new Announcement(
        epoch, epoch, sequence, 1_000 + epoch, List.of(), Optional.empty(), List.of(heard));
  }

  private Members.Verdict hear(Announcement one) {
    return members.hear(one, "192.0.2." + one.epoch(), now);
  }

  /** A peer that has heard this host's last announcement. */
  private Members.Verdict hearProven(long epoch, int sequence) {
    return hear(said(epoch, sequence, members.challenge(now)));
  }

  @Test
  void aPeerCountsFromWhenItRepeatsAChallengeOn() {
    assertThat(hear(said(2, 1))).isEqualTo(Members.Verdict.NOT_PROVEN);
    assertThat(hear(said(2, 2, 999L))).isEqualTo(Members.Verdict.NOT_PROVEN);
    assertThat(members.present(now)).isEmpty();

    assertThat(hearProven(2, 3)).isEqualTo(Members.Verdict.TAKEN);
    assertThat(hear(said(2, 4))).isEqualTo(Members.Verdict.TAKEN);
    assertThat(members.present(now)).hasSize(1);
  }

  @Test
  void whatIsRepeatedOrLateIsNotTaken() {
    hearProven(2, 5);

    assertThat(hearProven(2, 5)).isEqualTo(Members.Verdict.NOT_NEWER);
    assertThat(hearProven(2, 4)).isEqualTo(Members.Verdict.NOT_NEWER);
    assertThat(members.present(now).get(0).said().sequence()).isEqualTo(5);
    assertThat(hearProven(2, 9)).isEqualTo(Members.Verdict.TAKEN);
  }

  @Test
  void whatWasRecordedIsNeverBelievedLater() {
    Announcement recorded = said(2, 50, members.challenge(now));
    assertThat(hear(recorded)).isEqualTo(Members.Verdict.TAKEN);
    for (int second = 0; second < 400; second++) {
      now += SECOND;
      assertThat(hear(recorded)).isNotEqualTo(Members.Verdict.TAKEN);
    }
    // Forgotten by now; another agent of this host never made that challenge either.
    assertThat(members.present(now)).isEmpty();
    Members later = new Members(9, new SecureRandom(), now);
    assertThat(later.hear(recorded, "", now)).isEqualTo(Members.Verdict.NOT_PROVEN);
  }

  @Test
  void whatWasHeldBackOnTheWayIsBelievedForAMinuteAndAHalfAtMost() {
    long made = now;
    long challenge = members.challenge(now);
    long lastTaken = 0;
    for (int sequence = 1; sequence < 300; sequence++) {
      now += SECOND;
      if (hear(said(2, sequence, challenge)) == Members.Verdict.TAKEN) {
        lastTaken = now;
      }
    }
    assertThat(Duration.ofNanos(lastTaken - made))
        .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(91));
  }

  @Test
  void aPeerIsGoneAfterThreeMissedAnnouncementsAndBackWithTheNext() {
    hearProven(2, 1);
    now += Members.GONE.toNanos();
    assertThat(members.present(now)).hasSize(1);
    now += 1;
    assertThat(members.present(now)).isEmpty();

    assertThat(hear(said(2, 2))).isEqualTo(Members.Verdict.TAKEN);
    assertThat(members.present(now)).hasSize(1);
  }

  @Test
  void twoHostsWithOneNameAreTwoAndOnesOwnIsNone() {
    long challenge = members.challenge(now);
    hear(new Announcement(7, 20, 1, 1, List.of(), Optional.empty(), List.of(challenge)));
    hear(new Announcement(7, 21, 1, 1, List.of(), Optional.empty(), List.of(challenge)));

    assertThat(members.present(now)).hasSize(2);
    assertThat(hear(said(1, 3, challenge))).isEqualTo(Members.Verdict.OWN);
  }

  @Test
  void whoFillsTheTableWithRecordingsKeepsNobodyOut() {
    for (int epoch = 2; epoch < 2 + Members.MOST - 1; epoch++) {
      hearProven(epoch, 1);
    }
    for (int epoch = 1_000; epoch < 2_000; epoch++) {
      hear(said(epoch, 1));
    }
    assertThat(hearProven(3_000, 1)).isEqualTo(Members.Verdict.TAKEN);
    assertThat(members.present(now)).hasSize(Members.MOST);
    assertThat(hearProven(3_001, 1)).isEqualTo(Members.Verdict.TOO_MANY);
  }

  @Test
  void challengesAreRepeatedInTurnTheNewestPeersFirst() {
    hear(said(2, 1));
    hear(said(3, 1));
    hear(said(4, 1));
    List<Long> first = members.toRepeat(2, now);
    hear(said(5, 1));
    List<Long> second = members.toRepeat(2, now + 1);

    assertThat(second).doesNotContainAnyElementsOf(first).contains(1_005L);
    assertThat(members.toRepeat(7, now + 2)).hasSize(4);
    assertThat(members.toRepeat(7, now + Members.GONE.toNanos() + 1)).isEmpty();
  }
}
