package org.paceline.records;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Change;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.audit.Request;
import org.paceline.control.audit.Subject;
import org.paceline.control.enrolment.EnrolmentToken;
import org.paceline.control.naming.NamingDocument;
import org.paceline.control.naming.NamingRules;
import org.paceline.control.policy.Ceiling;
import org.paceline.control.policy.PolicyDraft;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.control.webhook.Webhook;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.catalogue.NamedTables;
import org.paceline.json.tree.IntentTreeReader;
import org.paceline.json.tree.IntentTreeWriter;

/** What is recorded, as JSON. */
public final class RecordCodecs {
  private static final Pattern REFUTATION_1 = Pattern.compile("Change (\\d{1,18}) was not made: ");
  private static final Pattern DRAFT_1 =
      Pattern.compile("Draft ([A-Za-z0-9_.-]{1,64}) is put in force\\.");

  /** Of records with a tree: in version 1 no intent has a utility function of uploads. */
  private static final int TREE_VERSION = 2;

  private RecordCodecs() {}

  public static final RecordCodec<String> PLAIN = plain(1);

  /**
   * Where a block of numbered records was exported to. Of version 2 from the beginning: an earlier
   * Paceline, which takes the number of records for that of the newest, must not start beside it.
   */
  public static final RecordCodec<String> EXPORTED = plain(2);

  private static RecordCodec<String> plain(int schema) {
    return new RecordCodec<>() {
      @Override
      public int version() {
        return schema;
      }

      @Override
      public String write(String value) {
        return value;
      }

      @Override
      public String read(String text, int version) {
        return text;
      }
    };
  }

  public static final RecordCodec<Change> CHANGE =
      new JsonCodec<>(2) {
        @Override
        ObjectNode json(Change change) {
          return RecordCodecs.json(change);
        }

        @Override
        Change value(JsonNode json, int version) {
          return change(json, version);
        }
      };

  public static final RecordCodec<PendingChange> BEGUN =
      new JsonCodec<>(2) {
        @Override
        ObjectNode json(PendingChange begun) {
          return RecordCodecs.json(begun.change()).put("subject", begun.subject().toString());
        }

        @Override
        PendingChange value(JsonNode json, int version) {
          return PendingChange.of(
              Subject.parse(json.path("subject").asText()), change(json, version));
        }
      };

  public static final RecordCodec<PolicyVersion> VERSION =
      new JsonCodec<>(TREE_VERSION) {
        @Override
        public int version(PolicyVersion version) {
          return treeVersion(version.tree());
        }

        @Override
        ObjectNode json(PolicyVersion version) {
          ObjectNode json =
              with(version.author())
                  .put("number", version.number())
                  .put("at", version.at().toString())
                  .put("reason", version.reason())
                  .put("draft", version.draft().orElse(""))
                  .put("tree", whole(version.tree()));
          version.confirmUntil().ifPresent(until -> json.put("confirmUntil", until.toString()));
          return json;
        }

        @Override
        PolicyVersion value(JsonNode json, int version) throws IOException {
          return PolicyVersion.of(
                  json.path("number").asLong(),
                  Instant.parse(json.path("at").asText()),
                  author(json),
                  json.path("reason").asText(),
                  JsonCodec.maybe(json, "confirmUntil").map(Instant::parse),
                  tree(json.path("tree").asText()))
              .ofDraft(draft(json));
        }
      };

  public static final RecordCodec<PolicyDraft> DRAFT =
      new JsonCodec<>(TREE_VERSION) {
        @Override
        public int version(PolicyDraft draft) {
          return treeVersion(draft.tree());
        }

        @Override
        ObjectNode json(PolicyDraft draft) {
          return with(draft.author())
              .put("name", draft.name())
              .put("at", draft.at().toString())
              .put("base", draft.base())
              .put("tree", whole(draft.tree()));
        }

        @Override
        PolicyDraft value(JsonNode json, int version) throws IOException {
          return PolicyDraft.of(
              json.path("name").asText(),
              Instant.parse(json.path("at").asText()),
              author(json),
              json.path("base").asLong(),
              tree(json.path("tree").asText()));
        }
      };

  public static final RecordCodec<Ceiling> CEILING =
      new JsonCodec<>(1) {
        @Override
        ObjectNode json(Ceiling ceiling) {
          ObjectNode json =
              JsonNodeFactory.instance.objectNode().put("branch", ceiling.branch().toString());
          ceiling
              .rate()
              .ifPresent(most -> json.put("millibitsPerSecond", most.millibitsPerSecond()));
          ceiling.sharePercent().ifPresent(most -> json.put("sharePercent", most));
          ceiling.duration().ifPresent(most -> json.put("duration", most.toString()));
          ceiling.priority().ifPresent(most -> json.put("priority", most));
          return json;
        }

        @Override
        Ceiling value(JsonNode json, int version) {
          return Ceiling.of(IntentPath.parse(json.path("branch").asText()))
              .rate(
                  JsonCodec.number(json, "millibitsPerSecond")
                      .map(JsonNode::asLong)
                      .map(DataRate::ofMillibitsPerSecond))
              .sharePercent(JsonCodec.number(json, "sharePercent").map(JsonNode::asInt))
              .duration(JsonCodec.maybe(json, "duration").map(Duration::parse))
              .priority(JsonCodec.number(json, "priority").map(JsonNode::asInt))
              .build();
        }
      };

