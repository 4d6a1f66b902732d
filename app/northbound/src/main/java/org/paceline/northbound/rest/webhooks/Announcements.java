package org.paceline.northbound.rest.webhooks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.paceline.control.api.StateService;
import org.paceline.control.assurance.AlarmChanges;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.reservations.ReservationStep;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.view.Word;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.webhook.WebhookEvent;
import org.paceline.control.webhook.Webhooks;
import org.paceline.northbound.rest.state.AlarmsResource;
import org.paceline.northbound.rest.view.Json;
import org.paceline.northbound.rest.view.PolicyJson;
import org.paceline.northbound.rest.view.ReservationJson;

/** Says to the webhooks what happens, in the words of this REST. */
public final class Announcements {
  private final Webhooks webhooks;

  private Announcements(Webhooks webhooks) {
    this.webhooks = webhooks;
  }

  public static void open(
      Webhooks webhooks, PolicyVersions versions, Reservations reservations, StateService state) {
    Announcements opened = new Announcements(webhooks);
    versions.onChange(
        version ->
            opened.tell(
                Webhook.Kind.POLICY,
                "changed",
                version.number() + "/" + version.at(),
                PolicyJson.of(version)));
    reservations.onStep(
        (step, reservation) ->
            opened.tell(
                Webhook.Kind.RESERVATION,
                word(step),
                reservation.id() + "/" + reservation.requested(),
                ReservationJson.of(reservation)));
    state.onAlarms(
        new AlarmChanges(
            alarm -> opened.mention("raised", AlarmsResource.json(alarm)),
            alarm -> opened.mention("cleared", AlarmsResource.json(alarm))));
  }

  /**
   * @param once what no other event of this type is about: told again after a crash, it has the id
   *     that it had
   */
  private void tell(Webhook.Kind kind, String what, String once, ObjectNode data) {
    String type = type(kind, what);
    UUID id = UUID.nameUUIDFromBytes((type + "/" + once).getBytes(StandardCharsets.UTF_8));
    webhooks.publish(event(id, kind, type, data));
  }

  /** An alarm is kept by nobody: whoever starts anew finds it anew. */
  private void mention(String what, ObjectNode data) {
    Webhook.Kind kind = Webhook.Kind.ALARM;
    webhooks.mention(event(UUID.randomUUID(), kind, type(kind, what), data));
  }

  private static String type(Webhook.Kind kind, String what) {
    return kind.word() + "." + what;
  }

  private static WebhookEvent event(UUID id, Webhook.Kind kind, String type, ObjectNode data) {
    String body =
        Json.object()
            .put("type", type)
            .put("timestamp", Instant.now().toString())
            .<ObjectNode>set("data", data)
            .toString();
    return WebhookEvent.of("evt_" + id, kind, body);
  }

  private static String word(ReservationStep step) {
    return Word.of(step);
  }
}
