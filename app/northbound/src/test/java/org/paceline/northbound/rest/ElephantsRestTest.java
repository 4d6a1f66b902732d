package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.control.settings.Options;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

/** Lists of elephants, as programs see them. */
final class ElephantsRestTest {
  private static final IpAddress ROUTER = IpAddress.parse("192.0.2.1");

  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);

  @Test
  void withoutExportersThereIsNoIngress() {
    JsonNode json = rest.get("elephants").json();
    assertThat(json.path("ingresses")).isEmpty();
    assertThat(json.path("applied").asBoolean()).isFalse();
    assertThat(json.path("dueMs").asLong()).isEqualTo(7_200_000);
  }

  @Test
  void whoIsLedApartWithWhatItsCircuitPromises() throws Exception {
    assertThat(rest.get("elephants").json().path("apart")).isEmpty();
    assertThat(
            rest.send("PUT", "intents/web-browsing", "{\"scheme\":\"elephant-isolation\"}").status)
        .isEqualTo(200);
    paceline.talk("copy", "web-browsing");
    paceline.settle();
    JsonNode one = rest.get("elephants").json().at("/apart/0");
    assertThat(one.path("conversation").asText()).isEqualTo("h1/copy");
    assertThat(one.path("intent").asText()).isEqualTo("web-browsing");
    assertThat(one.path("grantedKbps").asDouble()).isPositive();
    assertThat(one.path("path").size()).isGreaterThan(1);
    assertThat(one.path("paced").asBoolean()).isFalse();
    assertThat(one.has("circuitKbps")).as("none is booked").isFalse();
  }

  @Test
  void aListWithWhatCameAndHowGoodItWas() {
    assertThat(rest.send("PUT", "settings/flowExporters", "{\"value\":\"192.0.2.1\"}").status)
        .isEqualTo(200);
    paceline.elephants().goBy(new Options(paceline.settings().values()).elephantLists());
    paceline
        .exporters()
        .tell(
            ROUTER,
            FlowRecord.of(
                IpAddress.parse("10.0.0.1"),
                IpAddress.parse("10.0.0.2"),
                0,
                30_000,
                2_000_000_000));
    paceline.passTheNight();
    JsonNode ingress = rest.get("elephants").json().at("/ingresses/0");
    assertThat(ingress.path("exporter").asText()).isEqualTo("192.0.2.1");
    assertThat(ingress.at("/received/records").asLong()).isEqualTo(1);
    assertThat(ingress.path("heardMs").asLong()).isEqualTo(86_400_000);
    JsonNode pair = ingress.at("/pairs/0");
    assertThat(pair.path("source").asText()).isEqualTo("10.0.0.1/32");
    assertThat(pair.path("destination").asText()).isEqualTo("10.0.0.2/32");
    assertThat(pair.path("bytes").asLong()).isEqualTo(2_000_000_000);
    assertThat(pair.path("inForce").asBoolean()).isTrue();
    assertThat(pair.path("lastSeen").asText()).isEqualTo("1970-01-01");
    assertThat(pair.path("agesOutOn").asText()).isEqualTo("1970-02-01");
    assertThat(ingress.at("/days/0/flows").asInt()).isEqualTo(1);
    assertThat(ingress.at("/days/0/share").asDouble()).isZero();
  }
}
