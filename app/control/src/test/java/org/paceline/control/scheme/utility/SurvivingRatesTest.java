package org.paceline.control.scheme.utility;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.inventory.Routes;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.json.catalogue.Catalogue;

/** What a plan granted is found again from the rates alone, as after a restart. */
final class SurvivingRatesTest {
  private final PlanSolver solver =
      new PlanSolver(new NetworkAllocator(Optional.empty()), Ring.IN_PEACE, warning -> {});
  private final Routes routes = new Routes(PlannerSettings.DEFAULT.plannable(Diamond.of(40)));

  @ParameterizedTest
  @ValueSource(ints = {3, 10, 30, 60, 99, 100, 101, 140})
  void waysForRatesThatTheLinksCarriedAreFoundAgain(int number) {
    List<Application> applications = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      String function = List.of("ssh", "voip", "dl").get(i % 3);
      applications.add(Application.of("n" + i, "a", "b", Catalogue.function(function)));
    }
    Map<String, DataRate> rates = new TreeMap<>();
    Map<String, Grant> granted = solver.solve(applications, Set.of(), routes).grants;
    granted.forEach((id, grant) -> rates.put(id, grant.rate()));

    Map<String, Grant> again =
        solver.carry(Holdover.pinned(applications, rates), routes).orElseThrow();
    Map<String, DataRate> held = new TreeMap<>();
    again.forEach((id, grant) -> held.put(id, grant.rate()));
    assertThat(held).isEqualTo(rates);
    assertThat(Holdover.isHardlyWorse(again, granted, 50_000_000)).isTrue();
  }
}
