package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.model.ConversationId;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Infeasible;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;

/** A machine on which a solver with little time comes to no end. */
final class PatienceTest {
  private final Allocator real = new NetworkAllocator(Optional.empty());
  private final Office office = new Office(PlannerSettings.DEFAULT, Set.of(), this::slowly);

  @BeforeEach
  void twoConversationsWithAChoiceOfWays() {
    office.state = OfficeNetwork.twoWays(10_000);
    office.attach(1);
    office.open(Office.conversation(1, "x", "files/copy"));
    office.open(Office.conversation(1, "y", "files/copy"));
    office.settle();
    assertThat(worst()).isEqualTo(1);
  }

  @Test
  void whatRanOutOfTimeIsSolvedAgainInPeace() {
    office.worker.pass(Duration.ofSeconds(3));
    office.settle();
    assertThat(worst()).isEqualTo(5);
  }

  @Test
  void whoeverComesMeanwhileIsServedFirst() {
    office.worker.pass(Duration.ofSeconds(1));
    office.open(Office.conversation(1, "z", "files/copy"));
    office.settle();
    office.worker.pass(Duration.ofMillis(1_500));
    assertThat(worst()).as("calm is counted from the last event").isEqualTo(1);
    assertThat(office.planner.plan().grants()).containsKey(ConversationId.of("h1", "z"));
  }

  private Outcome slowly(Problem problem, SolveOptions options) {
    return options.timeLimit().compareTo(Office.NO_HURRY) > 0
        ? real.solve(problem, options)
        : Outcome.infeasible(
            Infeasible.of(Infeasible.Reason.UNDECIDED, "h1/x", Optional.empty(), "Time ran out."));
  }

  private double worst() {
    return office.planner.plan().grants().values().stream()
        .map(Grant::utility)
        .mapToDouble(u -> u.billionths() / 1e9)
        .min()
        .orElseThrow();
  }
}
