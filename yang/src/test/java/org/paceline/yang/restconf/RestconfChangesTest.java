package org.paceline.yang.restconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.yang.restconf.RestconfOffice.INTENTS;
import static org.paceline.yang.restconf.RestconfOffice.LIVE;
import static org.paceline.yang.restconf.RestconfOffice.example;
import static org.paceline.yang.restconf.RestconfOffice.json;
import static org.paceline.yang.restconf.RestconfOffice.tag;

import com.google.gson.JsonObject;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.yang.restconf.message.Reply;

class RestconfChangesTest {
  private final RestconfOffice office;

  RestconfChangesTest() throws IOException {
    office = new RestconfOffice();
  }

  @Test
  void anIntentIsPutAndPatchedAndDeleted() {
    String own = INTENTS + "/intent=voice";
    String body = "{'paceline-intents:intent': [{'path': 'voice', 'priority': 5}]}";
    assertThat(office.ask("PUT", own, body).status()).isEqualTo(201);
    assertThat(office.ask("PUT", own, body).status()).isEqualTo(204);
    assertThat(
            office
                .ask(
                    "PATCH",
                    own,
                    "{'paceline-intents:intent': [{'path': 'voice', 'minimum-rate': '3'}]}")
                .status())
        .isEqualTo(204);
    assertThat(office.get(own))
        .isEqualTo(
            json(
                "{'paceline-intents:intent': [{'path': 'voice', 'minimum-rate': '3.0', 'priority':"
                    + " 5}]}"));
    assertThat(office.ask("PUT", own, body).status()).isEqualTo(204);
    assertThat(office.get(own)).isEqualTo(json(body));
    assertThat(office.ask("DELETE", own, "").status()).isEqualTo(204);
    assertThat(office.ask("GET", own, "").status()).isEqualTo(404);
    assertThat(office.ask("DELETE", own, "").status()).isEqualTo(404);
    assertThat(office.intents.tree().policies()).hasSize(3);
  }

  @Test
  void aLeafIsPutAndDeleted() {
    assertThat(
            office
                .ask("PUT", LIVE + "/maximum-rate", "{'paceline-intents:maximum-rate': '2000'}")
                .status())
        .isEqualTo(204);
    assertThat(office.most("video-streaming/bbb_live"))
        .isEqualTo(DataRate.ofKilobitsPerSecond(2000));
    assertThat(office.ask("DELETE", LIVE + "/minimum-rate", "").status()).isEqualTo(204);
    assertThat(office.intents.tree().resolve("video-streaming/bbb_live").minimumRate())
        .hasValueSatisfying(
            least -> assertThat(least.origin()).isEqualTo(IntentPath.parse("video-streaming")));
    assertThat(office.ask("DELETE", LIVE + "/path", "").status()).isEqualTo(400);
  }

