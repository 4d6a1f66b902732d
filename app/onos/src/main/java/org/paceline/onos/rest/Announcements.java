package org.paceline.onos.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.paceline.control.UseCases;
import org.paceline.control.conversations.ConversationId;
import org.paceline.control.proof.Alarm;
import org.paceline.control.reservations.Step;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.webhook.WebhookEvent;
import org.paceline.control.webhook.Webhooks;

/** Says to the webhooks what happens, in the words of this REST. */
public final class Announcements {
  private final Webhooks webhooks;

  /** One a conversation, as the planner's thread saw them last. */
  private Map<ConversationId, Alarm> alarms = Map.of();

  private Announcements(Webhooks webhooks) {
    this.webhooks = webhooks;
  }

  public static void open(UseCases use) {
    Announcements opened = new Announcements(use.webhooks());
    use.versions()
        .onChange(version -> opened.say(Webhook.Kind.POLICY, "changed", PolicyJson.of(version)));
    use.reservations()
        .onStep(
            (step, reservation) ->
                opened.say(Webhook.Kind.RESERVATION, word(step), ReservationJson.of(reservation)));
    use.reconciler().onAlarms(opened::alarms);
  }

  private void alarms(List<Alarm> all) {
    Map<ConversationId, Alarm> now = new TreeMap<>();
    all.forEach(alarm -> now.putIfAbsent(alarm.conversation(), alarm));
    Map<ConversationId, Alarm> before = alarms;
    alarms = now;
    now.forEach(
        (id, alarm) -> {
          if (!before.containsKey(id)) {
            say(Webhook.Kind.ALARM, "raised", AlarmsResource.json(alarm));
          }
        });
    before.forEach(
        (id, alarm) -> {
          if (!now.containsKey(id)) {
            say(Webhook.Kind.ALARM, "cleared", AlarmsResource.json(alarm));
          }
        });
  }

  private void say(Webhook.Kind kind, String what, ObjectNode data) {
    String body =
        Json.object()
            .put("type", kind.name().toLowerCase(Locale.ROOT) + "." + what)
            .put("timestamp", Instant.now().toString())
            .<ObjectNode>set("data", data)
            .toString();
    webhooks.publish(WebhookEvent.of("evt_" + UUID.randomUUID(), kind, body));
  }

  private static String word(Step step) {
    return step.name().toLowerCase(Locale.ROOT);
  }
}
