package org.paceline.intents.check;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Four nodes: a direct link a -> b of 1000 kbit/s, 2 ms that grow to 22 ms when it is full, and a
 * detour a -> c -> b of 500 kbit/s and 25 ms.
 */
final class SmallWorld {
  static final LinkId DIRECT = LinkId.of("a", "b");
  static final LinkId DETOUR = LinkId.of("a", "c");

  /** Rows 200 and 400 kbit/s, columns 10 and 30 ms. */
  static final UtilityFunction F =
      UtilityFunction.of(
          "f",
          List.of(DataRate.ofKilobitsPerSecond(200), DataRate.ofKilobitsPerSecond(400)),
          List.of(Latency.ofMillis(10), Latency.ofMillis(30)),
          List.of(List.of(Utility.of(3), Utility.of(2)), List.of(Utility.of(3), Utility.of(3))));

  private SmallWorld() {}

  static Application application(String id, int count) {
    return Application.of(id, "a", "b", F, count, 0);
  }

  static Problem problem(Application... applications) {
    return problem(Sharing.FREE, applications);
  }

  static Problem problem(Sharing sharing, Application... applications) {
    DataRate full = DataRate.ofKilobitsPerSecond(1000);
    DataRate half = DataRate.ofKilobitsPerSecond(500);
    LinkDelay queue =
        LinkDelay.piecewise(
            List.of(DataRate.ofKilobitsPerSecond(800), full),
            List.of(Latency.ofMillis(2), Latency.ofMillis(22)));
    return Problem.of(
        "small",
        Network.of(
            List.of("a", "b", "c", "d"),
            List.of(
                Link.of("a", "b", full, queue),
                Link.of("a", "c", half, LinkDelay.constant(Latency.ofMillis(12))),
                Link.of("c", "b", half, LinkDelay.constant(Latency.ofMillis(13))),
                Link.of("a", "d", half, LinkDelay.constant(Latency.ofMillis(1))))),
        List.of(applications),
        Problem.PAPER_EPSILON,
        sharing);
  }

  static Grant grant(String id, int count, long kbps, long millis, int utility, String... path) {
    return Grant.of(
        id,
        count,
        DataRate.ofKilobitsPerSecond(kbps),
        Latency.ofMillis(millis),
        Utility.of(utility),
        Path.of(List.of(path)));
  }

  static Solution solution(double theta1, Grant... grants) {
    return solution(
        theta1,
        Certificate.of(
            Utility.MAX,
            Long.MAX_VALUE,
            Certificate.Proof.SOLVER,
            Map.of(),
            Optional.empty(),
            Map.of()),
        grants);
  }

  static Solution solution(double theta1, Certificate certificate, Grant... grants) {
    return Solution.of(Utility.of(BigDecimal.valueOf(theta1)), List.of(grants), certificate);
  }
}