  /** Without its secret, which nobody keeps. */
  public static final RecordCodec<EnrolmentToken> ENROLMENT_TOKEN =
      new JsonCodec<>(1) {
        @Override
        ObjectNode json(EnrolmentToken token) {
          ObjectNode json =
              JsonNodeFactory.instance
                  .objectNode()
                  .put("digest", token.digest())
                  .put("host", token.host())
                  .put("author", token.author())
                  .put("end", token.end().toString());
          ArrayNode addresses = json.putArray("addresses");
          token.addresses().forEach(addresses::add);
          return json;
        }

        @Override
        EnrolmentToken value(JsonNode json, int version) {
          Set<String> addresses = new TreeSet<>();
          json.path("addresses").forEach(address -> addresses.add(address.asText()));
          return EnrolmentToken.of(
              json.path("digest").asText(),
              json.path("host").asText(),
              addresses,
              json.path("author").asText(),
              Instant.parse(json.path("end").asText()));
        }
      };

  public static final RecordCodec<NamingRules> NAMING_RULES =
      new JsonCodec<>(1) {
        @Override
        ObjectNode json(NamingRules rules) {
          return object(NamingDocument.write(rules));
        }

        @Override
        NamingRules value(JsonNode json, int version) {
          return NamingDocument.read(asMap(json));
        }
      };

  /** With the secret, which is needed to sign: whoever reads the store may sign, too. */
  public static final RecordCodec<Webhook> WEBHOOK =
      new JsonCodec<>(1) {
        @Override
        ObjectNode json(Webhook webhook) {
          ObjectNode json =
              JsonNodeFactory.instance
                  .objectNode()
                  .put("id", webhook.id())
                  .put("url", webhook.url().toString())
                  .put("secret", webhook.secret());
          ArrayNode kinds = json.putArray("kinds");
          webhook.kinds().forEach(kind -> kinds.add(kind.name()));
          return json;
        }

        @Override
        Webhook value(JsonNode json, int version) {
          Set<Webhook.Kind> kinds = new TreeSet<>();
          json.path("kinds").forEach(kind -> kinds.add(Webhook.Kind.valueOf(kind.asText())));
          return Webhook.of(
              json.path("id").asText(),
              json.path("url").asText(),
              kinds,
              json.path("secret").asText());
        }
      };

  /**
   * What lacks the member is an earlier Paceline's, for it is written also where there was no
   * draft. So the schema version need not tell them apart: it would keep an earlier Paceline, which
   * misses nothing, from its policy.
   */
  private static Optional<String> draft(JsonNode version) {
    return version.has("draft")
        ? JsonCodec.maybe(version, "draft")
        : draftByItsSentence(version.path("reason").asText());
  }

  /** In an earlier Paceline's version nothing but the sentence said which draft it was. */
  private static Optional<String> draftByItsSentence(String reason) {
    Matcher draft = DRAFT_1.matcher(reason);
    return draft.matches() ? Optional.of(draft.group(1)) : Optional.empty();
  }

  private static ObjectNode json(Change change) {
    ObjectNode json =
        with(change.author())
            .put("number", change.number())
            .put("at", change.at().toString())
            .put("operation", change.operation())
            .put("body", change.body())
            .put("before", change.before())
            .put("after", change.after());
    change.refutes().ifPresent(number -> json.put("refutes", number));
    return json;
  }

  private static Change change(JsonNode json, int version) {
    Change change =
        Change.of(
            json.path("number").asLong(),
            Instant.parse(json.path("at").asText()),
            author(json),
            json.path("operation").asText(),
            json.path("body").asText(),
            json.path("before").asText(),
            json.path("after").asText());
    Optional<Long> refutes =
        version == 1
            ? refutedByItsSentence(change)
            : JsonCodec.number(json, "refutes").map(JsonNode::asLong);
    return refutes.map(change::refuting).orElse(change);
  }

  /** In version 1 nothing but the sentence said that a change was not made. */
  private static Optional<Long> refutedByItsSentence(Change change) {
    Matcher refutation = REFUTATION_1.matcher(change.operation());
    return refutation.lookingAt()
        ? Optional.of(Long.valueOf(refutation.group(1)))
        : Optional.empty();
  }

  /** A tree for people to compare: without the tables that come with every Paceline. */
  public static String brief(IntentTree tree) {
    return text(tree, NamedTables.all());
  }

  private static int treeVersion(IntentTree tree) {
    return tree.policies().values().stream().anyMatch(node -> node.uploadFunction().isPresent())
        ? TREE_VERSION
        : 1;
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
    return Author.of(json.path("actor").asText(), JsonCodec.maybe(json, "ticket"))
        .by(
            JsonCodec.maybe(json, "request")
                .map(id -> Request.of(id, Instant.parse(json.path("requestAt").asText()))));
  }
}