  @Test
  void whatIsPostedIsThereOnceAndSaysWhere() {
    String body = "{'paceline-intents:intent': [{'path': 'web/mail', 'minimum-rate': '2.5'}]}";
    Reply made = office.ask("POST", INTENTS, body);
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.headers())
        .containsEntry("Location", "/restconf/data/paceline-intents:intents/intent=web%2Fmail");
    assertThat(office.ask("POST", INTENTS, body).status()).isEqualTo(409);
    assertThat(office.intents.tree().contains(IntentPath.parse("web/mail"))).isTrue();
    assertThat(
            office
                .ask("POST", INTENTS + "/intent=web%2Fmail", "{'paceline-intents:priority': 3}")
                .status())
        .isEqualTo(201);
    assertThat(office.intents.tree().resolve("web/mail").priority().value()).isEqualTo(3);
  }

  @Test
  void theWholeDatastoreIsPutAndPatched() throws IOException {
    String whole =
        "{'ietf-restconf:data': " + example("intents").replace("bbb_live", "other") + "}";
    assertThat(office.ask("PUT", "data", whole).status()).isEqualTo(204);
    assertThat(office.intents.tree().contains(IntentPath.parse("video-streaming/other"))).isTrue();
    assertThat(office.intents.tree().contains(IntentPath.parse("video-streaming/bbb_live")))
        .isFalse();
    assertThat(
            office
                .ask(
                    "PATCH",
                    "data",
                    "{'ietf-restconf:data': {'paceline-intents:intents': {'intent': [{'path':"
                        + " 'x'}]}}}")
                .status())
        .isEqualTo(204);
    assertThat(office.intents.tree().policies()).hasSize(4);
  }

  @Test
  void whoHasReadAnOlderTreeIsRefused() {
    String tag = tag(office.ask("GET", INTENTS, ""));
    String body = "{'paceline-intents:minimum-rate': '4.0'}";
    Reply changed = office.ask("PUT", LIVE + "/minimum-rate", body, "If-Match", tag);
    assertThat(changed.status()).isEqualTo(204);
    assertThat(tag(changed)).isNotEqualTo(tag);
    assertThat(office.ask("PUT", LIVE + "/minimum-rate", body, "If-Match", tag).status())
        .isEqualTo(412);
    assertThat(office.ask("PUT", LIVE + "/minimum-rate", body, "If-None-Match", "*").status())
        .isEqualTo(412);
    String now = tag(changed);
    assertThat(office.ask("GET", INTENTS, "", "If-None-Match", now).status()).isEqualTo(304);
    assertThat(office.ask("GET", INTENTS, "", "If-None-Match", tag).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'path': 'video'}]} | 400 |"
            + " keys",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'priority': 1}]}   | 400 |"
            + " lacks its key",
        "PUT    | /intent=voice          | {'paceline-intents:intent': []}                  | 400 |"
            + " nothing",
        "PUT    | /intent=%2Fvoice       | {'paceline-intents:intent': [{'path': '/voice'}]} | 400"
            + " | voice",
        "PUT    | /intent=a,b            | {}                                               | 400 |"
            + " keys",
        "PUT    | /intent                | {'paceline-intents:intent': [{'path': 'a'}]}     | 400 |"
            + " list",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'path': 'voice', 'wait':"
            + " 1}]} | 400 | wait",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'path': 'voice', 'minimum-rate':"
            + " null}]} | 400 | is null",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'path': 'voice', 'minimum-rate':"
            + " {}}]} | 400 | is {}",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'path': 'voice',"
            + " 'priority': []}]} | 400 | priority",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'path': 'voice', 'minimum-rate':"
            + " [[]]}]} | 400 | is [[]]",
        "PUT    | /intent=voice          | {'paceline-intents:intent': 'voice'}             | 400 |"
            + " JSON array",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [[[['voice']]]]}     | 400 |"
            + " JSON object",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'path': 'voice', 'path':"
            + " 'voice'}]} | 400 | twice",
        "PUT    | /intent=voice          | {'paceline-intents:intent'                       | 400 |"
            + " JSON",
        "PUT    | /intent=voice          | ''                                               | 400 |"
            + " JSON",
        "PUT    | /intent=voice          | [1]                                              | 400 |"
            + " object",
        "PUT    | /intent=voice          | {} {}                                            | 400 |"
            + " JSON",
        "PUT    | /intent=voice          | {}                                               | 400 |"
            + " nothing else",
        "PUT    | /intent=%2F            | {'paceline-intents:intent': [{'path': '/'}]}     | 400 |"
            + " the path /",
        "DELETE | /intent=%2F            | ''                                               | 400 |"
            + " the path /",
        "DELETE | ''                     | ''                                               | 400 |"
            + " the path /",
        "DELETE | /utility-function=whatever | ''                                           | 400 |"
            + " whatever",
        "DELETE | /utility-function=whatever/step=100.0/within=20.0 | ''                    | 400 |"
            + " same",
        "POST   | ''                     | {'paceline-intents:utility-function': [{'name': 'f',"
            + " 'step': [{'rate': '1', 'within': [{'delay': '1', 'utility': '2'}]}]}]} | 400 | No"
            + " intent names",
        "DELETE | /intent=video-streaming | ''                                              | 409 |"
            + " below it",
        "DELETE | /intent=nobody         | ''                                               | 404 |"
            + " nobody",
        "DELETE | /nothing               | ''                                               | 404 |"
            + " nothing",
        "PATCH  | /intent=nobody         | {'paceline-intents:intent': [{'path': 'nobody'}]} | 404"
            + " | nobody",
        "PATCH  | /intent=video-streaming | {'paceline-intents:intent': [{'path':"
            + " 'video-streaming', 'maximum-rate': '1'}]} | 400 | above the greatest",
        "POST   | /intent=nobody         | {'paceline-intents:minimum-rate': '1'}                 | 404 |"
            + " nobody",
        "POST   | ''                     | {'paceline-intents:intent': [{'path': 'a'}, {'path':"
            + " 'b'}]} | 400 | one entry",
        "POST   | ''                     | {'intent': [{'path': 'a'}], 'utility-function': []} |"
            + " 400 | one node",
        "POST   | /intent=video-streaming | {'paceline-intents:path': 'x'}                  | 400 |"
            + " key",
        "POST   | ?insert=first          | {'paceline-intents:intent': [{'path': 'a'}]}     | 400 |"
            + " query",
        "BREW   | ''                     | ''                                               | 405 |"
            + " BREW",
      })
  void aBadChangeChangesNothingAndSaysWhy(
      String method, String path, String body, int status, String named) {
    IntentTree before = office.intents.tree();

    Reply reply = office.ask(method, INTENTS + path, body);

    JsonObject error =
        reply
            .body()
            .orElseThrow()
            .getAsJsonObject("ietf-restconf:errors")
            .getAsJsonArray("error")
            .get(0)
            .getAsJsonObject();
    assertThat(reply.status()).as(error.toString()).isEqualTo(status);
    assertThat(error.get("error-message").getAsString()).contains(named);
    assertThat(error.get("error-type").getAsString()).isIn("protocol", "application");
    assertThat(office.intents.tree()).isEqualTo(before);
  }

  @Test
  void whoMayNotChangeIsToldSoAndChangesNothing() {
    IntentTree before = office.intents.tree();
    String priority = "{'paceline-intents:intent': [{'path': 'x', 'priority': 1}]}";
    Reply refused = office.askAs("visitor", "POST", INTENTS, priority);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.body().orElseThrow().toString()).contains("access-denied", "Visitors");
    assertThat(office.intents.tree()).isEqualTo(before);
    assertThat(office.askAs("visitor", "GET", INTENTS, "").status()).isEqualTo(200);
  }
}
