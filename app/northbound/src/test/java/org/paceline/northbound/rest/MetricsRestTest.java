package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a monitoring system reads. */
final class MetricsRestTest {
  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);

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
        .doesNotContain("paceline_link_carried_bits_per_second{from=\"h2\"");
  }
}
