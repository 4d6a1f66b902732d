package org.paceline.northbound.rest.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.model.TcpReading;
import org.paceline.control.model.Unserved;
import org.paceline.control.view.ConversationView;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.kpi.KpiReading;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.json.catalogue.Catalogue;

final class ConversationJsonTest {
  private static final Proof PROOF =
      Proof.of(
          Conversation.builder()
              .id(ConversationId.of("h1", "c1"))
              .localAddress("10.0.0.1")
              .remoteAddress("10.0.0.2")
              .build(),
          Catalogue.defaultTree().resolve(""),
          Instant.EPOCH);

  @Test
  void whatIsMeasuredSaysHowTcpFaresWhereItIsKnown() {
    assertThat(measured(Optional.empty())).isEqualTo("{\"sentBytes\":0,\"droppedPackets\":0}");
    assertThat(measured(Optional.of(TcpReading.of(17, Optional.empty(), OptionalInt.empty()))))
        .isEqualTo("{\"sentBytes\":0,\"droppedPackets\":0,\"retransmittedSegments\":17}");
    assertThat(
            measured(
                Optional.of(
                    TcpReading.of(
                        0, Optional.of(Latency.ofNanos(21_350_000)), OptionalInt.empty()))))
        .endsWith("\"retransmittedSegments\":0,\"smoothedRttMs\":21.35}");
  }

  @Test
  void aRateOfNoEffectIsNoRateToShow() {
    assertThat(installed(DataRate.ofKilobitsPerSecond(5_000)))
        .isEqualTo("{\"paced\":true,\"rateKbps\":5000}");
    assertThat(installed(DataRate.ofKilobitsPerSecond(100_000_000))).isEqualTo("{\"paced\":false}");
  }

  @Test
  void whatItsUserExperiencesStandsBesideWhatItMeasured() {
    Map<String, KpiReading> kpis =
        Map.of("page_load_s", KpiReading.of(1, Instant.EPOCH.plusMillis(1_500)));
    Proof felt = PROOF.toBuilder().kpis(kpis).experience(KpiModel.WEB.experience(kpis)).build();
    assertThat(ConversationJson.of(ConversationView.of(felt)).get("experienced"))
        .hasToString(
            "{\"model\":\"web\",\"utility\":4.72,\"kpis\":{\"page_load_s\":1.0},\"atMs\":1500}");
    assertThat(ConversationJson.of(ConversationView.of(PROOF)).has("experienced")).isFalse();
  }

  @Test
  void whoseFunctionItHasIsToldByItsPorts() {
    assertThat(ConversationJson.of(ConversationView.of(PROOF)).path("direction").asText())
        .isEqualTo("unknown");
    Conversation sent = PROOF.conversation().toBuilder().remotePort(443).build();
    Proof upload = PROOF.toBuilder().conversation(sent).build();
    assertThat(ConversationJson.of(ConversationView.of(upload)).path("direction").asText())
        .isEqualTo("upload");
  }

  @Test
  void whyItIsNotServedIsACodeForPrograms() {
    Unserved why = Unserved.of(Unserved.Code.NO_METERS, "of:1");
    Proof unserved = PROOF.toBuilder().unserved(Optional.of(why)).build();
    assertThat(ConversationJson.of(ConversationView.of(unserved)).get("code"))
        .hasToString("\"no-meters\"");
    assertThat(ConversationJson.of(ConversationView.of(PROOF)).has("code")).isFalse();
  }

  private static String installed(DataRate rate) {
    return ConversationJson.of(ConversationView.of(PROOF.toBuilder().installed(rate).build()))
        .get("installed")
        .toString();
  }

  private static String measured(Optional<TcpReading> tcp) {
    return ConversationJson.of(ConversationView.of(PROOF.toBuilder().tcp(tcp).build()))
        .get("measured")
        .toString();
  }
}
