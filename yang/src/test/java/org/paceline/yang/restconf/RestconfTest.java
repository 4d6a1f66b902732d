package org.paceline.yang.restconf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.json.Catalogue;
import org.paceline.yang.IntentsDocument;
import org.paceline.yang.PacelineModel;

class RestconfTest {
  private static final EffectiveModelContext MODEL = PacelineModel.load();
  private static final String INTENTS = "data/paceline-intents:intents";
  private static final String LIVE = INTENTS + "/intent=video-streaming%2Fbbb_live";

  private final Intents intents = new Intents();
  private Restconf<String> restconf;

  @BeforeEach
  void open() throws IOException {
    intents.tree = new IntentsDocument(MODEL).read(new StringReader(example("intents")));
    JsonObject conversations =
        json(example("conversations")).getAsJsonObject("paceline-conversations:conversations");
    JsonObject topology = json(example("topology")).getAsJsonObject("ietf-network-state:networks");
    Map<String, Supplier<JsonObject>> state =
        Map.of(
            "paceline-conversations:conversations",
            () -> conversations,
            "ietf-network-state:networks",
            () -> topology);
    restconf =
        new Restconf<>(
            "/restconf",
            MODEL,
            intents,
            state,
            Map.of(
                "paceline-explain:explain",
                this::explain,
                "paceline-reservations:reserve",
                (input, client) -> input,
                "paceline-reservations:commit-reservation",
                (input, client) -> new JsonObject(),
                "paceline-reservations:cancel-reservation",
                (input, client) -> new JsonObject()));
  }

  /** Kept as the controller keeps them, but for the disk. */
  private static final class Intents implements IntentConfiguration<String> {
    private IntentTree tree = IntentTree.withDefault(Catalogue.load().values().iterator().next());

    @Override
    public synchronized IntentTree tree() {
      return tree;
    }

    @Override
    public synchronized boolean replace(IntentTree expected, IntentTree next, String client) {
      if (client.equals("visitor")) {
        throw RestconfError.denied("Visitors change nothing.");
      }
      boolean isExpected = tree.equals(expected);
      tree = isExpected ? next : tree;
      return isExpected;
    }
  }

  private static String example(String name) throws IOException {
    return Files.readString(Path.of("examples", name + ".json"));
  }

  private static JsonObject json(String text) {
    return JsonParser.parseString(text.replace('\'', '"')).getAsJsonObject();
  }

  private Reply ask(String method, String path, String body, String... headers) {
    return askAs("anna", method, path, body, headers);
  }

  private Reply askAs(String client, String method, String path, String body, String... headers) {
    Map<String, String> all = new HashMap<>();
    all.put("content-type", "application/yang-data+json");
    for (int h = 0; h < headers.length; h += 2) {
      all.put(headers[h], headers[h + 1]);
    }
    String[] parts = path.split("\\?", 2);
    byte[] bytes = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return restconf.answer(client, method, parts[0], parts.length > 1 ? parts[1] : "", all, bytes);
  }

  private JsonObject explain(JsonObject input, String client) {
    if (input.get("id").getAsString().equals("none")) {
      throw RestconfError.missing("There is no conversation.");
    }
    JsonObject output = new JsonObject();
    output.addProperty("obstacle", "asked for " + input.get("host").getAsString());
    return output;
  }

  private static String tag(Reply reply) {
    return Optional.ofNullable(reply.headers().get("ETag")).orElseThrow();
  }

  private JsonElement get(String path) {
    Reply reply = ask("GET", path, "");
    assertThat(reply.status()).as(String.valueOf(reply.body())).isEqualTo(200);
    return reply.body().orElseThrow();
  }

  private DataRate most(String intent) {
    return intents.tree().resolve(intent).maximumRate().orElseThrow().value();
  }

  @Test
  void theIntentsAreWhatTheExampleSays() throws IOException {
    assertThat(get(INTENTS)).isEqualTo(json(example("intents")));
  }

