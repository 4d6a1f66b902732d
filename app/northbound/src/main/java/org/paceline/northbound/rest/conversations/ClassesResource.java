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
import org.paceline.control.view.ClassMembers;
import org.paceline.control.view.ClassView;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/** The service classes that conversations are of. */
@Path("v1/classes")
@Produces(MediaType.APPLICATION_JSON)
public final class ClassesResource {
  private final Supplier<ConversationService> conversations;

  public ClassesResource(Supplier<ConversationService> conversations) {
    this.conversations = conversations;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does = "The service classes that conversations are of, and what these are given and send.",
      answer = "Classes")
  public String listClasses() {
    ObjectNode answer = Json.object();
    ArrayNode classes = answer.putArray("classes");
    conversations.get().classes().forEach(one -> add(classes.addObject(), one));
    return answer.toString();
  }

  private static void add(ObjectNode json, ClassView one) {
    json.put("intent", one.serviceClass().toString()).put("weight", one.weight());
    add(json, one.all());
    ArrayNode subClasses = json.putArray("subClasses");
    one.subClasses()
        .forEach((name, part) -> add(subClasses.addObject().put("subClass", name), part));
  }

  private static void add(ObjectNode json, ClassMembers one) {
    json.put("conversations", one.conversations())
        .put("granted", one.grants().size())
        .put("grantedKbps", Json.kbps(one.granted()));
    one.least().ifPresent(rate -> json.put("leastKbps", Json.kbps(rate)));
    one.greatest().ifPresent(rate -> json.put("greatestKbps", Json.kbps(rate)));
    json.put("measuredKbps", Json.kbps(one.measured()));
  }
}
