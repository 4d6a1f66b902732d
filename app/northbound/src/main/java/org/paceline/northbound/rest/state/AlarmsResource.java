package org.paceline.northbound.rest.state;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.paceline.control.api.StateService;
import org.paceline.control.audit.Role;
import org.paceline.control.model.Alarm;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/** What is not as it should be and could not be put right. */
@Path("v1/alarms")
@Produces(MediaType.APPLICATION_JSON)
public final class AlarmsResource {
  private final Supplier<StateService> state;

  public AlarmsResource(Supplier<StateService> state) {
    this.state = state;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does = "What is not as planned and could not be put right.",
      answer = "Alarms")
  public String listAlarms() {
    ObjectNode answer = Json.object();
    ArrayNode alarms = answer.putArray("alarms");
    state.get().alarms().forEach(alarm -> alarms.add(json(alarm)));
    return answer.toString();
  }

  public static ObjectNode json(Alarm alarm) {
    ObjectNode json = Json.object().put("kind", alarm.kind().word());
    alarm.conversation().ifPresent(id -> json.put("conversation", id.toString()));
    alarm.setting().ifPresent(name -> json.put("setting", name));
    alarm.reservation().ifPresent(id -> json.put("reservation", id));
    alarm.exporter().ifPresent(address -> json.put("exporter", address));
    alarm.intent().ifPresent(name -> json.put("intent", name));
    alarm.agent().ifPresent(host -> json.put("agent", host));
    alarm.application().ifPresent(name -> json.put("application", name));
    alarm.utilityFunction().ifPresent(name -> json.put("utilityFunction", name));
    alarm.likelyCause().ifPresent(cause -> json.put("likelyCause", cause.word()));
    alarm
        .link()
        .ifPresent(link -> json.putObject("link").put("from", link.from()).put("to", link.to()));
    return json.put("sentence", alarm.sentence()).put("sinceMs", Json.millis(alarm.since()));
  }
}
