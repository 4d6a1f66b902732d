package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What Prometheus reads of a real agent. */
class MetricsTest extends InNamespaces {
  private static final String ADDRESS = "127.0.0.1:9560";

  @Test
  void prometheusReadsWhatIsGrantedInstalledAndMeasured() throws Exception {
    try (AgentProcess agent = agentWith("metrics: " + ADDRESS + "\n")) {
      awaitAttached();
      try (Download download = download(2)) {
        controller.grant(Map.of(download.id(), FIVE_MEGABIT));
        awaitMetrics("paceline_measured_bits_per_second\\{intent=\"files/download\"} [1-9]");

        assertThat(metrics())
            .contains("paceline_conversations{intent=\"files/download\"} 1.0\n")
            .contains("paceline_granted_bits_per_second{intent=\"files/download\"} 5000000.0\n")
            .contains("paceline_installed_bits_per_second{intent=\"files/download\"} 5000000.0\n")
            .contains("paceline_rate_changes_total 1.0\n")
            .contains("paceline_message_to_kernel_seconds_bucket{le=\"+Inf\"} 1\n")
            .containsPattern("paceline_message_to_kernel_seconds_sum \\d")
            .contains("paceline_controller_connected 1.0\n")
            .contains("paceline_relaxed_steps 0.0\n")
            .containsPattern("paceline_errors_total \\d")
            .containsPattern("process_resident_memory_bytes [1-9]")
            .containsPattern("process_cpu_seconds_total \\d");

        controller.close();
        awaitMetrics("paceline_controller_connected 0\\.0");
      }
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void anAddressThatIsTakenIsWaitedForAndNothingIsTouchedMeanwhile() throws Exception {
    String taken = "(" + ADDRESS + ") of (metrics) cannot be had";
    try (TrafficProcess other = TrafficProcess.start(hosts.sender, "serve", "127.0.0.1", "9560");
        AgentProcess agent = agentWith("metrics: " + ADDRESS + "\n")) {
      agent.awaitOutput(taken);
      assertHostIsAsFound();

      other.close();
      awaitAttached();
      awaitMetrics("paceline_controller_connected 1\\.0");
      assertThat(agent.output().split(Pattern.quote(taken), -1)).as("said once").hasSize(2);
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  private String metrics() throws Exception {
    return hosts.onSender(
        Sh.java(List.of(), Traffic.class, "get", "http://" + ADDRESS + "/metrics"));
  }

  private void awaitMetrics(String pattern) throws Exception {
    await(this::metrics, metrics -> Pattern.compile(pattern).matcher(metrics).find());
  }
}
