package org.paceline.control.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** A ring of four, where everybody has two ways. */
final class LiveNetworkTest {
  private static final UtilityFunction STEPS = steps();

  @Test
  void oneMoreOnANetworkIsFollowedAndNotSolvedAnew() {
    Planning planning = new Planning();
    for (int i = 0; i < 20; i++) {
      planning.come(i);
    }
    PlanSolver.Answer before = planning.answer();
    assertThat(before.method()).isEqualTo("network");
    planning.come(20);
    planning.go(3);
    PlanSolver.Answer answer = planning.answer();
    assertThat(answer.method()).isEqualTo("incremental");
    assertThat(answer.grants.keySet()).isEqualTo(planning.ids());
    assertThat(answer.gap).isLessThanOrEqualTo(before.gap + 0.05);
  }

  @Test
  void aChangedNetworkIsSolvedAnew() {
    Planning planning = new Planning();
    for (int i = 0; i < 20; i++) {
      planning.come(i);
    }
    planning.answer();
    planning.routes = new Routes(ring(9_000));
    assertThat(planning.answer().method()).isEqualTo("network");
  }

  @Test
  void whereAQuarterHasChangedAllIsSolvedAnew() {
    Planning planning = new Planning();
    for (int i = 0; i < 40; i++) {
      planning.come(i);
    }
    planning.answer();
    for (int i = 40; i < 60; i++) {
      planning.come(i);
    }
    assertThat(planning.answer().method()).isEqualTo("network");
  }

  /** Whoever comes and goes: everybody present has a grant, and no link carries too much. */
  @Property(tries = 5)
  void whatIsFollowedIsAPlan(@ForAll long seed) {
    Random random = new Random(seed);
    Planning planning = new Planning();
    int next = 0;
    for (; next < 12; next++) {
      planning.come(next);
    }
    for (int event = 0; event < 25; event++) {
      if (random.nextBoolean() || planning.present.size() < 5) {
        planning.come(next++);
      } else {
        planning.present.remove(random.nextInt(planning.present.size()));
      }
      PlanSolver.Answer answer = planning.answer();
      assertThat(answer.grants.keySet()).isEqualTo(planning.ids());
      Map<LinkId, Long> loads = new HashMap<>();
      answer
          .grants
          .values()
          .forEach(
              grant ->
                  grant
                      .path()
                      .hops()
                      .forEach(
                          hop -> loads.merge(hop, grant.rate().millibitsPerSecond(), Long::sum)));
      for (Link link : planning.routes.network().links()) {
        assertThat(loads.getOrDefault(link.id(), 0L)).isLessThanOrEqualTo(link.limitMillibits());
      }
    }
  }

  /** A solver that is asked again and again. */
  private static final class Planning {
    final PlanSolver solver =
        new PlanSolver(
            new NetworkAllocator(Optional.empty()),
            PlannerSettings.DEFAULT.toBuilder().solveLimit(Duration.ofMillis(50)).build());
    final LiveNetwork live = new LiveNetwork();
    final List<Application> present = new ArrayList<>();
    Routes routes = new Routes(ring(10_000));

    void come(int number) {
      int from = number % 4;
      present.add(
          Application.of("h/" + number, "n" + from, "n" + (from + 1 + number % 3) % 4, STEPS));
    }

    void go(int index) {
      present.remove(index);
    }

    Set<String> ids() {
      Set<String> ids = new java.util.HashSet<>();
      present.forEach(a -> ids.add(a.id()));
      return ids;
    }

    PlanSolver.Answer answer() {
      return solver.solve(List.copyOf(present), Set.of(), routes, live);
    }
  }

  private static UtilityFunction steps() {
    List<DataRate> rates = new ArrayList<>();
    List<List<Utility>> utilities = new ArrayList<>();
    for (int t = 0; t < 40; t++) {
      rates.add(DataRate.ofKilobitsPerSecond(100 * (t + 1)));
      utilities.add(List.of(Utility.of(1 + 4 * Math.sqrt(t / 39.0))));
    }
    return UtilityFunction.of("steps", rates, List.of(Latency.ofMillis(100)), utilities);
  }

  private static Network ring(long kbps) {
    List<Link> links = new ArrayList<>();
    LinkDelay delay = LinkDelay.constant(Latency.ofMillis(1));
    for (int i = 0; i < 4; i++) {
      String a = "n" + i;
      String b = "n" + (i + 1) % 4;
      links.add(Link.of(a, b, DataRate.ofKilobitsPerSecond(kbps), delay));
      links.add(Link.of(b, a, DataRate.ofKilobitsPerSecond(kbps), delay));
    }
    return Network.of(List.of("n0", "n1", "n2", "n3"), links);
  }
}
