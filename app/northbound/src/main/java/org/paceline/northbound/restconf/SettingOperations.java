package org.paceline.northbound.restconf;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.paceline.control.audit.Role;
import org.paceline.control.settings.Setting;
import org.paceline.control.settings.SettingState;
import org.paceline.control.settings.SettingTable;
import org.paceline.control.settings.Settings;
import org.paceline.yang.restconf.Operation;

/** The RPCs and the data of module paceline-settings. */
final class SettingOperations {
  private final Supplier<Settings> settings;

  SettingOperations(Supplier<Settings> settings) {
    this.settings = settings;
  }

  Map<String, Operation<Requester>> all() {
    return Map.of(
        "paceline-settings:change-settings",
        new Changing(Role.ADMIN, this::change),
        "paceline-settings:reset-settings",
        new Changing(Role.ADMIN, this::reset));
  }

  JsonObject data() {
    JsonObject data = new JsonObject();
    JsonArray otherwise = new JsonArray();
    for (SettingState state : settings().all()) {
      data.add(leaf(state.setting()), typed(state.setting(), state.value()));
      state
          .stored()
          .ifPresent(
              text -> {
                JsonObject one = new JsonObject();
                one.addProperty("name", leaf(state.setting()));
                one.addProperty("stored", text);
                state.trouble().ifPresent(why -> one.addProperty("trouble", why));
                otherwise.add(one);
              });
    }
    if (!otherwise.isEmpty()) {
      data.add("stored-otherwise", otherwise);
    }
    return data;
  }

  private JsonObject change(JsonObject input, Requester who) {
    Map<String, String> wanted = new TreeMap<>();
    for (Setting setting : SettingTable.all()) {
      JsonElement value = input.get(leaf(setting));
      if (value != null) {
        wanted.put(setting.name(), value.getAsString());
      }
    }
    settings().set(who.author(), who.body(), wanted);
    return new JsonObject();
  }

  private JsonObject reset(JsonObject input, Requester who) {
    List<String> names = new ArrayList<>();
    String leaf = input.get("name").getAsString();
    SettingTable.all().stream()
        .filter(setting -> leaf(setting).equals(leaf))
        .forEach(setting -> names.add(setting.name()));
    settings().reset(who.author(), who.body(), names);
    return new JsonObject();
  }

  private Settings settings() {
    return settings.get();
  }

  private static JsonElement typed(Setting setting, String text) {
    switch (setting.kind()) {
      case NUMBER:
        return new JsonPrimitive(Integer.valueOf(text));
      case YES_OR_NO:
        return new JsonPrimitive(Boolean.valueOf(text));
      default:
        return new JsonPrimitive(text);
    }
  }

  /** As YANG writes names: usable-thousandths for usableThousandths. */
  static String leaf(Setting setting) {
    return setting.name().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
