package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.ws.rs.Path;
import org.junit.jupiter.api.Test;
import org.paceline.control.enrolment.EnrolmentToken;
import org.paceline.control.model.Unserved;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.tree.SchemeName;
import org.paceline.northbound.rest.document.DocumentResource;
import org.paceline.northbound.rest.document.OpenApi;
import org.paceline.northbound.rest.request.Operation;

final class OpenApiTest {
  private final JsonNode document = OpenApi.of(DocumentResource.RESOURCES);

  @Test
  void everyResourceThatIsServedIsInTheDocument() {
    List<Class<?>> served =
        new PacelineRest(
                () -> {
                  throw new AssertionError();
                })
            .getSingletons().stream()
                .map(Object::getClass)
                .filter(type -> type.isAnnotationPresent(Path.class))
                .collect(Collectors.toList());
    assertThat(DocumentResource.RESOURCES).hasSameElementsAs(served);
  }

  @Test
  void everyCodeOfARefusalIsInTheDocument() {
    List<String> codes = new ArrayList<>();
    document
        .at("/components/schemas/Conversation/properties/code/enum")
        .forEach(code -> codes.add(code.asText()));
    assertThat(codes)
        .containsExactlyElementsOf(
            Arrays.stream(Unserved.Code.values())
                .map(Unserved.Code::word)
                .collect(Collectors.toList()));
  }

  @Test
  void theLifeOfAnEnrolmentTokenIsInTheDocument() {
    JsonNode life = document.at("/components/schemas/EnrolmentTokenToMake/properties/validSeconds");
    assertThat(life.path("description").asText())
        .contains(" " + EnrolmentToken.USUAL_LIFE.toSeconds() + ",");
    assertThat(life.path("maximum").asLong()).isEqualTo(EnrolmentToken.LONGEST_LIFE.toSeconds());
  }

  /** Wherever they may be said, all of them may. */
  @Test
  void everySchemeAndEveryKpiModelIsInTheDocumentAtEachPlace() {
    assertThat(choices("scheme"))
        .hasSizeGreaterThan(2)
        .allSatisfy(
            words ->
                assertThat(words)
                    .containsExactlyElementsOf(words(SchemeName.values(), SchemeName::word)));
    assertThat(choices("kpiModel"))
        .hasSizeGreaterThan(2)
        .allSatisfy(
            words ->
                assertThat(words)
                    .containsExactlyElementsOf(words(KpiModel.values(), KpiModel::word)));
  }

  /** Of each property of this name, what it may be; in a patch it may be null, too. */
  private List<List<String>> choices(String property) {
    List<List<String>> choices = new ArrayList<>();
    for (JsonNode one : document.get("components").get("schemas").findValues(property)) {
      List<String> words = new ArrayList<>();
      one.path("enum").forEach(word -> words.add(word.asText()));
      words.remove("null");
      if (!words.isEmpty()) {
        choices.add(words);
      }
    }
    return choices;
  }

  private static <T> List<String> words(T[] all, Function<T, String> word) {
    return Arrays.stream(all).map(word).collect(Collectors.toList());
  }

  @Test
  void everyMethodOfAResourceIsAnOperationWithARoleAndEveryOperationIsAMethod() {
    Set<String> methods = new TreeSet<>();
    for (Class<?> resource : DocumentResource.RESOURCES) {
      for (Method method : resource.getMethods()) {
        OpenApi.verb(method)
            .ifPresent(
                verb -> {
                  assertThat(method.isAnnotationPresent(Operation.class))
                      .as(method.toString())
                      .isTrue();
                  methods.add(verb + " /" + OpenApi.address(method));
                });
      }
    }
    assertThat(operations()).hasSameElementsAs(methods);
  }

  @Test
  void everyReferenceLeadsSomewhereAndEveryNamedThingIsUsed() {
    Set<String> used =
        document.findValuesAsText("$ref").stream().collect(Collectors.toCollection(TreeSet::new));
    assertThat(used)
        .allSatisfy(
            reference ->
                assertThat(document.at(reference.substring(1)).isMissingNode())
                    .as(reference)
                    .isFalse());
    Set<String> named = new TreeSet<>();
    for (String kind : List.of("schemas", "responses", "parameters")) {
      document
          .path("components")
          .path(kind)
          .fieldNames()
          .forEachRemaining(name -> named.add("#/components/" + kind + "/" + name));
    }
    assertThat(used).hasSameElementsAs(named);
  }

  /** Generated clients have a class for each tag and in it a method for each id. */
  @Test
  void everyOperationHasOneTagAndAnIdOfItsOwnThatSaysWhatItDoes() {
    List<String> ids = document.path("paths").findValuesAsText("operationId");
    assertThat(ids)
        .hasSize(operations().size())
        .doesNotHaveDuplicates()
        .allSatisfy(id -> assertThat(id).matches("[a-z]+[A-Z][A-Za-z]+"))
        .contains("setIntent", "getIntents", "holdReservation", "commitDraft");
    Set<String> tags = new TreeSet<>(document.path("tags").findValuesAsText("name"));
    List<JsonNode> used = document.path("paths").findValues("tags");
    assertThat(used).hasSize(ids.size()).allMatch(tag -> tag.size() == 1);
    assertThat(used.stream().map(tag -> tag.get(0).asText()).collect(Collectors.toSet()))
        .hasSameElementsAs(tags)
        .contains("Intents", "WhatIf");
  }

  @Test
  void theDocumentSaysWhomToAskAndUnderWhichLicenceItMayBeUsed() {
    assertThat(document.at("/info/contact/email").asText()).contains("@");
    assertThat(document.at("/info/license/identifier").asText()).isEqualTo("Apache-2.0");
  }

  @Test
  void aBodyIsOptionalExactlyWhereTheServerTakesNone() {
    Set<String> optional = new TreeSet<>();
    try (SmallPaceline paceline = new SmallPaceline()) {
      RestClient client = new RestClient(paceline);
      for (Class<?> resource : DocumentResource.RESOURCES) {
        for (Method method : resource.getMethods()) {
          JsonNode body = body(method);
          if (!body.isMissingNode()) {
            String path = OpenApi.address(method).substring("v1/".length());
            RestClient.Answer answer =
                client.send(verb(method), path.replaceAll("\\{\\w+}", "x"), "");
            boolean isTaken = answer.status != 400;
            assertThat(body.path("required").asBoolean())
                .as(method + ": " + answer)
                .isNotEqualTo(isTaken);
            if (isTaken) {
              optional.add(method.getName());
            }
          }
        }
      }
    }
    assertThat(optional)
        .contains("confirmPolicy", "rollBackPolicy", "commitDraft", "commitReservation");
  }

  private JsonNode body(Method method) {
    if (verb(method).isEmpty()) {
      return document.path("none");
    }
    return document
        .path("paths")
        .path("/" + OpenApi.address(method))
        .path(verb(method).toLowerCase(Locale.ROOT))
        .path("requestBody");
  }

  private static String verb(Method method) {
    return OpenApi.verb(method).orElse("");
  }

  private List<String> operations() {
    List<String> all = new ArrayList<>();
    document
        .path("paths")
        .fields()
        .forEachRemaining(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        verb -> all.add(verb.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    return all;
  }
}
