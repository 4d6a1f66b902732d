package org.paceline.records;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Change;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.audit.Request;
import org.paceline.control.audit.Subject;
import org.paceline.control.policy.Ceiling;
import org.paceline.control.policy.PolicyDraft;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.control.webhook.Webhook;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.catalogue.Catalogue;
import org.paceline.json.tree.IntentTreeReader;
import org.paceline.json.tree.IntentTreeWriter;

/** What is recorded, as JSON. */
public final class RecordCodecs {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private RecordCodecs() {}

  public static final RecordCodec<String> PLAIN =
      new RecordCodec<>() {
        @Override
        public String write(String value) {
          return value;
        }

        @Override
        public String read(String text) {
          return text;
        }
      };

  public static final RecordCodec<Change> CHANGE =
      new RecordCodec<>() {
        @Override
        public String write(Change change) {
          return json(change).toString();
        }

        @Override
        public Change read(String text) throws IOException {
          return change(MAPPER.readTree(text));
        }
      };

  public static final RecordCodec<PendingChange> BEGUN =
      new RecordCodec<>() {
        @Override
        public String write(PendingChange begun) {
          return json(begun.change()).put("subject", begun.subject().toString()).toString();
        }

        @Override
        public PendingChange read(String text) throws IOException {
          JsonNode json = MAPPER.readTree(text);
          return PendingChange.of(Subject.parse(json.path("subject").asText()), change(json));
        }
      };

  public static final RecordCodec<PolicyVersion> VERSION =
      new RecordCodec<>() {
        @Override
        public String write(PolicyVersion version) {
          ObjectNode json =
              with(version.author())
                  .put("number", version.number())
                  .put("at", version.at().toString())
                  .put("reason", version.reason())
                  .put("tree", whole(version.tree()));
          version.confirmUntil().ifPresent(until -> json.put("confirmUntil", until.toString()));
          return json.toString();
        }

        @Override
        public PolicyVersion read(String text) throws IOException {
          JsonNode json = MAPPER.readTree(text);
          return PolicyVersion.of(
              json.path("number").asLong(),
              Instant.parse(json.path("at").asText()),
              author(json),
              json.path("reason").asText(),
              maybe(json, "confirmUntil").map(Instant::parse),
              tree(json.path("tree").asText()));
        }
      };

  public static final RecordCodec<PolicyDraft> DRAFT =
      new RecordCodec<>() {
        @Override
        public String write(PolicyDraft draft) {
          return with(draft.author())
              .put("name", draft.name())
              .put("at", draft.at().toString())
              .put("base", draft.base())
              .put("tree", whole(draft.tree()))
              .toString();
        }

        @Override
        public PolicyDraft read(String text) throws IOException {
          JsonNode json = MAPPER.readTree(text);
          return PolicyDraft.of(
              json.path("name").asText(),
              Instant.parse(json.path("at").asText()),
              author(json),
              json.path("base").asLong(),
              tree(json.path("tree").asText()));
        }
      };

  /** With the secret, which is needed to sign: whoever reads the store may sign, too. */
  public static final RecordCodec<Ceiling> CEILING =
      new RecordCodec<>() {
        @Override
        public String write(Ceiling ceiling) {
          ObjectNode json =
              JsonNodeFactory.instance.objectNode().put("branch", ceiling.branch().toString());
          ceiling
              .rate()
              .ifPresent(most -> json.put("millibitsPerSecond", most.millibitsPerSecond()));
          ceiling.sharePercent().ifPresent(most -> json.put("sharePercent", most));
          ceiling.duration().ifPresent(most -> json.put("duration", most.toString()));
          ceiling.priority().ifPresent(most -> json.put("priority", most));
          return json.toString();
        }

        @Override
        public Ceiling read(String text) throws IOException {
          JsonNode json = MAPPER.readTree(text);
          return Ceiling.of(IntentPath.parse(json.path("branch").asText()))
              .rate(
                  number(json, "millibitsPerSecond")
                      .map(JsonNode::asLong)
                      .map(DataRate::ofMillibitsPerSecond))
              .sharePercent(number(json, "sharePercent").map(JsonNode::asInt))
              .duration(maybe(json, "duration").map(Duration::parse))
              .priority(number(json, "priority").map(JsonNode::asInt))
              .build();
        }
      };

  private static Optional<JsonNode> number(JsonNode json, String member) {
    return Optional.of(json.path(member)).filter(JsonNode::isNumber);
  }

  public static final RecordCodec<Webhook> WEBHOOK =
      new RecordCodec<>() {
        @Override
        public String write(Webhook webhook) {
          ObjectNode json =
              JsonNodeFactory.instance
                  .objectNode()
                  .put("id", webhook.id())
                  .put("url", webhook.url().toString())
                  .put("secret", webhook.secret());
          ArrayNode kinds = json.putArray("kinds");
          webhook.kinds().forEach(kind -> kinds.add(kind.name()));
          return json.toString();
        }

        @Override
        public Webhook read(String text) throws IOException {
          JsonNode json = MAPPER.readTree(text);
          Set<Webhook.Kind> kinds = new TreeSet<>();
          json.path("kinds").forEach(kind -> kinds.add(Webhook.Kind.valueOf(kind.asText())));
          return Webhook.of(
              json.path("id").asText(),
              json.path("url").asText(),
              kinds,
              json.path("secret").asText());
        }
      };

  private static ObjectNode json(Change change) {
    return with(change.author())
        .put("number", change.number())
        .put("at", change.at().toString())
        .put("operation", change.operation())
        .put("body", change.body())
        .put("before", change.before())
        .put("after", change.after());
  }

  private static Change change(JsonNode json) {
    return Change.of(
        json.path("number").asLong(),
        Instant.parse(json.path("at").asText()),
        author(json),
        json.path("operation").asText(),
        json.path("body").asText(),
        json.path("before").asText(),
        json.path("after").asText());
  }

  /** A tree for people to compare: without the tables that come with every Paceline. */
  public static String brief(IntentTree tree) {
    return text(tree, Catalogue.load());
  }

  // A stored tree must mean the same to a later Paceline, whose catalogue may differ.
  private static String whole(IntentTree tree) {
    return text(tree, Map.of());
  }

  private static String text(IntentTree tree, Map<String, UtilityFunction> known) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      IntentTreeWriter.write(tree, known, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot refuse bytes", e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static IntentTree tree(String text) throws IOException {
    return IntentTreeReader.read(
            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
            DocumentLimits.FILE,
            Map.of())
        .orElseThrow();
  }

  private static ObjectNode with(Author author) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("actor", author.actor());
    author.ticket().ifPresent(ticket -> json.put("ticket", ticket));
    author
        .request()
        .ifPresent(
            request ->
                json.put("request", request.id()).put("requestAt", request.firstAt().toString()));
    return json;
  }

  private static Author author(JsonNode json) {
    return Author.of(json.path("actor").asText(), maybe(json, "ticket"))
        .by(
            maybe(json, "request")
                .map(id -> Request.of(id, Instant.parse(json.path("requestAt").asText()))));
  }

  private static Optional<String> maybe(JsonNode json, String member) {
    return Optional.of(json.path(member).asText("")).filter(text -> !text.isEmpty());
  }
}
