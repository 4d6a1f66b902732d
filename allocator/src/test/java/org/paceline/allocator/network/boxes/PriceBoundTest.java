package org.paceline.allocator.network.boxes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** One application, a fast path and a slow one, and a table that pays for speed. */
class PriceBoundTest {
  private static final DataRate RATE = DataRate.ofKilobitsPerSecond(1000);

  private static final UtilityFunction SPEEDY =
      UtilityFunction.of(
          "speedy",
          List.of(RATE),
          List.of(Latency.ofMillis(10), Latency.ofMillis(100)),
          List.of(List.of(Utility.MAX, Utility.MIN)));

  @Test
  void aDearPathStaysWhereTheBestCellHasToTakeIt() {
    Problem problem =
        Problem.of(
            "two paths",
            Network.of(
                List.of("a", "b", "c"),
                List.of(link("a", "b", 5), link("a", "c", 25), link("c", "b", 25))),
            List.of(Application.of("one", "a", "b", SPEEDY)),
            0,
            Sharing.FREE);
    Field field = Field.of(problem).orElseThrow();
    Question question = Question.ofSum(field, field.parts().get(0), Utility.SCALE);
    Box box = Box.all(question);
    assertThat(box.settle()).isTrue();
    double[] prices = new double[question.links()];
    int fast = field.units.get(0).paths[0][0];
    // As much as two of utility for its rate, which the link earns again.
    prices[fast] = 2.0 * Utility.SCALE / RATE.millibitsPerSecond();

    PriceBound bound = new PriceBound(question, box, prices);
    bound.drop(4L * Utility.SCALE);

    assertThat(box.paths[0].get(0)).as("the path of the optimum, worth 5").isTrue();
  }

  private static Link link(String from, String to, int millis) {
    return Link.of(from, to, RATE, LinkDelay.constant(Latency.ofMillis(millis)));
  }
}
