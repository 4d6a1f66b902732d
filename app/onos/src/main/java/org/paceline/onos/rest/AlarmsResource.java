package org.paceline.onos.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;

/** What is not as it should be and could not be put right. */
@Path("v1/alarms")
@Produces(MediaType.APPLICATION_JSON)
public final class AlarmsResource {
  @GET
  public String alarms() {
    ObjectNode answer = Json.object();
    ArrayNode alarms = answer.putArray("alarms");
    Json.useCases()
        .reconciler()
        .alarms()
        .forEach(
            alarm ->
                alarms
                    .addObject()
                    .put("conversation", alarm.conversation().toString())
                    .put("sentence", alarm.sentence())
                    .put("sinceMs", Json.millis(alarm.since())));
    return answer.toString();
  }
}
