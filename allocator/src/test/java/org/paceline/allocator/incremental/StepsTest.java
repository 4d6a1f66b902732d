package org.paceline.allocator.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.catalogue.Catalogue;

class StepsTest {
  private static final long FLOOR = 2 * Utility.SCALE;

  @Test
  void everyStepKnowsWhereItLosesLeastAndGainsMostOfAllStepsAboveTheFloor() {
    for (UtilityFunction function : Catalogue.load().values()) {
      Steps steps = Steps.of(function, 0, FLOOR).orElseThrow();
      for (int at = steps.first(); at < steps.size(); at++) {
        assertThat(steps.utility(at)).isGreaterThanOrEqualTo(FLOOR);
        for (int other = steps.first(); other < steps.size(); other++) {
          if (other < at) {
            assertThat(steps.loss(at)).isLessThanOrEqualTo(slope(steps, other, at));
          }
          for (long room = 0; other > at && room < 20_000_000_000L; room += 700_000_000) {
            int best = steps.higher(at, room);
            assertThat(steps.rate(best) - steps.rate(at)).isLessThanOrEqualTo(room);
            if (steps.rate(other) - steps.rate(at) <= room) {
              assertThat(steps.gain(at, best)).isGreaterThanOrEqualTo(slope(steps, at, other));
            }
          }
        }
      }
      assertThat(steps.loss(steps.first())).isInfinite();
    }
  }

  @Test
  void whatIsWantedAtAPriceIsWorthMostThere() {
    for (UtilityFunction function : Catalogue.load().values()) {
      Steps steps = Steps.of(function, 0, FLOOR).orElseThrow();
      for (double price = 0; price < 3; price += 0.1) {
        int wanted = steps.wanted(price);
        assertThat(steps.utility(wanted) - steps.rate(wanted) * price)
            .isGreaterThan(steps.worth(price) - 1);
      }
    }
  }

  private static double slope(Steps steps, int from, int to) {
    return (steps.utility(to) - steps.utility(from)) / (double) (steps.rate(to) - steps.rate(from));
  }
}
