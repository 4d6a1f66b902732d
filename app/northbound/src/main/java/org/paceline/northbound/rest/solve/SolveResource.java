package org.paceline.northbound.rest.solve;

import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;
import org.paceline.control.api.SolverService;
import org.paceline.control.audit.Role;
import org.paceline.control.explain.TrialSolver;
import org.paceline.control.operations.Operations;
import org.paceline.control.port.ProblemFile;
import org.paceline.control.settings.SolverMethod;
import org.paceline.intents.problem.Problem;
import org.paceline.northbound.rest.operations.Asynchronous;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.request.Query;
import org.paceline.northbound.rest.view.Json;
import org.paceline.northbound.rest.view.SolverTrialJson;

/** Problems that are solved beside the plan in force. */
@Path("v1/solve")
@Produces(MediaType.APPLICATION_JSON)
public final class SolveResource {
  private final Supplier<SolverService> solver;
  private final Supplier<Operations> operations;

  public SolveResource(Supplier<SolverService> solver, Supplier<Operations> operations) {
    this.solver = solver;
    this.operations = operations;
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.VIEWER,
      does =
          "Solves the problem that is sent, by one method, beside the plan in force. Nothing"
              + " changes or is kept.",
      takes = "AllocationProblem",
      answer = "SolverTrial",
      mayTakeLong = true)
  public Response solveProblem(
      byte[] body,
      @QueryParam("method") @Nullable String method,
      @QueryParam("timeLimitSeconds") @Nullable String seconds,
      @Context ContainerRequestContext request) {
    ProblemFile file = solver.get().problemFile();
    return answer(() -> file.read(body), method, seconds, request);
  }

  @POST
  @Path("present")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.VIEWER,
      does =
          "Solves again, by one method, what the plan in force was made for. Nothing changes or is"
              + " kept.",
      takes = "Nothing",
      mayBeBodiless = true,
      answer = "SolverTrial",
      mayTakeLong = true)
  public Response solvePresent(
      byte[] body,
      @QueryParam("method") @Nullable String method,
      @QueryParam("timeLimitSeconds") @Nullable String seconds,
      @Context ContainerRequestContext request) {
    Json.read(body, Set.of());
    return answer(solver.get()::presentProblem, method, seconds, request);
  }

  private Response answer(
      Supplier<Problem> problem,
      @Nullable String method,
      @Nullable String seconds,
      ContainerRequestContext request) {
    SolverMethod by = method == null ? SolverMethod.AUTO : SolverMethod.parse(method);
    Duration limit =
        Duration.ofSeconds(
            Query.number(
                "timeLimitSeconds",
                seconds,
                1,
                TrialSolver.GREATEST_LIMIT.toSeconds(),
                TrialSolver.USUAL_LIMIT.toSeconds()));
    return Asynchronous.answerInTurn(
        operations.get(),
        request,
        "A problem is solved by " + by.word() + ".",
        () -> SolverTrialJson.of(TrialSolver.solve(problem.get(), by, limit)));
  }
}
