package org.paceline.agent.enforce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.paceline.agent.enforce.htb.TcRate;

class ClassChangesTest {

  @Property(seed = "20")
  void carriedOutTheyTurnWhatIsInstalledIntoWhatIsWanted(
      @ForAll("classes") Map<Integer, ClassRate> installed,
      @ForAll("classes") Map<Integer, ClassRate> wanted) {
    ClassChanges changes = ClassChanges.between(installed, wanted);

    Map<Integer, ClassRate> after = new HashMap<>(installed);
    changes.removed().forEach(after::remove);
    after.putAll(changes.changed());
    after.putAll(changes.added());
    assertThat(after).isEqualTo(wanted);
    assertThat(installed.keySet()).containsAll(changes.changed().keySet());
    assertThat(Collections.disjoint(installed.keySet(), changes.added().keySet())).isTrue();
    assertThat(ClassChanges.between(wanted, wanted).isEmpty()).isTrue();
  }

  @Provide
  Arbitrary<Map<Integer, ClassRate>> classes() {
    return Arbitraries.maps(
        Arbitraries.integers().between(1, 8),
        Combinators.combine(Arbitraries.longs().between(1, 3), Arbitraries.longs().between(1, 3))
            .as(ClassRate::upTo));
  }

  @Test
  void aClassThatStaysIsChangedAndNeverMadeAnew() {
    ClassChanges changes =
        ClassChanges.between(
            Map.of(10, ClassRate.of(1), 11, ClassRate.of(1)),
            Map.of(10, ClassRate.of(8_000_000), 11, ClassRate.upTo(1, 2)));

    assertThat(changes.changed())
        .isEqualTo(Map.of(10, ClassRate.of(8_000_000), 11, ClassRate.upTo(1, 2)));
    assertThat(changes.added()).isEmpty();
    assertThat(changes.removed()).isEmpty();
  }

  @Property(seed = "20")
  void theInstalledRateIsNeverAboveTheGrantAndAtMostAThousandthBelow(
      @ForAll @LongRange(min = 8_000, max = 100_000_000_000L) long granted) {
    long installed = TcRate.atMost(granted);

    assertThat(installed).isLessThanOrEqualTo(granted).isGreaterThan(granted - granted / 1_000 - 1);
  }
}
