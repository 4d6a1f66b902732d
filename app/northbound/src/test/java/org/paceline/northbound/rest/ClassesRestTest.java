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
  }
}
