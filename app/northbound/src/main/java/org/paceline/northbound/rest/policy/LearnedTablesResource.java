package org.paceline.northbound.rest.policy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import org.paceline.control.api.LearningService;
import org.paceline.control.audit.Role;
import org.paceline.control.experience.LearnedCell;
import org.paceline.control.experience.LearnedTable;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.utility.UtilityFunctionJson;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;
import org.paceline.northbound.rest.view.PolicyJson;

/** What applications' reports teach of utility functions, and drafts of that. */
@Path("v1/learned-tables")
@Produces(MediaType.APPLICATION_JSON)
public final class LearnedTablesResource {
  private final Supplier<LearningService> learning;

  public LearnedTablesResource(Supplier<LearningService> learning) {
    this.learning = learning;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does =
          "Of each utility function that reports came for, what they say beside what it promises,"
              + " and the function that would be nearest to both: in the form of a policy's"
              + " utilityFunctions, to be put into a draft.",
      answer = "LearnedTables")
  public String listLearnedTables() {
    ObjectNode answer = Json.object();
    ArrayNode tables = answer.putArray("tables");
    learning.get().tables().forEach(table -> add(tables.addObject(), table));
    return answer.toString();
  }

  @PUT
  @Path("{function}/drafts/{name}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.BRANCH,
      does =
          "Keeps the intent tree in force as a draft, with the function as it was learned wherever"
              + " an intent names this one. Nothing goes by it.",
      takes = "Nothing",
      mayBeBodiless = true,
      answer = "PolicyDraft",
      refuses = 404)
  public String putLearnedDraft(
      @PathParam("function") String function,
      @PathParam("name") String name,
      byte[] body,
      @Context ContainerRequestContext request) {
    Json.read(body, Set.of());
    LearningService use = learning.get();
    IntentTree tree = use.refinedInForce(function);
    use.drafts().mustBeAllowed(Caller.user(request), name, tree);
    return PolicyJson.of(use.drafts().put(name, Caller.author(request), Json.text(body), tree))
        .toString();
  }

  private static void add(ObjectNode json, LearnedTable table) {
    json.put("name", table.name()).put("sinceMs", Json.millis(table.since()));
    UtilityFunction refined = table.refined();
    ArrayNode cells = json.putArray("cells");
    for (LearnedCell cell : table.cells()) {
      int t = cell.throughputBin();
      int d = cell.delayBin();
      ObjectNode one =
          cells
              .addObject()
              .put("rateKbps", Json.kbps(table.promised().throughput(t)))
              .put("delayMs", table.promised().delay(d).millis())
              .put("promised", table.promise(cell).value())
              .put("reports", cell.reports())
              .put("mean", cell.mean());
      if (cell.isEnough()) {
        one.put("plusMinus", cell.halfWidth()).put("isAway", table.isAway(cell));
      }
      one.put("refined", refined.utility(t, d).value());
    }
    json.put("refinedName", refined.name());
    json.set("refined", Json.parse(text(refined)));
  }

  private static String text(UtilityFunction function) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      UtilityFunctionJson.write(json, function);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
