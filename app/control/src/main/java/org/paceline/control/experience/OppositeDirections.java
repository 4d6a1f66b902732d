package org.paceline.control.experience;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.model.Proof;

/**
 * Of each conversation the one that goes the other way: of the same intent, between the same ends.
 * A user has one experience of both, and the application that measures it stands at one end only.
 * O(n).
 */
public final class OppositeDirections {
  /** Among that many of one intent and ends the opposite is looked for, so that none costs much. */
  private static final int MOST_CANDIDATES = 64;

  private final Map<String, List<Proof>> byEnds = new HashMap<>();

  public OppositeDirections(Collection<Proof> proofs) {
    for (Proof proof : proofs) {
      Conversation one = proof.conversation();
      byEnds
          .computeIfAbsent(
              ends(proof, one.localAddress(), one.remoteAddress()), ends -> new ArrayList<>(1))
          .add(proof);
    }
  }

  /** Empty where nobody has announced it. */
  public Optional<Proof> of(Proof proof) {
    Conversation one = proof.conversation();
    List<Proof> others =
        byEnds.getOrDefault(ends(proof, one.remoteAddress(), one.localAddress()), List.of());
    List<Proof> own =
        byEnds.getOrDefault(ends(proof, one.localAddress(), one.remoteAddress()), List.of());
    if (own.size() == 1 && others.size() == 1) {
      return Optional.of(others.get(0));
    }
    return others.stream()
        .limit(MOST_CANDIDATES)
        .filter(other -> isAnswerTo(one, other.conversation()))
        .findFirst();
  }

  private static boolean isAnswerTo(Conversation one, Conversation other) {
    List<PacketMatch> answers = other.matches();
    return one.matches().stream()
        .map(match -> PacketMatch.of(match.transport(), match.remotePort(), match.localPort()))
        .anyMatch(back -> answers.stream().anyMatch(back::meets));
  }

  private static String ends(Proof proof, String from, String to) {
    return proof.requested().asked() + " " + from + " " + to;
  }
}
