package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.cli.conversations.ConversationsCommand;

/** What a monitoring system reads. */
final class MetricsRestTest {
  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);
  private final Shell shell = new Shell(paceline);

  @Test
  void planAndLinksAreLinesOfPrometheusTextFormat() {
    RestClient.Answer metrics = rest.get("metrics");
    assertThat(metrics.status).isEqualTo(200);
    assertThat(metrics.text)
        .contains("# TYPE paceline_conversations gauge\n")
        .contains("# TYPE paceline_link_dropped_packets_total counter\n")
        .contains(
            "paceline_link_carried_bits_per_second{from=\"h1\",from_name=\"10.0.0.1\",to=\"s1\",to_name=\"s1\"} 1234000.0\n")
        .contains("paceline_link_dropped_packets_total{from=\"h1\",")
        .contains("paceline_alarms{kind=\"drops\"} 0.0\n");
  }

  @Test
  void whatNobodyCountsHasNoLine() {
    assertThat(rest.get("metrics").text)
        .contains("paceline_link_capacity_bits_per_second{from=\"h2\"")
        .contains("paceline_link_usable_bits_per_second{from=\"h2\"")
        .doesNotContain("paceline_link_carried_bits_per_second{from=\"h2\"");
  }

  @Test
  void whatUsersExperienceIsByTheIntentThatNamesTheModel() throws Exception {
    paceline.talk("page", "web-browsing/science_lab");
    paceline.settle();
    paceline.report("page", Map.of("page_load_s", 10.0));
    paceline.settle();
    String intent = "paceline_experienced_utility{intent=\"web-browsing/science_lab\",of=";
    assertThat(rest.get("metrics").text)
        .contains(intent + "\"least\"} 2.69", intent + "\"mean\"} 2.69", intent + "\"predicted\"} ")
        .contains("paceline_conversations_with_unusable_kpis 0.0\n");
    paceline.report("page", Map.of("page_load_s", -10.0));
    paceline.settle();
    assertThat(rest.get("metrics").text)
        .doesNotContain(intent)
        .contains("paceline_conversations_with_unusable_kpis 1.0\n");
    assertThat(shell.run(new ConversationsCommand(), "--host h1")).contains("experienced");
  }
}
