package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.SolverBug;
import org.paceline.control.model.ConversationId;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;

/** A solver that fails in the middle of a day's work. */
final class SolverFaultTest {
  private final Allocator real = new NetworkAllocator(Optional.empty());
  private final Office office = new Office(PlannerSettings.DEFAULT, Set.of(), this::solve);
  private Optional<SolverBug> fault = Optional.empty();

  @ParameterizedTest
  @EnumSource
  void thePlanInForceStaysAndTheNextEventIsPlannedAgain(SolverBug bug) {
    office.state = OfficeNetwork.twoWays(10_000);
    office.attach(1);
    office.open(Office.conversation(1, "x", "files/copy"));
    office.settle();
    var before = office.planner.plan().grants();

    fault = Optional.of(bug);
    office.state = OfficeNetwork.twoWays(9_000);
    office.planner.networkChanged();
    office.open(Office.conversation(1, "y", "files/copy"));
    office.settle();
    assertThat(office.planner.plan().grants()).isEqualTo(before);

    fault = Optional.empty();
    office.open(Office.conversation(1, "z", "files/copy"));
    office.settle();
    assertThat(office.planner.plan().grants())
        .containsKeys(ConversationId.of("h1", "y"), ConversationId.of("h1", "z"));
  }

  private Outcome solve(Problem problem, SolveOptions options) {
    fault.ifPresent(SolverBug::thrown);
    return real.solve(problem, options);
  }
}
