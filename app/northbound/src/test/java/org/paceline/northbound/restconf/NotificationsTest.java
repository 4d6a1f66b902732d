package org.paceline.northbound.restconf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.control.audit.Author;
import org.paceline.control.model.Alarm;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.control.reservations.ReservationStep;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.json.catalogue.Catalogue;

/** What is told is what the examples say, which yanglint holds against the modules. */
final class NotificationsTest {
  private static JsonObject example(String name) throws IOException {
    String text = Files.readString(Path.of("../../yang/examples/notification-" + name + ".json"));
    JsonObject whole = JsonParser.parseString(text).getAsJsonObject();
    return whole.getAsJsonObject(whole.keySet().iterator().next());
  }

  @Test
  void anotherPolicyIsToldAsTheExampleHasIt() throws IOException {
    IntentTree tree = Catalogue.defaultTree();
    Instant at = Instant.parse("2026-11-21T12:00:00Z");
    PolicyVersion version =
        PolicyVersion.of(
            7,
            at,
            Author.of("anna", Optional.of("CHG0030001")),
            "Draft CHG0030001 is put in force.",
            Optional.of(at.plus(Duration.ofMinutes(10))),
            tree);
    assertThat(Notifications.of(version)).isEqualTo(example("policy"));
  }

  @Test
  void anAlarmOfAnIntentNamesIt() {
    Alarm alarm =
        Alarm.ofIntent(
            "voip/opus", "It is served as (voip).", Instant.parse("2026-11-21T12:00:00Z"));
    assertThat(Notifications.of(alarm))
        .isEqualTo(
            JsonParser.parseString(
                "{\"intent\":\"voip/opus\",\"sentence\":\"It is served as (voip).\","
                    + "\"since\":\"2026-11-21T12:00:00Z\"}"));
  }

  @Test
  void whatHappensToAReservationIsToldAsTheExampleHasIt() throws IOException {
    Instant start = Instant.parse("2026-11-21T12:00:00Z");
    Duration hour = Duration.ofHours(1);
    ReservationRequest requested =
        ReservationRequest.of(
            "video-streaming",
            "10.0.0.1",
            "10.0.0.2",
            DataRate.ofKilobitsPerSecond(20_000),
            start,
            hour,
            start.plus(hour));
    Reservation held =
        Reservation.held("r000001", requested, Instant.parse("2026-11-21T11:01:00Z"));
    assertThat(Notifications.of(ReservationStep.HELD, held)).isEqualTo(example("reservation"));
  }
}