  @Test
  void anEntryIsAskedForByItsKeys() {
    assertThat(get(LIVE))
        .isEqualTo(
            json(
                "{'paceline-intents:intent': [{'path': 'video-streaming/bbb_live',"
                    + " 'maximum-rate': '3172.0', 'weight': '2.0'}]}"));
    assertThat(get(INTENTS + "/utility-function=whatever/step=100/within=20.00/utility"))
        .isEqualTo(json("{'paceline-intents:utility': '1.5'}"));
    assertThat(get("data/paceline-conversations:conversations/conversation=h1,42/sockets"))
        .isEqualTo(json("{'paceline-conversations:sockets': 6}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "paceline-intents:intents?depth=1 | {'paceline-intents:intents': {}}",
        "paceline-intents:intents?fields=intent(weight) | {'paceline-intents:intents': {'intent':"
            + " [{'path': '/'}, {'path': 'video-streaming'}, {'path': 'video-streaming/bbb_live',"
            + " 'weight': '2.0'}]}}",
        "paceline-intents:intents?content=nonconfig | {'paceline-intents:intents': {}}",
        "paceline-intents:intents?depth=2&fields=utility-function |"
            + " {'paceline-intents:intents': {'utility-function': [{'name': 'whatever'}]}}",
        "paceline-conversations:conversations?fields=plan-version;conversation/computed(rate;delay)"
            + " | {'paceline-conversations:conversations': {'plan-version': '7', 'conversation':"
            + " [{'host': 'h1', 'id': '42', 'computed': {'rate': '1724.137931', 'delay': '20.0'}}]}}",
        "?content=nonconfig&depth=3&fields=paceline-conversations:conversations |"
            + " {'ietf-restconf:data': {'paceline-conversations:conversations': {'plan-version':"
            + " '7', 'conversation': [{'host': 'h1', 'id': '42'}]}}}",
        "ietf-yang-library:yang-library/schema=all | {'ietf-yang-library:schema': [{'name': 'all',"
            + " 'module-set': ['all']}]}",
      })
  void onlyWhatIsWantedIsShown(String path, String expected) {
    JsonObject shown = get("data/" + path).getAsJsonObject();
    assertThat(shown).isEqualTo(json(expected));
  }

  @Test
  void anIntentIsPutAndPatchedAndDeleted() {
    String own = INTENTS + "/intent=voice";
    String body = "{'paceline-intents:intent': [{'path': 'voice', 'priority': 5}]}";
    assertThat(ask("PUT", own, body).status()).isEqualTo(201);
    assertThat(ask("PUT", own, body).status()).isEqualTo(204);
    assertThat(
            ask("PATCH", own, "{'paceline-intents:intent': [{'path': 'voice', 'weight': '3'}]}")
                .status())
        .isEqualTo(204);
    assertThat(get(own))
        .isEqualTo(
            json(
                "{'paceline-intents:intent': [{'path': 'voice', 'weight': '3.0', 'priority': 5}]}"));
    assertThat(ask("PUT", own, body).status()).isEqualTo(204);
    assertThat(get(own)).isEqualTo(json(body));
    assertThat(ask("DELETE", own, "").status()).isEqualTo(204);
    assertThat(ask("GET", own, "").status()).isEqualTo(404);
    assertThat(ask("DELETE", own, "").status()).isEqualTo(404);
    assertThat(intents.tree().policies()).hasSize(3);
  }

  @Test
  void aLeafIsPutAndDeleted() {
    assertThat(
            ask("PUT", LIVE + "/maximum-rate", "{'paceline-intents:maximum-rate': '2000'}")
                .status())
        .isEqualTo(204);
    assertThat(most("video-streaming/bbb_live")).isEqualTo(DataRate.ofKilobitsPerSecond(2000));
    assertThat(ask("DELETE", LIVE + "/weight", "").status()).isEqualTo(204);
    assertThat(intents.tree().resolve("video-streaming/bbb_live").weight().value()).isEqualTo(1.0);
    assertThat(ask("DELETE", LIVE + "/path", "").status()).isEqualTo(400);
  }

  @Test
  void whatIsPostedIsThereOnceAndSaysWhere() {
    String body = "{'paceline-intents:intent': [{'path': 'web/mail', 'weight': '2.5'}]}";
    Reply made = ask("POST", INTENTS, body);
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.headers())
        .containsEntry("Location", "/restconf/data/paceline-intents:intents/intent=web%2Fmail");
    assertThat(ask("POST", INTENTS, body).status()).isEqualTo(409);
    assertThat(intents.tree().contains(IntentPath.parse("web/mail"))).isTrue();
    assertThat(
            ask("POST", INTENTS + "/intent=web%2Fmail", "{'paceline-intents:priority': 3}")
                .status())
        .isEqualTo(201);
    assertThat(intents.tree().resolve("web/mail").priority().value()).isEqualTo(3);
  }

  @Test
  void theWholeDatastoreIsPutAndPatched() throws IOException {
    String whole =
        "{'ietf-restconf:data': " + example("intents").replace("bbb_live", "other") + "}";
    assertThat(ask("PUT", "data", whole).status()).isEqualTo(204);
    assertThat(intents.tree().contains(IntentPath.parse("video-streaming/other"))).isTrue();
    assertThat(intents.tree().contains(IntentPath.parse("video-streaming/bbb_live"))).isFalse();
    assertThat(
            ask(
                    "PATCH",
                    "data",
                    "{'ietf-restconf:data': {'paceline-intents:intents': {'intent': [{'path':"
                        + " 'x'}]}}}")
                .status())
        .isEqualTo(204);
    assertThat(intents.tree().policies()).hasSize(4);
  }

