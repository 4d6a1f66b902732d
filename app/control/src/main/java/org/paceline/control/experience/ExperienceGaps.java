package org.paceline.control.experience;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Proof;
import org.paceline.intents.kpi.Experience;
import org.paceline.intents.kpi.LikelyCause;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/**
 * Whose user experiences lastingly less than was predicted: one alarm for both directions, with the
 * likely cause, at the one that carried more when the first bad report came. More than was
 * predicted is no trouble: what is lent and borrowed comes on top of grants.
 */
public final class ExperienceGaps {
  private final Experiences experiences;
  private final Supplier<Duration> lasting;
  private Map<ConversationId, ExperienceGap> gaps = Map.of();

  /**
   * @param lasting for how long all reports must be more than 0.5 below the prediction
   */
  public ExperienceGaps(Experiences experiences, Supplier<Duration> lasting) {
    this.experiences = experiences;
    this.lasting = lasting;
  }

  /** To be asked once a second, on the worker. O(n) in conversations. */
  public List<Alarm> look(Collection<Proof> proofs) {
    experiences.refresh();
    List<Proof> felt =
        proofs.stream()
            .filter(proof -> proof.experience().isPresent() && isServed(proof))
            .collect(Collectors.toUnmodifiableList());
    if (felt.isEmpty()) {
      gaps = Map.of();
      return List.of();
    }
    Duration atLeast = lasting.get();
    OppositeDirections opposites = new OppositeDirections(felt);
    List<Alarm> alarms = new ArrayList<>();
    Map<ConversationId, ExperienceGap> still = new HashMap<>();
    for (Proof proof : felt) {
      Optional<Proof> opposite = opposites.of(proof);
      if (opposite.filter(other -> goesBefore(other, proof)).isEmpty()) {
        ConversationId id = proof.conversation().id();
        ExperienceGap gap =
            gaps.getOrDefault(id, new ExperienceGap(proof.installedAt().orElseThrow()));
        still.put(id, gap);
        look(proof, opposite, gap, atLeast).ifPresent(alarms::add);
      }
    }
    gaps = still;
    return alarms;
  }

  /** Which of two directions carries more may change every second, and what has begun must last. */
  private boolean goesBefore(Proof one, Proof other) {
    boolean begun = isBad(one);
    return begun != isBad(other) ? begun : carriesMore(one, other);
  }

  private boolean isBad(Proof proof) {
    ExperienceGap gap = gaps.get(proof.conversation().id());
    return gap != null && gap.isBad();
  }

  /** By a plan that is carried out, and long enough that somebody could have noticed. */
  static boolean isServed(Proof proof) {
    return proof.state() == ConversationState.GRANTED
        && proof.computed().isPresent()
        && proof.installedAt().isPresent();
  }

  static boolean carriesMore(Proof one, Proof other) {
    return one.sentBytes() != other.sentBytes()
        ? one.sentBytes() > other.sentBytes()
        : one.conversation().id().compareTo(other.conversation().id()) < 0;
  }

  private static Optional<Alarm> look(
      Proof proof, Optional<Proof> opposite, ExperienceGap gap, Duration atLeast) {
    Experience felt = proof.experience().orElseThrow();
    Grant grant = proof.computed().orElseThrow();
    // Both directions must be as good as it takes.
    Utility predicted =
        opposite
            .flatMap(Proof::computed)
            .map(Grant::utility)
            .filter(other -> other.compareTo(grant.utility()) < 0)
            .orElse(grant.utility());
    gap.look(predicted, felt, proof.measured(), atLeast);
    return gap.since()
        .map(
            since -> {
              Latency roundTrip =
                  opposite
                      .flatMap(Proof::computed)
                      .map(Grant::delay)
                      .orElse(grant.delay())
                      .plus(grant.delay());
              LikelyCause cause =
                  CauseSearch.likely(felt, grant, roundTrip, proof.tcp(), gap.mostSent());
              return Alarm.ofExperience(
                  proof.conversation().id(), cause, sentence(felt, gap, cause), since);
            });
  }

  private static String sentence(Experience felt, ExperienceGap gap, LikelyCause cause) {
    return String.format(
        Locale.ROOT,
        "Its user experiences %.2f (%s), %.2f less than was predicted. %s",
        felt.utility().orElse(Utility.MIN).value(),
        felt.text(),
        (double) gap.billionths() / Utility.SCALE,
        advice(cause));
  }

  private static String advice(LikelyCause cause) {
    switch (cause) {
      case DEMAND_BELOW_GRANT:
        return "It sends less than half of what it may. Maybe see what keeps its application.";
      case FAR_END_SLOW:
        return "The network is as granted, and the other end is slow. Maybe see what keeps it.";
      case DELAY_ABOVE_BUDGET:
        return "Its packets take longer than was granted. Maybe see which of its links queues"
            + " (paceline:links).";
      case TABLE_WRONG:
        return "Its rate and delay are as granted. Maybe its intent's utility function promises too"
            + " much.";
      default:
        throw new IllegalStateException("The cause (" + cause + ") has no text.");
    }
  }
}
