package org.paceline.reference;

import static org.paceline.reference.MarkdownTable.code;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.paceline.northbound.rest.document.DocumentResource;

/** The REST, from its OpenAPI document. */
final class RestPage implements Page {
  private static final List<String> VERBS = List.of("get", "post", "put", "patch", "delete");

  private final JsonNode document;
  private final Set<String> refusedByAll;
  private final Set<String> refusedByWrites;

  RestPage() {
    try {
      document = new ObjectMapper().readTree(new DocumentResource().getOpenApi());
    } catch (IOException e) {
      throw new IllegalStateException("The OpenAPI document is no JSON.", e);
    }
    refusedByAll = common(false);
    refusedByWrites = common(true);
  }

  @Override
  public String name() {
    return "rest.md";
  }

  @Override
  public String text() {
    StringBuilder page =
        new StringBuilder(
            "# REST\n\n"
                + "Below `/onos/paceline`, with ONOS's users; how to use it:"
                + " [Look and change](../operate/commands.md) and"
                + " [For programs](../operate/programs.md).\n"
                + "`GET v1/openapi.json` is the same for programs. Any operation may be refused"
                + " with "
                + String.join(", ", refusedByAll)
                + ", and one that writes with "
                + refusedByWrites.stream()
                    .filter(status -> !refusedByAll.contains(status))
                    .collect(Collectors.joining(", "))
                + " too;\nthe tables name what else. Each write takes `Idempotency-Key` and"
                + " `Change-Ticket`. Bodies and answers are [below](#documents).\n\n");
    operations().forEach((tag, table) -> page.append("## " + tag + "\n\n" + table));
    page.append("## Parameters\n\n").append(parameters());
    page.append("## Documents\n\n");
    document
        .at("/components/schemas")
        .fields()
        .forEachRemaining(schema -> page.append(section(schema.getKey(), schema.getValue())));
    return page.toString();
  }

  private Map<String, MarkdownTable> operations() {
    Map<String, MarkdownTable> tables = new LinkedHashMap<>();
    document
        .get("tags")
        .forEach(
            tag ->
                tables.put(
                    tag.get("name").asText(),
                    new MarkdownTable(
                        "", "what it does", "role", "query", "takes", "answers", "also refuses")));
    document
        .get("paths")
        .fields()
        .forEachRemaining(
            path ->
                VERBS.forEach(
                    verb -> {
                      JsonNode operation = path.getValue().path(verb);
                      if (!operation.isMissingNode()) {
                        String tag = operation.at("/tags/0").asText();
                        MarkdownTable table =
                            Objects.requireNonNull(tables.get(tag), "no tag " + tag);
                        row(table, verb, path.getKey(), operation);
                      }
                    }));
    return tables;
  }

  private void row(MarkdownTable table, String verb, String path, JsonNode operation) {
    List<String> query = new ArrayList<>();
    for (JsonNode parameter : operation.get("parameters")) {
      JsonNode meant = followed(parameter);
      if (meant.path("in").asText().equals("query")) {
        query.add(code(meant.get("name").asText()));
      }
    }
    List<String> answers = new ArrayList<>();
    TreeSet<String> refusals = new TreeSet<>();
    operation
        .get("responses")
        .fields()
        .forEachRemaining(
            response -> {
              int status = Integer.parseInt(response.getKey());
              if (status < 300) {
                answers.add((status + " " + link(response.getValue())).strip());
              } else if (!(verb.equals("get") ? refusedByAll : refusedByWrites)
                  .contains(response.getKey())) {
                refusals.add(response.getKey());
              }
            });
    table.row(
        code(verb.toUpperCase(Locale.ROOT) + " " + path.substring(1)),
        operation.get("summary").asText(),
        operation.get("description").asText().replaceAll("^Needs the role |\\.$", ""),
        String.join(", ", query),
        link(operation.path("requestBody")),
        String.join("; ", answers),
        String.join(", ", refusals));
  }

