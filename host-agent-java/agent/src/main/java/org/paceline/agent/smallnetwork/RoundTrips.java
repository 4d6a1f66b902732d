package org.paceline.agent.smallnetwork;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * How long pings wait on their way: the middle of the last three answers, less the shortest of the
 * last minutes. Owned by one thread.
 */
final class RoundTrips {
  /** A way that has become a longer one is known as such after it. */
  private static final Duration REMEMBERED = Duration.ofMinutes(10);

  private static final Duration FRESH = Duration.ofSeconds(5);

  // One alone may have waited for a processor.
  private static final int TOLD_BY = 3;

  private final Deque<Answer> answers = new ArrayDeque<>();

  private record Answer(long nanos, long took) {}

  void answered(Duration took, long nanos) {
    answers.addLast(new Answer(nanos, took.toNanos()));
    while (nanos - answers.getFirst().nanos() > REMEMBERED.toNanos()) {
      answers.removeFirst();
    }
  }

  /** Empty where too few were answered to tell. */
  Optional<Duration> waiting(long nanos) {
    long[] last =
        answers.stream()
            .skip(Math.max(0, answers.size() - TOLD_BY))
            .filter(one -> nanos - one.nanos() <= FRESH.toNanos())
            .mapToLong(Answer::took)
            .sorted()
            .toArray();
    if (last.length < TOLD_BY) {
      return Optional.empty();
    }
    long shortest = answers.stream().mapToLong(Answer::took).min().orElseThrow();
    return Optional.of(Duration.ofNanos(last[TOLD_BY / 2] - shortest));
  }
}
