package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Service classes as programs see them. */
final class ClassesRestTest {
  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);

  private void put(String intent, String body) {
    assertThat(rest.send("PUT", "intents/" + intent, body).status).isEqualTo(201);
  }

  @Test
  void withoutABranchOfServiceClassesThereAreNone() throws InterruptedException {
    paceline.talk("call", "voip");
    paceline.settle();
    assertThat(rest.get("classes").json().path("classes")).isEmpty();
  }

  @Test
  void aClassIsWhatItsConversationsAreGivenTogetherAndEach() throws InterruptedException {
    put("guests", "{\"scheme\":\"service-classes\"}");
    put("guests/gold", "{\"classWeight\":3}");
    put("guests/bronze", "{}");
    paceline.talk("a", "guests/gold");
    paceline.talk("b", "guests/gold");
    paceline.talk("c", "guests/bronze");
    paceline.settle();
    JsonNode classes = rest.get("classes").json().path("classes");
    assertThat(classes).hasSize(2);
    // Without a weight of its own bronze is of the root's class.
    JsonNode bronze = classes.path(0);
    JsonNode gold = classes.path(1);
    assertThat(bronze.path("intent").asText()).isEqualTo("/");
    assertThat(gold.path("intent").asText()).isEqualTo("guests/gold");
    assertThat(bronze.path("weight").asInt()).isEqualTo(1);
    assertThat(gold.path("weight").asInt()).isEqualTo(3);
    assertThat(gold.path("conversations").asInt()).isEqualTo(2);
    assertThat(gold.path("granted").asInt()).isEqualTo(2);
    double each = gold.path("leastKbps").asDouble();
    assertThat(gold.path("greatestKbps").asDouble()).isEqualTo(each);
    assertThat(gold.path("grantedKbps").asDouble()).isCloseTo(2 * each, within(0.01));
    assertThat(each / bronze.path("grantedKbps").asDouble()).isCloseTo(3, within(0.001));
    assertThat(gold.path("measuredKbps").asDouble()).isZero();
    assertThat(gold.path("subClasses")).isEmpty();
    assertThat(conversation("a").has("subClass")).isFalse();
  }

  @Test
  void anExplanationNamesTheLinkThatClassesFill() throws InterruptedException {
    put("guests", "{\"scheme\":\"service-classes\"}");
    paceline.talk("a", "guests");
    paceline.talk("b", "guests");
    paceline.settle();
    JsonNode links = rest.get("explain/h1/a").json().path("links");
    assertThat(links)
        .anySatisfy(
            link -> {
              assertThat(link.path("binding").asBoolean()).isTrue();
              assertThat(link.path("filledBy").path(0).asText()).isEqualTo("service-classes");
              assertThat(link.path("grantedKbpsBy").path("service-classes").asDouble())
                  .isEqualTo(link.path("grantedKbps").asDouble());
            });
  }

  @Test
  void aClassThatIsSplitShowsItsPartsTheLowestFirst() throws InterruptedException {
    put("guests", "{\"scheme\":\"service-classes\"}");
    paceline.talk("a", "guests");
    paceline.talk("b", "guests");
    paceline.talk("c", "guests");
    paceline.settle();
    paceline.split("a", "L");
    paceline.split("b", "H");
    paceline.split("c", "H");
    JsonNode parts = rest.get("classes").json().path("classes").path(0).path("subClasses");
    assertThat(parts).hasSize(2);
    assertThat(parts.path(0).path("subClass").asText()).isEqualTo("L");
    assertThat(parts.path(0).path("conversations").asInt()).isEqualTo(1);
    assertThat(parts.path(1).path("subClass").asText()).isEqualTo("H");
    assertThat(parts.path(1).path("granted").asInt()).isEqualTo(2);
    assertThat(parts.path(1).path("grantedKbps").asDouble())
        .isCloseTo(2 * parts.path(0).path("grantedKbps").asDouble(), within(0.01));
    assertThat(conversation("a").path("subClass").asText()).isEqualTo("L");
  }

  private JsonNode conversation(String id) {
    return rest.get("conversations/h1/" + id).json();
  }
}
