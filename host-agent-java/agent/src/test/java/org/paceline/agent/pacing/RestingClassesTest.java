package org.paceline.agent.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.ClassStatistics;

class RestingClassesTest {
  private static final int ONE = 1;
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private final RestingClasses resting = new RestingClasses();

  @Test
  void anIdleClassStaysForAWhile() {
    assertThat(resting.rest(ONE, amongMany(sent(100, 0)), 0)).isTrue();
    assertThat(resting.end(Map.of(ONE, sent(100, 0)), 1)).isEmpty();
    assertThat(resting.end(Map.of(ONE, sent(100, 0)), MINUTE)).containsExactly(ONE);
    assertThat(resting.end(Map.of(ONE, sent(100, 0)), MINUTE)).isEmpty();
  }

  @Test
  void amongFewAClassIsNotKept() {
    assertThat(resting.rest(ONE, Map.of(ONE, sent(100, 0)), 0)).isFalse();
  }

  @Test
  void whatStillWaitsInAClassGoesWithIt() {
    assertThat(resting.rest(ONE, amongMany(sent(100, 1_514)), 0)).isFalse();
    assertThat(resting.rest(ONE, amongMany(sent(100, 0)), 0)).isTrue();
    assertThat(resting.end(Map.of(ONE, sent(100, 1_514)), 1)).containsExactly(ONE);
  }

  @Test
  void aClassThatSomebodyTookAwayIsNotKept() {
    assertThat(resting.rest(ONE, many(), 0)).isFalse();
    assertThat(resting.rest(ONE, amongMany(sent(100, 0)), 0)).isTrue();
    assertThat(resting.end(Map.of(), 1)).containsExactly(ONE);
  }

  @Test
  void eachConversationsCountersBeginAnew() {
    next(sent(100, 0));
    assertThat(own(sent(130, 0))).isEqualTo(sent(30, 0));
    next(own(sent(130, 0)));
    assertThat(own(sent(131, 9))).isEqualTo(sent(1, 9));
  }

  @Test
  void countersOfAClassThatWasMadeAnewAreItsOwn() {
    next(sent(100, 0));
    assertThat(own(sent(7, 0))).isEqualTo(sent(7, 0));
    assertThat(own(sent(120, 0))).isEqualTo(sent(120, 0));
  }

  @Test
  void aClassThatIsNotKeptLeavesNothingBehind() {
    next(sent(100, 0));
    resting.rest(ONE, amongMany(own(sent(110, 0))), 0);
    resting.end(Map.of(ONE, sent(10, 0)), MINUTE);
    assertThat(own(sent(500, 0))).isEqualTo(sent(500, 0));
  }

  /** The class is the next conversation's. */
  private void next(ClassStatistics own) {
    resting.rest(ONE, amongMany(own), 0);
    resting.wake(ONE, Optional.of(own));
  }

  private static Map<Integer, ClassStatistics> amongMany(ClassStatistics one) {
    Map<Integer, ClassStatistics> many = many();
    many.put(ONE, one);
    return many;
  }

  private static Map<Integer, ClassStatistics> many() {
    Map<Integer, ClassStatistics> many = new HashMap<>();
    for (int minor = ONE + 1; minor < 1_000; minor++) {
      many.put(minor, sent(0, 0));
    }
    return many;
  }

  private ClassStatistics own(ClassStatistics read) {
    Map<Integer, ClassStatistics> own = resting.own(new HashMap<>(Map.of(ONE, read)));
    return Optional.ofNullable(own.get(ONE)).orElseThrow();
  }

  private static ClassStatistics sent(long bytes, long backlog) {
    return new ClassStatistics(ONE, ClassRate.of(1_000_000), bytes, bytes / 10, 0, backlog);
  }
}
