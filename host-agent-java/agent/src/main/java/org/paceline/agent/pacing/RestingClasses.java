package org.paceline.agent.pacing;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.agent.enforce.ClassStatistics;

/**
 * Classes of conversations that have ended, on one interface, for those that begin soon after: to
 * make or remove a class the kernel walks through all others, to give it another rate it does not.
 * What a class had counted before is not the next conversation's. Owned by one thread.
 */
final class RestingClasses {
  // Long enough for the next conversation to come, for who looks at the host to see none stay.
  private static final Duration LONGEST = Duration.ofSeconds(4);
  private static final int MOST = 256;
  // Among fewer, to make one costs next to nothing, and a host shows what is used only.
  private static final int MANY = 256;

  private final Map<Integer, Long> restingSince = new LinkedHashMap<>();
  private final Map<Integer, ClassStatistics> countedBefore = new HashMap<>();

  /**
   * Its conversation has ended: whether the class stays for another.
   *
   * @param installed all as last read; what still waits in a class is to go with it
   */
  boolean rest(int minor, Map<Integer, ClassStatistics> installed, long nanos) {
    boolean stays =
        installed.size() >= MANY && restingSince.size() < MOST && isIdle(minor, installed);
    if (stays) {
      restingSince.put(minor, nanos);
    } else {
      countedBefore.remove(minor);
    }
    return stays;
  }

  private static boolean isIdle(int minor, Map<Integer, ClassStatistics> installed) {
    return Optional.ofNullable(installed.get(minor)).filter(c -> c.backlogBytes() == 0).isPresent();
  }

  /** It is a conversation's; its counters begin anew where it was another's. */
  void wake(int minor, Optional<ClassStatistics> there) {
    if (restingSince.remove(minor) != null) {
      there.ifPresent(own -> countedBefore.merge(minor, own, ClassStatistics::plus));
    }
  }

  /** Those that have rested for long enough, or have more to send: they are not kept any more. */
  Set<Integer> end(Map<Integer, ClassStatistics> installed, long nanos) {
    Set<Integer> over = new HashSet<>();
    restingSince.forEach(
        (minor, since) -> {
          if (!isIdle(minor, installed) || nanos - since >= LONGEST.toNanos()) {
            over.add(minor);
          }
        });
    restingSince.keySet().removeAll(over);
    countedBefore.keySet().removeAll(over);
    return over;
  }

  /** What the present conversations' classes have counted, of all that they have. */
  Map<Integer, ClassStatistics> own(Map<Integer, ClassStatistics> read) {
    // Less than before is a class that somebody took away, and that was made anew.
    countedBefore
        .entrySet()
        .removeIf(
            before ->
                read.containsKey(before.getKey())
                    && read.get(before.getKey()).sentBytes() < before.getValue().sentBytes());
    countedBefore.forEach(
        (minor, before) -> read.computeIfPresent(minor, (m, c) -> c.minus(before)));
    return read;
  }
}
