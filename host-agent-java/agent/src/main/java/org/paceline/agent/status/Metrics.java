package org.paceline.agent.status;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.paceline.agent.session.RateChanges;

/**
 * How things are, for Prometheus. Rates are sums by intent: the rules bound how many there are,
 * while conversations come and go, and each would be a time series of its own.
 */
final class Metrics {
  private Metrics() {}

  static MetricSnapshots of(AgentStatus view) {
    return MetricSnapshots.builder()
        .metricSnapshot(byIntent(view, "conversations", "Conversations that are open.", row -> 1))
        .metricSnapshot(
            byIntent(
                view,
                "granted_bits_per_second",
                "What the controller has granted, in sum.",
                row -> row.rates().granted()))
        .metricSnapshot(
            byIntent(
                view,
                "installed_bits_per_second",
                "What the kernel was last read to hold, in sum.",
                row -> row.rates().installed()))
        .metricSnapshot(
            byIntent(
                view,
                "measured_bits_per_second",
                "What was sent between the last two reports, in sum.",
                row -> row.rates().measured()))
        .metricSnapshot(
            counter("paceline_rate_changes", "Rates that the controller has told.")
                .dataPoint(count(view.rateChanges().rates()))
                .build())
        .metricSnapshot(messageToKernel(view.rateChanges()))
        .metricSnapshot(
            gauge(
                "paceline_controller_connected",
                "1 while the controller has welcomed the agent, else 0.",
                view.controller().filter(AgentStatus.Controller::attached).isPresent() ? 1 : 0))
        .metricSnapshot(
            gauge(
                "paceline_relaxed_steps",
                "By how many steps of a lease rates are relaxed; 0: as granted.",
                view.controller().map(AgentStatus.Controller::relaxed).orElse(0)))
        .metricSnapshot(
            counter("paceline_errors", "Steps of the agent that failed and were told.")
                .dataPoint(count(view.health().failures()))
                .build())
        .metricSnapshot(
            gauge(
                "process_resident_memory_bytes",
                "Of the agent and its helpers.",
                view.health().usage().getResidentBytes()))
        .metricSnapshot(
            counter("process_cpu_seconds", "Of the agent and its helpers.")
                .unit(Unit.SECONDS)
                .dataPoint(count(view.health().usage().getCpuNanos() / 1e9))
                .build())
        .build();
  }

  private static GaugeSnapshot byIntent(
      AgentStatus view, String name, String help, ToLongFunction<AgentStatus.Row> value) {
    GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name("paceline_" + name).help(help);
    Map<String, List<AgentStatus.Row>> rows =
        view.conversations().stream()
            .collect(
                Collectors.groupingBy(AgentStatus.Row::intent, TreeMap::new, Collectors.toList()));
    rows.forEach(
        (intent, all) ->
            gauge.dataPoint(
                GaugeSnapshot.GaugeDataPointSnapshot.builder()
                    .labels(Labels.of("intent", intent))
                    .value(all.stream().mapToLong(value).sum())
                    .build()));
    return gauge.build();
  }

  private static GaugeSnapshot gauge(String name, String help, double value) {
    return GaugeSnapshot.builder()
        .name(name)
        .help(help)
        .dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder().value(value).build())
        .build();
  }

  private static CounterSnapshot.Builder counter(String name, String help) {
    return CounterSnapshot.builder().name(name).help(help);
  }

  private static CounterSnapshot.CounterDataPointSnapshot count(double value) {
    return CounterSnapshot.CounterDataPointSnapshot.builder().value(value).build();
  }

  private static HistogramSnapshot messageToKernel(RateChanges.Figures figures) {
    return HistogramSnapshot.builder()
        .name("paceline_message_to_kernel_seconds")
        .help("From a message with rates until the kernel was read to hold them.")
        .unit(Unit.SECONDS)
        .dataPoint(
            HistogramSnapshot.HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(
                    ClassicHistogramBuckets.of(figures.bounds(), figures.messages()))
                .sum(figures.secondsInAll())
                .build())
        .build();
  }
}
