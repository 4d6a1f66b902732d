package org.paceline.control.assurance;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.intents.unit.DataRate;

/** Who sends more than its enforcer says that it lets through: installed, and yet not true. */
final class Overuse {
  /** Reports in a row: a rate that has just fallen shows in the interval that began before. */
  private static final int REPORTS = 3;

  private Map<ConversationId, Streak> streaks = new HashMap<>();

  private static final class Streak {
    final Instant since;
    final Instant last;
    final int reports;

    Streak(Instant since, Instant last, int reports) {
      this.since = since;
      this.last = last;
      this.reports = reports;
    }
  }

  List<Alarm> look(Collection<Proof> proofs) {
    List<Alarm> alarms = new ArrayList<>();
    Map<ConversationId, Streak> next = new HashMap<>();
    for (Proof proof : proofs) {
      ConversationId id = proof.conversation().id();
      Optional<Instant> counted = proof.countedAt();
      if (counted.isEmpty() || !exceeds(proof)) {
        continue;
      }
      Streak known = streaks.getOrDefault(id, new Streak(counted.get(), Instant.MIN, 0));
      Streak streak =
          counted.get().equals(known.last)
              ? known
              : new Streak(known.since, counted.get(), known.reports + 1);
      next.put(id, streak);
      if (streak.reports >= REPORTS) {
        alarms.add(Alarm.of(Alarm.Kind.OVERUSE, id, sentence(proof), streak.since));
      }
    }
    streaks = next;
    return alarms;
  }

  /** A twentieth above: a burst may fall into one interval or the next. */
  private static boolean exceeds(Proof proof) {
    long sent = proof.measured().orElse(DataRate.ZERO).bitsPerSecond();
    long installed = proof.installed().orElse(DataRate.ZERO).bitsPerSecond();
    long allowed = Math.max(installed, proof.borrowsUpTo().bitsPerSecond());
    return proof.installedAt().isPresent() && sent > allowed + allowed / 20 + 10_000;
  }

  private static String sentence(Proof proof) {
    return "It sends "
        + proof.measured().orElse(DataRate.ZERO).toKbpsFloor()
        + " kbit/s, though "
        + proof.installed().orElse(DataRate.ZERO).toKbpsFloor()
        + " kbit/s are installed. Maybe its packets leave by an interface that is not managed.";
  }
}
