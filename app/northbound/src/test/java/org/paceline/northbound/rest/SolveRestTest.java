package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.cli.solve.SolveCommand;

/** Problems that are solved beside the plan, by REST and by the shell. */
final class SolveRestTest {
  /** Three of which two get all that they need. */
  static final String PROBLEM =
      "{\"nodes\":[\"a\",\"b\"],\"links\":[{\"from\":\"a\",\"to\":\"b\",\"capacityKbps\":2100,"
          + "\"usageKbps\":[0,2100],\"delayMs\":[2,2]}],\"utilityFunctions\":{\"web\":{"
          + "\"throughputKbps\":[50,1000],\"delayMs\":[10],\"utility\":[[2],[5]]}},"
          + "\"applications\":[{\"id\":\"w\",\"from\":\"a\",\"to\":\"b\","
          + "\"utilityFunction\":\"web\",\"count\":3}]}";

  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);
  private final Shell shell = new Shell(paceline);

  @Test
  void aProblemThatIsSentIsSolvedByEachMethodAndChangesNothing() {
    JsonNode before = rest.get("plan").json();
    int changes = paceline.log().size();
    for (String method : new String[] {"auto", "exact", "network"}) {
      JsonNode trial = rest.send("POST", "solve?method=" + method, PROBLEM).json();
      assertThat(trial.path("method").asText()).isEqualTo(method);
      assertThat(trial.path("outcome").asText()).isEqualTo("solved");
      assertThat(trial.path("solution").path("sumUtility").asDouble()).isEqualTo(12);
      assertThat(trial.path("certificate").path("accepted").asBoolean()).isTrue();
    }
    assertThat(rest.get("plan").json()).isEqualTo(before);
    assertThat(paceline.log()).hasSize(changes);
  }

  /** OR-Tools is not among the libraries of these tests. */
  @Test
  void whatAMethodCannotDoIsSaidAndNoOtherAnswers() {
    JsonNode trial = rest.send("POST", "solve?method=milp", PROBLEM).json();
    assertThat(trial.path("outcome").asText()).isEqualTo("undecided");
    assertThat(trial.path("why").asText()).contains("OR-Tools cannot be loaded");
    assertThat(trial.has("solution")).isFalse();
    JsonNode full =
        rest.send("POST", "solve", PROBLEM.replace("\"capacityKbps\":2100", "\"capacityKbps\":100"))
            .json();
    assertThat(full.path("outcome").asText()).isEqualTo("infeasible");
  }

  @Test
  void whatThePlanWasMadeForIsSolvedAgain() throws Exception {
    assertThat(rest.send("POST", "solve/present", "").status).isEqualTo(409);
    paceline.talk("a", "web-browsing");
    paceline.settle();
    JsonNode trial = rest.send("POST", "solve/present?method=exact", "").json();
    double planned = rest.get("plan").json().path("grants").path(0).path("utility").asDouble();
    assertThat(trial.path("solution").path("sumUtility").asDouble()).isEqualTo(planned);
    assertThat(shell.run(new SolveCommand(), "exact"))
        .contains("Solved by exact", "the certificate is accepted");
    assertThat(shell.run(new SolveCommand(), "milp --limit 5"))
        .contains("No solution by milp", "OR-Tools cannot be loaded");
  }

  /** As many as have their turns at once; one more is told to come again. */
  @Test
  void twoUsersSolveAtOnce() {
    List<CompletableFuture<Void>> solving = new ArrayList<>();
    for (String user : List.of("anna", "bert")) {
      solving.add(
          CompletableFuture.runAsync(
              () -> solvesAgainAndAgain(user), run -> new Thread(run).start()));
    }
    solving.forEach(CompletableFuture::join);
  }

  private void solvesAgainAndAgain(String user) {
    for (int i = 0; i < 30; i++) {
      RestClient.Answer answer = rest.of(user).send("POST", "solve?method=network", PROBLEM);
      assertThat(answer.status).as(user + i + answer).isEqualTo(200);
    }
  }

  @Test
  void whatCannotBeAskedForIsRefused() {
    for (String query :
        new String[] {"method=best", "timeLimitSeconds=0", "timeLimitSeconds=301"}) {
      assertThat(rest.send("POST", "solve?" + query, PROBLEM).status).as(query).isEqualTo(400);
    }
    assertThat(rest.send("POST", "solve", "{}").status).isEqualTo(400);
    assertThat(rest.send("POST", "solve", PROBLEM.replace("\"count\":3", "\"count\":10001")).text)
        .contains("10001 applications", "Maybe");
  }
}
