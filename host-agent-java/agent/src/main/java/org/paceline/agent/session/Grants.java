package org.paceline.agent.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.conversation.Conversations;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.pacing.Pacing;
import org.paceline.protocol.InstalledRate;
import org.paceline.protocol.Pool;
import org.paceline.protocol.Rate;
import org.paceline.protocol.Rates;

/** What the controller grants, and the answer to it. Owned by one thread. */
final class Grants {
  private static final int MOST_COMPLAINTS = 3;

  private final Pacing pacing;
  private final Conversations conversations;
  private long planVersion;

  Grants(Pacing pacing, Conversations conversations) {
    this.pacing = pacing;
    this.conversations = conversations;
  }

  /** The newest plan that is installed. */
  long planVersion() {
    return planVersion;
  }

  /** Installs these; the answer is what the kernel was read to hold. */
  List<InstalledRate> apply(Rates rates) throws IOException {
    for (Pool pool : rates.getPoolsList()) {
      if (isPossible(pool.getRateBitsPerSecond())) {
        pacing.pool(pool.getInterface(), pool.getRateBitsPerSecond(), conversations);
      }
    }
    List<Conversation> changed = new ArrayList<>();
    for (Rate rate : rates.getRatesList()) {
      if (!isPossible(rate.getRateBitsPerSecond())) {
        continue;
      }
      Optional<Conversation> conversation = conversations.byId(rate.getConversationId());
      if (conversation.isPresent()) {
        pacing.grant(conversation.get(), rate.getRateBitsPerSecond(), ceiling(rate), rank(rate));
        changed.add(conversation.get());
      }
    }
    String complaints = first(pacing.reconcile(changed));
    planVersion = Math.max(planVersion, rates.getPlanVersion());
    return rates.getRatesList().stream().map(rate -> acknowledgement(rate, complaints)).toList();
  }

  /** Each rate that is not installed is answered with it: thousands must not tell of thousands. */
  private static String first(List<String> complaints) {
    int more = complaints.size() - MOST_COMPLAINTS;
    String first =
        String.join("; ", complaints.subList(0, Math.min(complaints.size(), MOST_COMPLAINTS)));
    return more > 0 ? first + "; and " + more + " more" : first;
  }

  /** The wire's numbers have no sign: one beyond Java's comes as a negative one. */
  private static boolean isPossible(long bitsPerSecond) {
    return bitsPerSecond >= 0 && bitsPerSecond <= Pacing.GREATEST_RATE;
  }

  /** None where it is impossible. */
  private static long ceiling(Rate rate) {
    return isPossible(rate.getCeilingBitsPerSecond()) ? rate.getCeilingBitsPerSecond() : 0;
  }

  /** The wire's numbers have no sign here either. */
  private static int rank(Rate rate) {
    return (int) Math.min(ClassRate.LAST, Integer.toUnsignedLong(rate.getBorrowRank()));
  }

  /** What the kernel was read to hold of the pools that these name. */
  List<Pool> pools(Rates rates) {
    return rates.getPoolsList().stream()
        .map(
            asked ->
                asked.toBuilder()
                    .setRateBitsPerSecond(pacing.installedPool(asked.getInterface()))
                    .build())
        .toList();
  }

  private InstalledRate acknowledgement(Rate asked, String complaints) {
    InstalledRate.Builder one =
        InstalledRate.newBuilder().setConversationId(asked.getConversationId());
    Optional<Conversation> conversation = conversations.byId(asked.getConversationId());
    if (conversation.isEmpty()) {
      return one.setError("There is no such conversation. Maybe it closed meanwhile.").build();
    }
    one.setRateBitsPerSecond(pacing.installedRate(conversation.get()));
    Optional<String> error = error(asked, conversation.get(), complaints);
    return error.isPresent() ? one.setError(error.get()).build() : one.build();
  }

  private Optional<String> error(Rate asked, Conversation conversation, String complaints) {
    if (!isPossible(asked.getRateBitsPerSecond())) {
      return Optional.of(
          "The rate ("
              + Long.toUnsignedString(asked.getRateBitsPerSecond())
              + " bit/s) is beyond any interface's; the one before stays.");
    }
    Optional<String> obstacle = pacing.obstacle(conversation);
    if (obstacle.isPresent()) {
      return obstacle;
    }
    return pacing.isHeld(conversation)
        ? Optional.empty()
        : Optional.of("The kernel holds another rate. " + complaints);
  }
}
