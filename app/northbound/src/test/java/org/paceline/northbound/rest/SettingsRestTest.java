package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.control.audit.Change;
import org.paceline.control.settings.SettingTable;
import org.paceline.northbound.rest.view.Json;

final class SettingsRestTest {
  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);

  @Test
  void aSettingShowsItsValueItsDefaultAndItsRange() {
    JsonNode all = Json.parse(rest.get("settings").text).path("settings");
    assertThat(all).hasSameSizeAs(SettingTable.all());
    JsonNode one = Json.parse(rest.get("settings/usableThousandths").text);
    assertThat(one.path("value").intValue()).isEqualTo(960);
    assertThat(one.path("default").intValue()).isEqualTo(960);
    assertThat(one.path("least").intValue()).isEqualTo(1);
    assertThat(one.path("greatest").intValue()).isEqualTo(1_000);
    assertThat(Json.parse(rest.get("settings/mode").text).path("value").textValue())
        .isEqualTo("enforce");
    assertThat(rest.get("settings/nothing").status).isEqualTo(404);
  }

  @Test
  void aSettingIsSetAndSetBack() {
    RestClient.Answer set = rest.send("PUT", "settings/mode", "{\"value\":\"shadow\"}");
    assertThat(set.status).isEqualTo(200);
    assertThat(Json.parse(set.text).path("value").textValue()).isEqualTo("shadow");
    Change change = paceline.log().get(0);
    assertThat(change.after()).isEqualTo("shadow");
    assertThat(change.body()).isEqualTo("{\"value\":\"shadow\"}");
    assertThat(rest.send("DELETE", "settings/mode", "").status).isEqualTo(204);
    assertThat(Json.parse(rest.get("settings/mode").text).path("value").textValue())
        .isEqualTo("enforce");
  }

  @Test
  void aNumberMayComeAsOneOrAsText() {
    for (String value : new String[] {"900", "\"900\""}) {
      assertThat(rest.send("PUT", "settings/usableThousandths", "{\"value\":" + value + "}").status)
          .isEqualTo(200);
    }
    assertThat(paceline.log()).hasSize(1);
  }

  @Test
  void whatIsOutOfItsRangeIsRefusedAndNotStored() {
    for (String body :
        new String[] {
          "{\"value\":5000}", "{\"value\":9.5}", "{\"value\":null}", "{\"value\":[]}", "{}", ""
        }) {
      RestClient.Answer answer = rest.send("PUT", "settings/usableThousandths", body);
      assertThat(answer.status).as(body).isEqualTo(400);
      assertThat(answer.text).contains("Maybe");
    }
    assertThat(paceline.log()).isEmpty();
  }
}
