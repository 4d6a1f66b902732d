package org.paceline.northbound.rest.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Role;
import org.paceline.control.settings.Setting;
import org.paceline.control.settings.SettingState;
import org.paceline.control.settings.SettingTable;
import org.paceline.control.settings.Settings;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/** The settings, each a resource that is replaced as a whole: its value. */
@Path("v1/settings")
@Produces(MediaType.APPLICATION_JSON)
public final class SettingsResource {
  private final Supplier<Settings> settings;

  public SettingsResource(Supplier<Settings> settings) {
    this.settings = settings;
  }

  @GET
  @Operation(
      needs = Role.VIEWER,
      does = "All settings, with their values, defaults and ranges.",
      answer = "Settings")
  public String listSettings() {
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("settings");
    settings().all().forEach(state -> list.add(json(state)));
    return answer.toString();
  }

  @GET
  @Path("{setting}")
  @Operation(needs = Role.VIEWER, does = "One of them.", answer = "Setting", refuses = 404)
  public String getSetting(@PathParam("setting") String name) {
    return json(known(name)).toString();
  }

  @PUT
  @Path("{setting}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      needs = Role.ADMIN,
      does = "Sets one, if the value lies in its range.",
      takes = "SettingValue",
      answer = "Setting",
      refuses = 404)
  public String setSetting(
      @PathParam("setting") String name, byte[] body, @Context ContainerRequestContext request) {
    JsonNode value = Json.read(body, Set.of("value")).path("value");
    if (!value.isValueNode() || value.isNull()) {
      throw new IllegalArgumentException(
          "The value is lacking, or is neither a number, true, false nor a text. Maybe"
              + " {\"value\": "
              + text(SettingTable.find(name).map(Setting::example).orElse(""))
              + "}.");
    }
    known(name);
    settings().set(Caller.author(request), Json.text(body), Map.of(name, value.asText()));
    return json(known(name)).toString();
  }

  @DELETE
  @Path("{setting}")
  @Operation(
      needs = Role.ADMIN,
      does = "Sets one back to its default.",
      success = 204,
      refuses = {400, 404})
  public Response resetSetting(
      @PathParam("setting") String name, @Context ContainerRequestContext request) {
    known(name);
    settings().reset(Caller.author(request), "", List.of(name));
    return Response.noContent().build();
  }

  private Settings settings() {
    return settings.get();
  }

  private SettingState known(String name) {
    return settings()
        .find(name)
        .orElseThrow(
            () ->
                new Absent(
                    "There is no setting (" + name + "). Maybe the list names the one you mean."));
  }

  public static ObjectNode json(SettingState state) {
    Setting setting = state.setting();
    ObjectNode json =
        Json.object()
            .put("name", setting.name())
            .put("kind", setting.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    json.set("value", typed(setting, state.value()));
    json.set("default", typed(setting, setting.byDefault()));
    json.put("mustBe", setting.takes())
        .put("meaning", setting.meaning())
        .put("isReadAtStart", setting.isReadAtStart());
    if (setting.kind() == Setting.Kind.NUMBER) {
      json.put("least", setting.isZeroAllowed() ? 0 : setting.least())
          .put("greatest", setting.greatest());
    }
    state.stored().ifPresent(text -> json.put("stored", text));
    state.trouble().ifPresent(why -> json.put("trouble", why));
    return json;
  }

  private static JsonNode typed(Setting setting, String text) {
    return setting.kind() == Setting.Kind.NUMBER || setting.kind() == Setting.Kind.YES_OR_NO
        ? Json.parse(text)
        : text(text);
  }

  private static JsonNode text(String text) {
    return Json.object().put("text", text).path("text");
  }
}
