package org.paceline.northbound.metrics;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.paceline.control.model.Alarm;
import org.paceline.control.planning.PlanSummary;
import org.paceline.control.telemetry.LinkMeasurement;
import org.paceline.control.view.IntentExperience;
import org.paceline.control.view.LinkView;
import org.paceline.control.view.StateView;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Utility;

/**
 * The plan and the links in Prometheus's text format. Names end in their unit; rates are in bits
 * per second, as networks count them.
 */
public final class Metrics {
  /** Prometheus's text format, version 0.0.4. */
  public static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final double NANOS = 1e9;

  private Metrics() {}

  public static String text(
      StateView now, List<Alarm> alarms, List<LinkView> links, List<IntentExperience> experiences) {
    PlanSummary summary = now.summary();
    MetricSnapshots all =
        new MetricSnapshots(
            gauge("paceline_agents", "Agents that are attached.", now.agents()),
            gauge("paceline_conversations", "Conversations that are known.", now.conversations()),
            gauge("paceline_conversations_granted", "Those with a grant.", now.granted()),
            gauge("paceline_conversations_unserved", "Those without, in the plan.", now.unserved()),
            gauge("paceline_plan_version", "The plan in force.", now.plan().version()),
            gauge(
                "paceline_plan_solve_seconds",
                "How long it took to solve.",
                summary.elapsed().toNanos() / NANOS),
            utilities(summary),
            experienced(experiences),
            unusable(experiences),
            alarms(alarms),
            rates(
                links,
                "capacity",
                "What the link can carry.",
                l -> Optional.of(l.link().capacity())),
            rates(
                links,
                "usable",
                "What conversations may send over it.",
                l -> Optional.of(l.usable())),
            rates(links, "granted", "What is granted on it.", l -> Optional.of(l.use().granted())),
            rates(links, "lent", "What is lent on it.", l -> Optional.of(l.use().lent())),
            rates(
                links,
                "carried",
                "What it carries, all traffic together, between the last two readings.",
                l -> l.measured().map(LinkMeasurement::rate)),
            dropped(links));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      new PrometheusTextFormatWriter(false).write(out, all);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static GaugeSnapshot gauge(String name, String help, double value) {
    return GaugeSnapshot.builder()
        .name(name)
        .help(help)
        .dataPoint(point(value, Labels.EMPTY))
        .build();
  }

  private static GaugeDataPointSnapshot point(double value, Labels labels) {
    return GaugeDataPointSnapshot.builder().value(value).labels(labels).build();
  }

  /** Nothing where nothing is granted. */
  private static GaugeSnapshot utilities(PlanSummary summary) {
    GaugeSnapshot.Builder gauge =
        GaugeSnapshot.builder()
            .name("paceline_utility")
            .help("Of what the plan grants, from 1 to 5: the worst-off's (least), and the mean.");
    utility(summary.minimumUtility(), "least").ifPresent(gauge::dataPoint);
    utility(summary.meanUtility(), "mean").ifPresent(gauge::dataPoint);
    return gauge.build();
  }

  private static Optional<GaugeDataPointSnapshot> utility(Optional<Utility> utility, String of) {
    return utility.map(u -> point(u.value().doubleValue(), Labels.of("of", of)));
  }

  private static GaugeSnapshot experienced(List<IntentExperience> all) {
    GaugeSnapshot.Builder gauge =
        GaugeSnapshot.builder()
            .name("paceline_experienced_utility")
            .help(
                "What users experience by the KPIs that their applications report, from 1 to 5, by"
                    + " the intent that names the model: the worst-off's (least), the mean, and the"
                    + " mean that was predicted for the same ones (predicted). The 50 intents with"
                    + " most of them.");
    for (IntentExperience one : all) {
      of(one, "least", one.least()).ifPresent(gauge::dataPoint);
      of(one, "mean", one.mean()).ifPresent(gauge::dataPoint);
      of(one, "predicted", one.predictedMean()).ifPresent(gauge::dataPoint);
    }
    return gauge.build();
  }

  private static Optional<GaugeDataPointSnapshot> of(
      IntentExperience one, String what, Optional<Utility> utility) {
    return utility.map(
        u ->
            point(
                u.value().doubleValue(), Labels.of("intent", one.intent().toString(), "of", what)));
  }

  private static GaugeSnapshot unusable(List<IntentExperience> all) {
    return gauge(
        "paceline_conversations_with_unusable_kpis",
        "Whose applications report KPIs that are incomplete, or cannot be so.",
        all.stream().mapToInt(IntentExperience::unusable).sum());
  }

  /** Also of those kinds of which there is none, so that one can be waited for. */
  private static GaugeSnapshot alarms(List<Alarm> alarms) {
    GaugeSnapshot.Builder gauge =
        GaugeSnapshot.builder()
            .name("paceline_alarms")
            .help("What could not be put right, by kind.");
    Stream.of(Alarm.Kind.values())
        .map(
            kind ->
                point(
                    alarms.stream().filter(alarm -> alarm.kind() == kind).count(),
                    Labels.of("kind", kind.word())))
        .forEach(gauge::dataPoint);
    return gauge.build();
  }

  private static GaugeSnapshot rates(
      List<LinkView> links, String what, String help, Function<LinkView, Optional<DataRate>> rate) {
    GaugeSnapshot.Builder gauge =
        GaugeSnapshot.builder().name("paceline_link_" + what + "_bits_per_second").help(help);
    for (LinkView link : links) {
      rate.apply(link)
          .ifPresent(known -> gauge.dataPoint(point(known.bitsPerSecond(), labels(link))));
    }
    return gauge.build();
  }

  private static CounterSnapshot dropped(List<LinkView> links) {
    CounterSnapshot.Builder counter =
        CounterSnapshot.builder()
            .name("paceline_link_dropped_packets")
            .help("What its first switch dropped, since the counters of the port began.");
    for (LinkView link : links) {
      link.measured()
          .ifPresent(
              measured ->
                  counter.dataPoint(
                      CounterDataPointSnapshot.builder()
                          .value(measured.droppedEver())
                          .labels(labels(link))
                          .build()));
    }
    return counter.build();
  }

  private static Labels labels(LinkView link) {
    return Labels.of(
        "from", link.link().from(),
        "from_name", link.fromName(),
        "to", link.link().to(),
        "to_name", link.toName());
  }
}
