package org.paceline.yang.restconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.yang.restconf.RestconfOffice.INTENTS;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.paceline.intents.tree.IntentTree;
import org.paceline.yang.restconf.message.Reply;

/** What is wrong with a body is said in words of the model, and where (RFC 8040, section 7.1). */
class BadBodiesTest {
  /** Of the libraries below. */
  private static final Pattern INTERNALS =
      Pattern.compile(
          "Codec|lambda|\\$|Exception|yangtools|opendaylight|gson|JsonReader|java\\.|@[0-9a-f]{5,}|"
              + "Normalized|NodeIdentifier|Optional|urn:|revision=|\\(\\?|Unexpected|Schema");

  private static final String VOICE = "/paceline-intents:intents/intent[path='voice']";

  private final RestconfOffice office;

  BadBodiesTest() throws IOException {
    office = new RestconfOffice();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'path': 'voice', 'priority': '3'     | invalid-value | /priority | whole number from",
        "'path': 'voice', 'priority': 3.5     | invalid-value | /priority | whole number from",
        "'path': 'voice', 'priority': 3e0     | invalid-value | /priority | 3e0",
        "'path': 'voice', 'priority': 99999999999999999999 | invalid-value | /priority | from -",
        "'path': 'voice', 'priority': true    | invalid-value | /priority | true",
        "'path': 'voice', 'priority': []      | invalid-value | /priority | []",
        "'path': 'voice', 'minimum-rate': 2         | invalid-value | /minimum-rate   | in quotation marks",
        "'path': 'voice', 'minimum-rate': '2x'      | invalid-value | /minimum-rate   | 2x",
        "'path': 'voice', 'minimum-rate': null      | invalid-value | /minimum-rate   | null",
        "'path': 'voice', 'minimum-rate': '0.12345678901' | invalid-value | /minimum-rate | digits",
        "'path': 'voice', 'minimum-rate': '-1' | invalid-value | /minimum-rate | from 0",
        "'path': 'voice', 'minimum-rate': '9', 'maximum-rate': '1' | invalid-value | '' | 9",
        "'path': 'voice', 'wait': 1           | unknown-element | ''       | Maybe one of [path",
        "'path': 'voice', 'utility-function': 7 | invalid-value | /utility-function | string",
        "'path': 'voice', 'utility-function': 'hd' | invalid-value | /utility-function | hd",
        "'path': 'voice', '@path': {}         | unknown-element | ''       | @path",
      })
  void aWrongMemberIsNamedByItsPath(String members, String tag, String below, String named) {
    String body = "{'paceline-intents:intent': [{" + members + "}]}";
    JsonObject error = refused("PUT", INTENTS + "/intent=voice", body);
    assertThat(error.get("error-tag").getAsString()).isEqualTo(tag);
    assertThat(error.get("error-path").getAsString()).isEqualTo(VOICE + below);
    assertThat(error.get("error-message").getAsString()).contains(named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'utility-function': [{'name': 'f'}] | /utility-function[name='f']/step | step",
        "'utility-function': [{'name': 'f', 'step': [{'rate': '1', 'within': [{'delay': '1'}]}]}] |"
            + " /utility-function[name='f']/step[rate='1.0']/within[delay='1.0']/utility | utility",
        "'utility-function': [{'name': 'f', 'step': [{'rate': '1', 'within': []}]}]"
            + " | /utility-function[name='f']/step[rate='1.0']/within | within",
        "'utility-function': [{'step': []}] | /utility-function | name",
        "'utility-function': [{'name': 'f', 'step': [{'rate': '1'}, {'rate': '1.0'}]}]"
            + " | /utility-function[name='f']/step[rate='1.0'] | keys [1]",
        "'intent': [{'path': 'a'}, {'path': 'a'}] | /intent[path='a'] | a",
        "'intent': [{'path': 'a b'}] | /intent[path='a b']/path | a b",
        "'intent': [7] | /intent | JSON object",
        "'intent': {} | /intent | JSON array",
        "'intent': 'x', 'paceline-intents:intent': [] | /intent | JSON array",
        "'intent': [], 'paceline-intents:intent': [] | '' | twice",
        "'nope:intent': [] | '' | nope:intent",
      })
  void whatIsWrongInTheWholeConfigurationIsNamedByItsPath(
      String members, String below, String named) {
    JsonObject error = refused("PATCH", INTENTS, "{'paceline-intents:intents': {" + members + "}}");
    assertThat(error.get("error-path").getAsString())
        .isEqualTo("/paceline-intents:intents" + below);
    assertThat(error.get("error-message").getAsString()).contains(named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'from': '10.0.0.1', 'to': '10.0.0.2', 'rate': '1', 'duration': '60' | invalid-value |"
            + " /duration",
        "'from': '10.0.0.1', 'to': '10.0.0.2', 'rate': 1, 'duration': 60     | invalid-value |"
            + " /rate",
        "'from': 'nobody', 'to': '10.0.0.2', 'rate': '1', 'duration': 60     | invalid-value |"
            + " /from",
        "'from': '10.0.0.1', 'rate': '1', 'duration': 60             | missing-element | /to",
        "'from': '10.0.0.1', 'to': '10.0.0.2', 'rate': '1', 'duration': 60, 'start': 'now' |"
            + " invalid-value | /start",
        "'from': '10.0.0.1', 'colour': 'red'                         | unknown-element | ''",
      })
  void aWrongInputOfAnOperationIsNamedByItsPath(String members, String tag, String below) {
    JsonObject error =
        refused(
            "POST",
            "operations/paceline-reservations:reserve",
            "{'paceline-reservations:input': {" + members + "}}");
    assertThat(error.get("error-tag").getAsString()).isEqualTo(tag);
    assertThat(error.get("error-path").getAsString())
        .isEqualTo("/paceline-reservations:input" + below);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | data/paceline-intents:intents/intent=nobody | '' |"
            + " /paceline-intents:intents/intent[path='nobody']",
        "GET | data/paceline-intents:intents/colour | '' | /paceline-intents:intents",
        "GET | data/paceline-intents:intents/utility-function=whatever/step=7 | '' |"
            + " /paceline-intents:intents/utility-function[name='whatever']/step[rate='7']",
        "POST | data/paceline-intents:intents | {'paceline-intents:intent': [{'path':"
            + " 'video-streaming'}]} | /paceline-intents:intents",
        "DELETE | data/paceline-conversations:conversations | '' |"
            + " /paceline-conversations:conversations",
        "GET | data/paceline-intents:intents?fields=nope | '' | /paceline-intents:intents",
      })
  void aRefusalThatIsAboutANodeNamesIt(String method, String path, String body, String node) {
    assertThat(refused(method, path, body).get("error-path").getAsString()).isEqualTo(node);
  }

  @ParameterizedTest
  @CsvSource({
    "data/paceline-intents:intents?fields=nope",
    "data/paceline-intents:intents?fields=intent/nope",
    "data/paceline-intents:intents?fields=intent(minimum-rate;nope)",
    "data/paceline-intents:intents?fields=intent/minimum-rate/nope",
    "data/paceline-intents:intents?fields=nope:intent",
    "data/paceline-intents:intents/intent=video-streaming?fields=name",
    "data?fields=nope",
    "?fields=nope",
    "operations?fields=nope",
    "yang-library-version?fields=nope",
  })
  void fieldsThatAreNoneAreRefused(String path) {
    assertThat(refused("GET", path, "").get("error-tag").getAsString()).isEqualTo("invalid-value");
  }

  @ParameterizedTest
  @CsvSource({
    "data/paceline-intents:intents?fields=paceline-intents:intent/minimum-rate",
    "data/paceline-intents:intents/intent=video-streaming?fields=minimum-rate",
    "data?fields=paceline-intents:intents/intent",
    "?fields=data",
  })
  void fieldsThatAreThereAreServed(String path) {
    assertThat(office.get(path).toString()).isNotEqualTo("{}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'paceline-intents:intent': [{'path': 'voice',}]}",
        "{'a' 1}",
        "{a: 1}",
        "{",
        "nonsense",
        "{'paceline-intents:intent': [{'path': 'voice', 'priority': 03}]}",
        "{'a': NaN}",
        "{'a':",
        "[]",
        "7",
        "''",
        "{} x",
      })
  void whatIsNoJsonIsRefusedInOurWords(String body) {
    JsonObject error = refused("PUT", INTENTS + "/intent=voice", body);
    assertThat(error.get("error-tag").getAsString()).isEqualTo("malformed-message");
  }

  private JsonObject refused(String method, String path, String body) {
    IntentTree before = office.intents.tree();
    Reply reply = office.ask(method, path, body);
    JsonObject error =
        reply
            .body()
            .orElseThrow()
            .getAsJsonObject("ietf-restconf:errors")
            .getAsJsonArray("error")
            .get(0)
            .getAsJsonObject();
    assertThat(reply.status()).as(error.toString()).isBetween(400, 409);
    assertThat(error.get("error-message").getAsString()).doesNotContainPattern(INTERNALS);
    assertThat(office.intents.tree()).isEqualTo(before);
    return error;
  }
}
