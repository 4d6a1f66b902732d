package org.paceline.northbound.restconf.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.paceline.control.api.StateService;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.ConversationId;
import org.paceline.control.planning.Plan;
import org.paceline.control.planning.PlanSummary;
import org.paceline.control.view.StateView;

/** Data of module paceline-plan. */
public final class PlanData {
  private static final int GAP_DIGITS = 9;
  private static final int MILLI_DIGITS = 6;

  private PlanData() {}

  /**
   * The time that a plan took is in ms; its gap has no unit: it is relative to the proven bound.
   */
  public static JsonObject of(StateService use) {
    StateView now = use.now();
    Plan plan = now.plan();
    PlanSummary summary = now.summary();
    JsonObject data = outcome(now);
    data.addProperty("method", summary.method());
    data.addProperty(
        "elapsed", Leaf.decimal(BigDecimal.valueOf(summary.elapsed().toNanos(), MILLI_DIGITS)));
    if (Double.isFinite(summary.gap())) {
      data.addProperty(
          "gap",
          Leaf.decimal(
              BigDecimal.valueOf(summary.gap()).setScale(GAP_DIGITS, RoundingMode.CEILING)));
    }
    if (!summary.remarks().isEmpty()) {
      JsonArray remarks = new JsonArray();
      // A leaf-list of state may hold a value twice, but nobody gains by reading it so.
      summary.remarks().stream().distinct().forEach(remarks::add);
      data.add("remark", remarks);
    }
    list(
        data,
        "unserved",
        plan.unserved().entrySet(),
        entry -> {
          JsonObject json = reference(entry.getKey());
          json.addProperty("reason", entry.getValue().reason());
          return json;
        });
    Map<String, List<Alarm>> alarms =
        use.alarms().stream().collect(Collectors.groupingBy(PlanData::kind));
    for (String kind :
        List.of(
            "alarm",
            "setting-alarm",
            "reservation-alarm",
            "link-alarm",
            "exporter-alarm",
            "intent-alarm",
            "controller-alarm")) {
      list(data, kind, alarms.getOrDefault(kind, List.of()), PlanData::alarm);
    }
    list(data, "agent", use.agents(), PlanData::agent);
    return data;
  }

  /** Utilities are from 1 to 5. */
  public static JsonObject outcome(StateView now) {
    PlanSummary summary = now.summary();
    JsonObject json = new JsonObject();
    json.addProperty("mode", now.mode().word());
    json.addProperty("version", String.valueOf(now.plan().version()));
    json.addProperty("granted", now.granted());
    summary.minimumUtility().ifPresent(u -> json.addProperty("minimum-utility", Leaf.utility(u)));
    summary.meanUtility().ifPresent(u -> json.addProperty("mean-utility", Leaf.utility(u)));
    return json;
  }

  private static String kind(Alarm alarm) {
    return alarm.setting().isPresent()
        ? "setting-alarm"
        : alarm.reservation().isPresent()
            ? "reservation-alarm"
            : alarm.link().isPresent()
                ? "link-alarm"
                : alarm.exporter().isPresent()
                    ? "exporter-alarm"
                    : alarm.intent().isPresent()
                        ? "intent-alarm"
                        : alarm.conversation().isPresent() ? "alarm" : "controller-alarm";
  }

  /** As a list of alarms and a notification have it; the moment is in UTC. */
  public static JsonObject alarm(Alarm alarm) {
    JsonObject json = alarm.conversation().map(PlanData::reference).orElseGet(JsonObject::new);
    alarm.setting().ifPresent(name -> json.addProperty("setting", name));
    alarm.reservation().ifPresent(id -> json.addProperty("reservation", id));
    alarm.exporter().ifPresent(address -> json.addProperty("exporter", address));
    alarm.intent().ifPresent(name -> json.addProperty("intent", name));
    alarm.link().ifPresent(link -> json.addProperty("link", link.toString()));
    if (kind(alarm).equals("controller-alarm")) {
      json.addProperty("part", alarm.about());
    }
    alarm.likelyCause().ifPresent(cause -> json.addProperty("likely-cause", cause.word()));
    json.addProperty("sentence", alarm.sentence());
    json.addProperty("since", alarm.since().toString());
    return json;
  }

  private static JsonObject agent(AgentInfo agent) {
    JsonObject json = new JsonObject();
    json.addProperty("name", agent.host());
    json.addProperty("enforcer", agent.enforcer());
    json.addProperty("software", agent.agentVersion());
    json.addProperty("peer", agent.peer());
    json.addProperty("since", agent.since().toString());
    JsonArray addresses = new JsonArray();
    agent.addresses().forEach(addresses::add);
    if (!addresses.isEmpty()) {
      json.add("address", addresses);
    }
    agent.peerAgreement().ifPresent(before -> json.add("peer-agreement", of(before)));
    return json;
  }

  private static JsonObject of(AgentInfo.PeerAgreement before) {
    JsonObject json = new JsonObject();
    json.addProperty("since", before.since().toString());
    json.addProperty("peers", before.peers());
    return json;
  }

  private static JsonObject reference(ConversationId id) {
    JsonObject json = new JsonObject();
    json.addProperty("host", id.host());
    json.addProperty("id", id.local());
    return json;
  }

  private static <T> void list(
      JsonObject data, String name, Collection<T> entries, Function<T, JsonObject> entry) {
    if (!entries.isEmpty()) {
      JsonArray list = new JsonArray();
      entries.forEach(e -> list.add(entry.apply(e)));
      data.add(name, list);
    }
  }
}
