package org.paceline.northbound.rest.conversations;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.paceline.control.api.ConversationService;
import org.paceline.control.audit.Role;
import org.paceline.control.inventory.LedgerEntry;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/** What is lent of reservations. */
@Path("v1/ledger")
@Produces(MediaType.APPLICATION_JSON)
public final class LedgerResource {
  private final Supplier<ConversationService> conversations;

  public LedgerResource(Supplier<ConversationService> conversations) {
    this.conversations = conversations;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does =
          "Who has what of whose adaptive reservation at which link, and of the last 1000 loans when"
              + " each came back.",
      answer = "Ledger")
  public String listLoans() {
    ObjectNode answer = Json.object();
    ArrayNode loans = answer.putArray("loans");
    conversations.get().ledger().forEach(one -> add(loans.addObject(), one));
    return answer.toString();
  }

  private static void add(ObjectNode json, LedgerEntry one) {
    json.putObject("link").put("from", one.link().from()).put("to", one.link().to());
    json.put("lender", one.lender().toString())
        .put("borrower", one.borrower().toString())
        .put("rateKbps", Json.kbps(one.rate()))
        .put("since", one.since().toString());
    one.returnedAt().ifPresent(at -> json.put("returnedAt", at.toString()));
  }
}
