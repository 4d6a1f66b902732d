package org.paceline.northbound.restconf.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import org.paceline.control.api.ConversationService;
import org.paceline.control.view.ClassMembers;
import org.paceline.control.view.ClassView;

/** Data of module paceline-classes. */
public final class ClassData {
  private ClassData() {}

  /** Rates are in kbit/s. */
  public static JsonObject of(ConversationService use) {
    JsonArray classes = new JsonArray();
    use.classes().forEach(one -> classes.add(json(one)));
    JsonObject data = new JsonObject();
    if (!classes.isEmpty()) {
      data.add("class", classes);
    }
    return data;
  }

  private static JsonObject json(ClassView one) {
    JsonObject json = new JsonObject();
    json.addProperty("intent", one.serviceClass().toString());
    json.addProperty("weight", one.weight());
    add(json, one.all());
    JsonArray subClasses = new JsonArray();
    one.subClasses()
        .forEach(
            (name, part) -> {
              JsonObject each = new JsonObject();
              each.addProperty("name", name);
              add(each, part);
              subClasses.add(each);
            });
    if (!subClasses.isEmpty()) {
      json.add("sub-class", subClasses);
    }
    return json;
  }

  private static void add(JsonObject json, ClassMembers one) {
    json.addProperty("conversations", one.conversations());
    json.addProperty("granted", Leaf.rate(one.granted()));
    one.least().ifPresent(rate -> json.addProperty("least", Leaf.rate(rate)));
    one.greatest().ifPresent(rate -> json.addProperty("greatest", Leaf.rate(rate)));
    json.addProperty("measured", Leaf.rate(one.measured()));
  }
}