  /** What every operation may answer but for its success, or every one that writes. */
  private Set<String> common(boolean writing) {
    Set<String> all = new TreeSet<>();
    Set<String> missing = new TreeSet<>();
    List<Set<String>> each = new ArrayList<>();
    document
        .get("paths")
        .forEach(
            path ->
                path.fields()
                    .forEachRemaining(
                        operation -> {
                          if (!writing || !operation.getKey().equals("get")) {
                            Set<String> statuses = new TreeSet<>();
                            operation
                                .getValue()
                                .get("responses")
                                .fieldNames()
                                .forEachRemaining(statuses::add);
                            each.add(statuses);
                          }
                        }));
    each.forEach(all::addAll);
    each.forEach(one -> all.stream().filter(s -> !one.contains(s)).forEach(missing::add));
    all.removeAll(missing);
    all.removeIf(status -> status.startsWith("2"));
    return all;
  }

  private String link(JsonNode body) {
    JsonNode content = followed(body).path("content");
    if (!content.fields().hasNext()) {
      return "";
    }
    return type(content.fields().next().getValue().path("schema"));
  }

  private MarkdownTable parameters() {
    MarkdownTable table = new MarkdownTable("name", "in", "may be", "what it is for");
    document
        .at("/components/parameters")
        .forEach(
            parameter ->
                table.row(
                    code(parameter.get("name").asText()),
                    parameter.get("in").asText(),
                    type(parameter.path("schema")),
                    parameter.path("description").asText()));
    return table;
  }

  private String section(String name, JsonNode schema) {
    MarkdownTable table = new MarkdownTable("member", "", "type", "");
    members("", schema, table);
    String description = schema.path("description").asText();
    String what = description.isEmpty() ? "" : description + ".\n\n";
    return "### "
        + name
        + "\n\n"
        + what
        + (table.isEmpty() ? type(schema) + "\n\n" : table.toString());
  }

  private void members(String before, JsonNode schema, MarkdownTable table) {
    TreeSet<String> required = new TreeSet<>();
    schema.path("required").forEach(name -> required.add(name.asText()));
    schema
        .path("properties")
        .fields()
        .forEachRemaining(
            member -> {
              String name = before + member.getKey();
              JsonNode value = member.getValue();
              table.row(
                  code(name),
                  required.contains(member.getKey()) ? "always" : "",
                  type(value),
                  value.path("description").asText());
              members(name + ".", value, table);
              members(name + "[].", value.path("items"), table);
            });
  }

  private String type(JsonNode schema) {
    if (schema.has("$ref")) {
      String name = schema.get("$ref").asText().replaceFirst(".*/", "");
      return "[" + name + "](#" + name.toLowerCase(Locale.ROOT) + ")";
    }
    if (schema.has("enum")) {
      List<String> words = new ArrayList<>();
      schema.get("enum").forEach(word -> words.add(code(word.asText())));
      return String.join(", ", words);
    }
    if (schema.has("oneOf") || schema.has("anyOf")) {
      List<String> kinds = new ArrayList<>();
      schema.path(schema.has("oneOf") ? "oneOf" : "anyOf").forEach(kind -> kinds.add(type(kind)));
      return String.join(" or ", kinds);
    }
    if (schema.path("type").isArray()) {
      List<String> kinds = new ArrayList<>();
      schema.get("type").forEach(kind -> kinds.add(kind.asText()));
      return String.join(" or ", kinds) + range(schema);
    }
    String type = schema.path("type").asText("any");
    return (type.equals("array") ? "list of " + type(schema.path("items")) : type) + range(schema);
  }

  private static String range(JsonNode schema) {
    StringBuilder text = new StringBuilder();
    bound(schema, "minimum", " from ", text);
    bound(schema, "exclusiveMinimum", " above ", text);
    bound(schema, "maximum", " to ", text);
    return text.toString();
  }

  private static void bound(JsonNode schema, String name, String word, StringBuilder text) {
    if (schema.has(name)) {
      text.append(word).append(schema.get(name).asText());
    }
  }

  private JsonNode followed(JsonNode node) {
    return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
  }
}
