package org.paceline.yang.restconf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.json.catalogue.Catalogue;
import org.paceline.yang.IntentsDocument;
import org.paceline.yang.PacelineModel;
import org.paceline.yang.restconf.data.IntentConfiguration;
import org.paceline.yang.restconf.data.StateData;
import org.paceline.yang.restconf.message.EventStream;
import org.paceline.yang.restconf.message.Reply;
import org.paceline.yang.restconf.message.RestconfError;

/** The example of an office behind a real RESTCONF; nobody but the visitor is refused. */
public final class RestconfOffice {
  private static final EffectiveModelContext MODEL = PacelineModel.load();
  static final Instant CHANGED = Instant.parse("2026-11-02T10:20:30.4Z");
  public static final String INTENTS = "data/paceline-intents:intents";
  public static final String LIVE = INTENTS + "/intent=video-streaming%2Fbbb_live";

  public final Intents intents = new Intents();
  public final ManualClock clock = new ManualClock();
  public final EventStream changes = new EventStream("changes", "What changed.", clock);
  private final EventStreams streams = new EventStreams(List.of(changes));
  private final Restconf<String> restconf;

  public RestconfOffice() throws IOException {
    intents.tree = new IntentsDocument(MODEL).read(json(example("intents")));
    JsonObject conversations =
        json(example("conversations")).getAsJsonObject("paceline-conversations:conversations");
    JsonObject topology = json(example("topology")).getAsJsonObject("ietf-network-state:networks");
    JsonObject tokens =
        json(example("enrolment")).getAsJsonObject("paceline-enrolment:enrolment-tokens");
    Map<String, StateData<String>> state =
        Map.of(
            "paceline-conversations:conversations",
            () -> conversations,
            "ietf-network-state:networks",
            () -> topology,
            "paceline-enrolment:enrolment-tokens",
            notForVisitors(tokens),
            "paceline-enrolment:agent-certificates",
            forAuditors("The list of certificates cannot be read."));
    restconf = new Restconf<>("/restconf", MODEL, intents, state, operations(), () -> streams);
  }

  private static StateData<String> notForVisitors(JsonObject state) {
    return new StateData<>() {
      @Override
      public JsonObject now() {
        return state;
      }

      @Override
      public void mustBeFor(String client) {
        if (client.equals("visitor")) {
          throw RestconfError.denied("Visitors do not see it.");
        }
      }
    };
  }

  /** Auditors would see it, were it not for this. */
  private static StateData<String> forAuditors(String unreadable) {
    return new StateData<>() {
      @Override
      public JsonObject now() {
        throw RestconfError.conflict(unreadable);
      }

      @Override
      public void mustBeFor(String client) {
        if (!client.equals("auditor")) {
          throw RestconfError.denied("Auditors see it.");
        }
      }
    };
  }

  private Map<String, Operation<String>> operations() {
    Operation<String> echo = (input, client) -> input;
    Operation<String> nothing = (input, client) -> new JsonObject();
    return Map.ofEntries(
        Map.entry("paceline-explain:explain", this::explain),
        Map.entry("paceline-policy:compute", echo),
        Map.entry("paceline-policy:commit", echo),
        Map.entry("paceline-policy:confirm", echo),
        Map.entry("paceline-policy:rollback", echo),
        Map.entry("paceline-ceilings:set-ceiling", nothing),
        Map.entry("paceline-ceilings:remove-ceiling", nothing),
        Map.entry("paceline-enrolment:make-token", echo),
        Map.entry("paceline-enrolment:withdraw-token", nothing),
        Map.entry("paceline-enrolment:revoke-certificates", nothing),
        Map.entry("paceline-reservations:reserve", echo),
        Map.entry("paceline-reservations:commit-reservation", nothing),
        Map.entry("paceline-reservations:cancel-reservation", nothing),
        Map.entry("paceline-settings:change-settings", nothing),
        Map.entry("paceline-settings:reset-settings", nothing));
  }

  /** Kept as the controller keeps them, but for the disk. */
  static final class Intents implements IntentConfiguration<String> {
    int timesRead;
    private IntentTree tree = IntentTree.withDefault(Catalogue.load().values().iterator().next());

    @Override
    public void mustBeChangedBy(String client) {
      if (client.equals("visitor")) {
        throw RestconfError.denied("Visitors change nothing.");
      }
    }

    @Override
    public synchronized IntentTree tree() {
      timesRead++;
      return tree;
    }

    @Override
    public Instant changed() {
      return CHANGED;
    }

    @Override
    public synchronized boolean replace(IntentTree expected, IntentTree next, String client) {
      boolean isExpected = tree.equals(expected);
      tree = isExpected ? next : tree;
      return isExpected;
    }
  }

  public static String example(String name) throws IOException {
    return Files.readString(Path.of("examples", name + ".json"));
  }

  public static JsonObject json(String text) {
    return JsonParser.parseString(text.replace('\'', '"')).getAsJsonObject();
  }

  public Reply ask(String method, String path, String body, String... headers) {
    return askAs("anna", method, path, body, headers);
  }

  public Reply askAs(String client, String method, String path, String body, String... headers) {
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

  public static String tag(Reply reply) {
    return Optional.ofNullable(reply.headers().get("ETag")).orElseThrow();
  }

  public JsonElement get(String path) {
    Reply reply = ask("GET", path, "");
    assertThat(reply.status()).as(String.valueOf(reply.body())).isEqualTo(200);
    return reply.body().orElseThrow();
  }

  public DataRate most(String intent) {
    return intents.tree().resolve(intent).maximumRate().orElseThrow().value();
  }
}