  @Test
  void whoHasReadAnOlderTreeIsRefused() {
    String tag = tag(ask("GET", INTENTS, ""));
    String body = "{'paceline-intents:weight': '4.0'}";
    Reply changed = ask("PUT", LIVE + "/weight", body, "If-Match", tag);
    assertThat(changed.status()).isEqualTo(204);
    assertThat(tag(changed)).isNotEqualTo(tag);
    assertThat(ask("PUT", LIVE + "/weight", body, "If-Match", tag).status()).isEqualTo(412);
    assertThat(ask("PUT", LIVE + "/weight", body, "If-None-Match", "*").status()).isEqualTo(412);
    String now = tag(changed);
    assertThat(ask("GET", INTENTS, "", "If-None-Match", now).status()).isEqualTo(304);
    assertThat(ask("GET", INTENTS, "", "If-None-Match", tag).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'path': 'video'}]} | 400 | keys",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'priority': 1}]}   | 400 | expecting 1",
        "PUT    | /intent=voice          | {'paceline-intents:intent': []}                  | 400 | nothing",
        "PUT    | /intent=%2Fvoice       | {'paceline-intents:intent': [{'path': '/voice'}]} | 400 | voice",
        "PUT    | /intent=a,b            | {}                                               | 400 | keys",
        "PUT    | /intent                | {'paceline-intents:intent': [{'path': 'a'}]}     | 400 | list",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'path': 'voice', 'wait': 1}]} | 400 | wait",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'path': 'voice', 'weight': null}]} | 400 | ''",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'path': 'voice', 'weight': {}}]} | 400 | ''",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'path': 'voice', 'priority': []}]} | 400 | priority",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'path': 'voice', 'weight': [[]]}]} | 400 | ''",
        "PUT    | /intent=voice          | {'paceline-intents:intent': 'voice'}             | 400 | ''",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [[[['voice']]]]}     | 400 | ''",
        "PUT    | /intent=voice          | {'paceline-intents:intent': [{'path': 'voice', 'path': 'voice'}]} | 400 | twice",
        "PUT    | /intent=voice          | {'paceline-intents:intent'                       | 400 | JSON",
        "PUT    | /intent=voice          | ''                                               | 400 | JSON",
        "PUT    | /intent=voice          | [1]                                              | 400 | object",
        "PUT    | /intent=voice          | {} {}                                            | 400 | JSON",
        "PUT    | /intent=voice          | {}                                               | 400 | nothing else",
        "PUT    | /intent=%2F            | {'paceline-intents:intent': [{'path': '/'}]}     | 400 | the path /",
        "DELETE | /intent=%2F            | ''                                               | 400 | the path /",
        "DELETE | ''                     | ''                                               | 400 | the path /",
        "DELETE | /utility-function=whatever | ''                                           | 400 | whatever",
        "DELETE | /utility-function=whatever/step=100.0/within=20.0 | ''                    | 400 | same",
        "POST   | ''                     | {'paceline-intents:utility-function': [{'name': 'f', 'step': [{'rate': '1', 'within': [{'delay': '1', 'utility': '2'}]}]}]} | 400 | No intent names",
        "DELETE | /intent=video-streaming | ''                                              | 409 | below it",
        "DELETE | /intent=nobody         | ''                                               | 404 | nobody",
        "DELETE | /nothing               | ''                                               | 404 | nothing",
        "PATCH  | /intent=nobody         | {'paceline-intents:intent': [{'path': 'nobody'}]} | 404 | nobody",
        "PATCH  | /intent=video-streaming | {'paceline-intents:intent': [{'path': 'video-streaming', 'maximum-rate': '1'}]} | 400 | above the greatest",
        "POST   | /intent=nobody         | {'paceline-intents:weight': '1'}                 | 404 | nobody",
        "POST   | ''                     | {'paceline-intents:intent': [{'path': 'a'}, {'path': 'b'}]} | 400 | one entry",
        "POST   | ''                     | {'intent': [{'path': 'a'}], 'utility-function': []} | 400 | one node",
        "POST   | /intent=video-streaming | {'paceline-intents:path': 'x'}                  | 400 | key",
        "POST   | ?insert=first          | {'paceline-intents:intent': [{'path': 'a'}]}     | 400 | query",
        "BREW   | ''                     | ''                                               | 405 | BREW",
      })
  void aBadChangeChangesNothingAndSaysWhy(
      String method, String path, String body, int status, String named) {
    IntentTree before = intents.tree();

    Reply reply = ask(method, INTENTS + path, body);

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
    assertThat(intents.tree()).isEqualTo(before);
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
    "POST, yang-library-version, 405",
    "GET, operations/paceline:nothing, 404",
    "PUT, data/paceline-conversations:conversations, 405",
    "DELETE, data, 405",
  })
  void aBadRequestIsRefused(String method, String path, int status) {
    assertThat(ask(method, path, "").status()).isEqualTo(status);
  }

  @Test
  void anOperationGetsItsInputAndGivesItsOutput() {
    String explain = "operations/paceline-explain:explain";
    assertThat(get("operations").toString())
        .contains("\"paceline-explain:explain\":[null]", "paceline-reservations:reserve");
    Reply reply = ask("POST", explain, "{'paceline-explain:input': {'host': 'h1', 'id': '4'}}");
    assertThat(reply.body())
        .contains(json("{'paceline-explain:output': {'obstacle': 'asked for h1'}}"));
    assertThat(ask("POST", explain, "{'paceline-explain:input': {'host': 'h1'}}").status())
        .isEqualTo(400);
    assertThat(
            ask(
                    "POST",
                    explain,
                    "{'paceline-explain:input': {'host': 'h1', 'id': '4', 'colour': 'red'}}")
                .status())
        .isEqualTo(400);
    assertThat(
            ask("POST", explain, "{'paceline-explain:input': {'host': 'h1', 'id': 'none'}}")
                .status())
        .isEqualTo(404);
    assertThat(ask("POST", explain, "").status()).isEqualTo(400);
    assertThat(ask("GET", explain, "").status()).isEqualTo(405);
  }

  @Test
  void anOperationWithoutAnOutputHasNoBody() {
    Reply reply =
        ask(
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
        "'from': '10.0.0.1', 'to': '10.0.0.2', 'rate': '1'                  | 400",
        "'from': '10.0.0.1', 'to': '10.0.0.2', 'rate': '1', 'duration': 0   | 400",
        "'from': 'nobody', 'to': '10.0.0.2', 'rate': '1', 'duration': 60    | 400",
        "'from': '10.0.0.1', 'to': '10.0.0.2', 'rate': '1', 'duration': 60, 'start': 'now' | 400",
        "'from': '10.0.0.1', 'to': '10.0.0.2', 'rate': '1', 'duration': 60, 'commit': 1    | 400",
      })
  void whatAnOperationIsGivenIsHeldAgainstTheModel(String input, int status) {
    Reply reply =
        ask(
            "POST",
            "operations/paceline-reservations:reserve",
            "{'paceline-reservations:input': {" + input + "}}");
    assertThat(reply.status()).as(String.valueOf(reply.body())).isEqualTo(status);
  }

  @Test
  void whatOtherModulesAddIsFoundByItsModulesName() {
    assertThat(
            get(
                "data/ietf-network-state:networks/network=paceline"
                    + "/ietf-network-topology-state:link=h1%20-%3E%20s1/paceline-network:capacity"))
        .isEqualTo(json("{'paceline-network:capacity': '100000.0'}"));
    assertThat(get("data/ietf-network-state:networks?fields=network/link/source"))
        .isEqualTo(
            json(
                "{'ietf-network-state:networks': {'network': [{'network-id': 'paceline',"
                    + " 'ietf-network-topology-state:link': [{'link-id': 'h1 -> s1', 'source':"
                    + " {'source-node': 'h1'}}]}]}}"));
  }

  @Test
  void otherMediaTypesAreRefused() {
    assertThat(ask("GET", INTENTS, "", "Accept", "application/yang-data+xml").status())
        .isEqualTo(406);
    assertThat(ask("PATCH", INTENTS, "{}", "content-type", "application/yang-patch+json").status())
        .isEqualTo(415);
  }

  @Test
  void theLibraryNamesEveryModule() {
    assertThat(get("data/ietf-yang-library:yang-library").toString())
        .contains("paceline-intents", "paceline-conversations", "ietf-datastores:running");
    assertThat(get("yang-library-version"))
        .isEqualTo(json("{'ietf-restconf:yang-library-version': '2019-01-04'}"));
    assertThat(get("").toString()).contains("operations", "2019-01-04");
    assertThat(ask("OPTIONS", INTENTS, "").headers())
        .containsEntry("Allow", "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE");
    assertThat(ask("HEAD", INTENTS, "").body()).isEmpty();
  }

  @Test
  void whoMayNotChangeIsToldSoAndChangesNothing() {
    IntentTree before = intents.tree();
    String priority = "{'paceline-intents:intent': [{'path': 'x', 'priority': 1}]}";
    Reply refused = askAs("visitor", "POST", INTENTS, priority);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.body().orElseThrow().toString()).contains("access-denied", "Visitors");
    assertThat(intents.tree()).isEqualTo(before);
    assertThat(askAs("visitor", "GET", INTENTS, "").status()).isEqualTo(200);
  }
}
