package org.paceline.control.scheme.utility;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.paceline.control.inventory.Routes;
import org.paceline.intents.problem.Application;

/** A ring of four, where everybody has two ways. */
final class LiveNetworkTest {
  @Test
  void oneMoreOnANetworkIsFollowedAndNotSolvedAnew() {
    Planning planning = new Planning();
    for (int i = 0; i < 20; i++) {
      planning.come(i);
    }
    PlanAnswer before = planning.answer();
    assertThat(before.method()).isEqualTo("network");
    planning.come(20);
    planning.go(3);
    PlanAnswer answer = planning.answer();
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
    planning.routes = new Routes(Ring.of(9_000));
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
  @Property(tries = 5, seed = "20")
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
      PlanAnswer answer = planning.answer();
      assertThat(answer.grants.keySet()).isEqualTo(planning.ids());
      Ring.assertCarried(planning.routes.network(), answer.grants.values());
    }
  }

  /** A solver that is asked again and again. */
  private static final class Planning {
    final PlanSolver solver = new PlanSolver(Ring.NEARLY, Ring.IN_PEACE, warning -> {});
    final LiveNetwork live = new LiveNetwork();
    final List<Application> present = new ArrayList<>();
    Routes routes = new Routes(Ring.of(10_000));

    void come(int number) {
      present.add(Ring.application(number));
    }

    void go(int index) {
      present.remove(index);
    }

    Set<String> ids() {
      Set<String> ids = new java.util.HashSet<>();
      present.forEach(a -> ids.add(a.id()));
      return ids;
    }

    PlanAnswer answer() {
      return solver.solve(List.copyOf(present), Set.of(), routes, live);
    }
  }
}
