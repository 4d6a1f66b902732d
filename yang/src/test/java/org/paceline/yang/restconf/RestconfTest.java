package org.paceline.yang.restconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.yang.restconf.RestconfOffice.INTENTS;
import static org.paceline.yang.restconf.RestconfOffice.LIVE;
import static org.paceline.yang.restconf.RestconfOffice.example;
import static org.paceline.yang.restconf.RestconfOffice.json;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.paceline.yang.restconf.message.Reply;

class RestconfTest {
  private final RestconfOffice office;

  RestconfTest() throws IOException {
    office = new RestconfOffice();
  }

  @Test
  void theIntentsAreWhatTheExampleSays() throws IOException {
    assertThat(office.get(INTENTS)).isEqualTo(json(example("intents")));
  }

  @Test
  void whatIsNotForAClientIsDeniedAndLeftOutOfWhatItReadsOfTheWhole() {
    for (String path :
        List.of(
            "data/paceline-enrolment:enrolment-tokens",
            "data/paceline-enrolment:enrolment-tokens/token=9f86d081884c",
            "data/paceline-enrolment:enrolment-tokens/token=none")) {
      for (String method : List.of("GET", "HEAD")) {
        assertThat(office.askAs("visitor", method, path, "").status()).as(path).isEqualTo(403);
      }
    }
    String whole = office.askAs("visitor", "GET", "data", "").body().orElseThrow().toString();
    assertThat(whole)
        .contains("paceline-intents:intents", "paceline-conversations:conversations")
        .doesNotContain("paceline-enrolment:");
    assertThat(office.get("data").toString()).contains("paceline-enrolment:enrolment-tokens");
    assertThat(office.get("data/paceline-enrolment:enrolment-tokens/token=9f86d081884c/host"))
        .isEqualTo(json("{'paceline-enrolment:host': 'srv1'}"));
  }

  @Test
  void whatCannotBeReadIsNamedWhereverItIsAskedFor() {
    String unreadable = "data/paceline-enrolment:agent-certificates";
    assertThat(office.askAs("auditor", "GET", unreadable, "").status()).isEqualTo(409);
    Reply whole = office.askAs("auditor", "GET", "data", "");
    assertThat(whole.status()).isEqualTo(409);
    assertThat(whole.body().orElseThrow().toString())
        .contains(
            "\"error-path\":\"/paceline-enrolment:agent-certificates\"",
            "(/paceline-enrolment:agent-certificates) cannot be read: The list of certificates"
                + " cannot be read. Maybe ask for the others by fields.");
    assertThat(office.askAs("auditor", "HEAD", "data", "").status()).isEqualTo(409);
    // What is not asked for keeps nobody from the rest.
    String others = "data?fields=paceline-enrolment:enrolment-tokens;ietf-network-state:networks";
    Reply fields = office.askAs("auditor", "GET", others, "");
    assertThat(fields.status()).isEqualTo(200);
    assertThat(fields.body().orElseThrow().toString())
        .contains("9f86d081884c", "ietf-network-state:networks")
        .doesNotContain("agent-certificates");
    assertThat(office.askAs("auditor", "GET", "data?depth=1", "").status()).isEqualTo(200);
    String named = "data?fields=agent-certificates";
    assertThat(office.askAs("auditor", "GET", named, "").status()).isEqualTo(409);
    // What can be read, and whoever may not read the other, goes on.
    assertThat(office.get("data/paceline-enrolment:enrolment-tokens").toString())
        .contains("9f86d081884c");
    assertThat(office.get("data").toString())
        .contains("paceline-enrolment:enrolment-tokens")
        .doesNotContain("agent-certificates");
    assertThat(office.get("data?content=config").toString()).contains("paceline-intents:intents");
  }

