package org.paceline.onos.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.ws.rs.Path;
import org.junit.jupiter.api.Test;

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