  @Test
  void anEntryIsAskedForByItsKeys() {
    assertThat(office.get(LIVE))
        .isEqualTo(
            json(
                "{'paceline-intents:intent': [{'path': 'video-streaming/bbb_live',"
                    + " 'upload-utility-function': 'whatever', 'maximum-rate': '3172.0',"
                    + " 'minimum-rate': '200.0'}]}"));
    assertThat(office.get(INTENTS + "/utility-function=whatever/step=100/within=20.00/utility"))
        .isEqualTo(json("{'paceline-intents:utility': '1.5'}"));
    assertThat(office.get("data/paceline-conversations:conversations/conversation=h1,42/sockets"))
        .isEqualTo(json("{'paceline-conversations:sockets': 6}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "paceline-intents:intents?depth=1 | {'paceline-intents:intents': {}}",
        "paceline-intents:intents?fields=intent(minimum-rate) | {'paceline-intents:intents':"
            + " {'intent': [{'path': '/'}, {'path': 'video-streaming', 'minimum-rate': '486.0'},"
            + " {'path': 'video-streaming/bbb_live', 'minimum-rate': '200.0'}]}}",
        "paceline-intents:intents?content=nonconfig | {'paceline-intents:intents': {}}",
        "paceline-intents:intents?depth=2&fields=utility-function |"
            + " {'paceline-intents:intents': {'utility-function': [{'name': 'whatever'}]}}",
        "paceline-conversations:conversations?fields=plan-version;conversation/computed(rate;delay)"
            + " | {'paceline-conversations:conversations': {'plan-version': '7', 'conversation':"
            + " [{'host': 'h1', 'id': '42', 'computed': {'rate': '1724.137931', 'delay':"
            + " '20.0'}}]}}",
        "?content=nonconfig&depth=3&fields=paceline-conversations:conversations |"
            + " {'ietf-restconf:data': {'paceline-conversations:conversations': {'plan-version':"
            + " '7', 'conversation': [{'host': 'h1', 'id': '42'}]}}}",
        "ietf-yang-library:yang-library/schema=all | {'ietf-yang-library:schema': [{'name': 'all',"
            + " 'module-set': ['all']}]}",
      })
  void onlyWhatIsWantedIsShown(String path, String expected) {
    JsonObject shown = office.get("data/" + path).getAsJsonObject();
    assertThat(shown).isEqualTo(json(expected));
  }

  @ParameterizedTest
  @CsvSource({
    "GET, data/paceline-intents:intents?depth=0, 400",
    "GET, data/paceline-intents:intents?depth=ten, 400",
    "GET, data/paceline-intents:intents?fields=a(b, 400",
    "GET, data/paceline-intents:intents?content=some, 400",
    "GET, data/paceline-intents:intents?with-defaults=no, 400",
    "GET, data/paceline-intents:intents?colour=red, 400",
    "GET, data/paceline-intents:intents?depth=1&depth=2, 400",
    "GET, data/intents, 404",
    "GET, data/nobody:intents, 404",
    "GET, data/paceline-intents:intents/intent/path, 400",
    "GET, data/paceline-intents:intents/intent=%ZZ, 400",
    "GET, data/paceline-intents:intents/intent=a/path/more, 404",
    "GET, streams, 404",
    "GET, streams/nothing, 404",
    "POST, streams/changes, 405",
    "GET, streams/changes?filter=x, 400",
    "GET, streams/changes?start-time=now, 400",
    "GET, streams/changes?start-time=2026-11-22T12:00:01Z, 400",
    "GET, streams/changes?stop-time=2026-11-22T13:00:00Z, 400",
    "GET, streams/changes?start-time=2026-11-22T11:00:00Z&stop-time=2026-11-22T11:00:00Z, 400",
    "POST, yang-library-version, 405",
    "GET, operations/paceline:nothing, 404",
    "PUT, data/paceline-conversations:conversations, 405",
    "DELETE, data, 405",
  })
  void aBadRequestIsRefused(String method, String path, int status) {
    assertThat(office.ask(method, path, "").status()).isEqualTo(status);
  }

  @Test
  void anOperationGetsItsInputAndGivesItsOutput() {
    String explain = "operations/paceline-explain:explain";
    assertThat(office.get("operations").toString())
        .contains("\"paceline-explain:explain\":[null]", "paceline-reservations:reserve");
    Reply reply =
        office.ask("POST", explain, "{'paceline-explain:input': {'host': 'h1', 'id': '4'}}");
    assertThat(reply.body())
        .contains(json("{'paceline-explain:output': {'obstacle': 'asked for h1'}}"));
    assertThat(office.ask("POST", explain, "{'paceline-explain:input': {'host': 'h1'}}").status())
        .isEqualTo(400);
    assertThat(
            office
                .ask(
                    "POST",
                    explain,
                    "{'paceline-explain:input': {'host': 'h1', 'id': '4', 'colour': 'red'}}")
                .status())
        .isEqualTo(400);
    assertThat(
            office
                .ask("POST", explain, "{'paceline-explain:input': {'host': 'h1', 'id': 'none'}}")
                .status())
        .isEqualTo(404);
    assertThat(office.ask("POST", explain, "").status()).isEqualTo(400);
    assertThat(office.ask("GET", explain, "").status()).isEqualTo(405);
  }

  @Test
  void anOperationWithoutAnOutputHasNoBody() {
    Reply reply =
        office.ask(
            "POST",
            "operations/paceline-reservations:commit-reservation",
            "{'paceline-reservations:input': {'id': 'r1'}}");
    assertThat(reply.status()).isEqualTo(204);
    assertThat(reply.body()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'from': '10.0.0.1', 'to': '10.0.0.2', 'rate': '1', 'duration': 60  | 200",
        "'from': '10.0.0.1', 'rate': '1', 'duration': 60                    | 400",
        "'from': '10.0.0.0/24', 'to': '10.0.1.0/24', 'rate': '1', 'duration': 60 | 200",
        "'from': '2001:db8::/48', 'to': '2001:db8:1::1', 'rate': '1', 'duration': 60 | 200",
        "'from': '10.0.0.0/33', 'to': '10.0.1.0/24', 'rate': '1', 'duration': 60 | 400",
        "'from': '10.0.0.1', 'to': '10.0.0.2', 'bytes': '1', 'deadline': '2026-12-01T20:00:00Z' |"
            + " 200",
        "'from': '10.0.0.1', 'to': '10.0.0.2', 'bytes': '0', 'deadline': '2026-12-01T20:00:00Z' |"
            + " 400",
        "'from': '10.0.0.1', 'to': '10.0.0.2', 'rate': '1', 'duration': 0   | 400",
        "'from': 'nobody', 'to': '10.0.0.2', 'rate': '1', 'duration': 60    | 400",
        "'from': '10.0.0.1', 'to': '10.0.0.2', 'rate': '1', 'duration': 60, 'start': 'now' | 400",
        "'from': '10.0.0.1', 'to': '10.0.0.2', 'rate': '1', 'duration': 60, 'commit': 1    | 400",
      })
  void whatAnOperationIsGivenIsHeldAgainstTheModel(String input, int status) {
    Reply reply =
        office.ask(
            "POST",
            "operations/paceline-reservations:reserve",
            "{'paceline-reservations:input': {" + input + "}}");
    assertThat(reply.status()).as(String.valueOf(reply.body())).isEqualTo(status);
  }

  @Test
  void whatOtherModulesAddIsFoundByItsModulesName() {
    assertThat(
            office.get(
                "data/ietf-network-state:networks/network=paceline"
                    + "/ietf-network-topology-state:link=h1%20-%3E%20s1/paceline-network:capacity"))
        .isEqualTo(json("{'paceline-network:capacity': '100000.0'}"));
    assertThat(office.get("data/ietf-network-state:networks?fields=network/link/source"))
        .isEqualTo(
            json(
                "{'ietf-network-state:networks': {'network': [{'network-id': 'paceline',"
                    + " 'ietf-network-topology-state:link': [{'link-id': 'h1 -> s1', 'source':"
                    + " {'source-node': 'h1'}}]}]}}"));
  }

  @Test
  void otherMediaTypesAreRefused() {
    assertThat(office.ask("GET", INTENTS, "", "Accept", "application/yang-data+xml").status())
        .isEqualTo(406);
    assertThat(
            office
                .ask("PATCH", INTENTS, "{}", "content-type", "application/yang-patch+json")
                .status())
        .isEqualTo(415);
  }

  @Test
  void theLibraryNamesEveryModule() {
    assertThat(office.get("data/ietf-yang-library:yang-library").toString())
        .contains("paceline-intents", "paceline-conversations", "ietf-datastores:running");
    assertThat(office.get("yang-library-version"))
        .isEqualTo(json("{'ietf-restconf:yang-library-version': '2019-01-04'}"));
    assertThat(office.get("").toString()).contains("operations", "2019-01-04");
    assertThat(office.ask("OPTIONS", INTENTS, "").headers())
        .containsEntry("Allow", "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE");
    assertThat(office.ask("HEAD", INTENTS, "").body()).isEmpty();
  }
}
