package org.paceline.onos.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.commons.math3.stat.regression.SimpleRegression;
import org.junit.jupiter.api.Test;

/**
 * What a round of adaptive reservations takes where one switch meters thousands of flows: its
 * counters are asked for, a decision is made of them, and all orders are confirmed. "tools/paceline
 * bench meters" runs it, and no build does: its times are claims of its result, and no assertions.
 * It asserts that each round changes each rate once, so that no time is of something else.
 *
 * <p>Everything of the controller is real but ONOS itself: planner, scheme, meters, and OpenFlow
 * through a TCP connection, in threads as in ONOS. The switch is a scripted one. Its own time and
 * that of the connection are in the milliseconds of a round, but not in the processor time. That is
 * of all threads of the controller from one question for counters to the next that comes after the
 * round, so also of what was put off. What the virtual machine does in threads of its own is left
 * out.
 */
final class MeterRoundBench {
  private static final int[] SIZES = {1_000, 2_000, 5_000, 10_000};

  /** Of this size the milliseconds are claimed. */
  private static final int FLOWS = 2_000;

  private static final int FLOWS_OF_HOST = 20;
  private static final int WARM_UPS = 5;
  private static final int ROUNDS = 15;
  private static final double MOST_MILLIS = 300;

  /** The exponent of the flows: 1 is linear. */
  private static final double MOST_GROWTH = 1.1;

  private static final double NANOS = 1e6;
  private static final int LONGEST_SECONDS = 600;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Who sends, and what shares a meter. */
  private enum Kind {
    SHARED("20 flows of a conversation share a meter", FLOWS_OF_HOST, FLOWS_OF_HOST),
    SINGLE("a meter for each flow, 20 flows a host", 1, FLOWS_OF_HOST),
    ONE_HOST("a meter for each flow, all of one host", 1, Integer.MAX_VALUE),
    FULL("a meter for each flow, 20 flows a host, links that their rates fill", 1, FLOWS_OF_HOST);

    final String says;
    final int flowsOfMeter;
    final int flowsOfHost;

    Kind(String says, int flowsOfMeter, int flowsOfHost) {
      this.says = says;
      this.flowsOfMeter = flowsOfMeter;
      this.flowsOfHost = flowsOfHost;
    }

    MeteredFlows.Size of(int flows) {
      return new MeteredFlows.Size(flows, flowsOfMeter, Math.min(flows, flowsOfHost), this == FULL);
    }
  }

  /** A round that changed the rate of each. */
  private static final class Sample {
    final double millis;
    final double processorMillis;

    Sample(double millis, double processorMillis) {
      this.millis = millis;
      this.processorMillis = processorMillis;
    }
  }

  /** The rounds of one size. */
  private static final class Run {
    final Kind kind;
    final int flows;
    final List<Sample> samples;

    Run(Kind kind, int flows, List<Sample> samples) {
      this.kind = kind;
      this.flows = flows;
      this.samples = samples;
    }

    /** The least first. */
    List<Double> sorted(ToDoubleFunction<Sample> what) {
      return samples.stream()
          .map(what::applyAsDouble)
          .sorted()
          .collect(Collectors.toUnmodifiableList());
    }
  }

  /** Takes samples on the planner's thread, until there are enough. */
  private static final class Stopwatch implements MeteredFlows.Rounds {
    final List<Sample> samples = new ArrayList<>();
    final List<Integer> changes = new ArrayList<>();
    final CountDownLatch done = new CountDownLatch(1);
    private final int meters;
    private volatile Optional<MeteredFlows> flows = Optional.empty();
    private Map<Long, Long> processor = Map.of();
    private long asked;
    private double millis;

    /** Not all of its orders are confirmed. */
    private boolean isUnderWay;

    Stopwatch(int meters) {
      this.meters = meters;
    }

    /** A round that its period is too short for goes on: its time is from its own question. */
    @Override
    public void asked() {
      if (isUnderWay) {
        return;
      }
      isUnderWay = true;
      processor = processorNanos();
      asked = System.nanoTime();
    }

    @Override
    public void confirmed() {
      millis = (System.nanoTime() - asked) / NANOS;
      isUnderWay = false;
    }

    @Override
    public void over() {
      boolean isComplete = flows.isPresent() && !processor.isEmpty() && !isUnderWay;
      if (isComplete && done.getCount() > 0) {
        changes.add(flows.get().changes());
        samples.add(new Sample(millis, since(processor) / NANOS));
        if (samples.size() == WARM_UPS + ROUNDS) {
          done.countDown();
        }
      }
    }

    private Map<Long, Long> processorNanos() {
      Map<Long, Long> all = new HashMap<>();
      for (long id : THREADS.getAllThreadIds()) {
        if (flows.filter(now -> now.connected().obeying().getId() == id).isEmpty()) {
          all.put(id, THREADS.getThreadCpuTime(id));
        }
      }
      return all;
    }

    private double since(Map<Long, Long> before) {
      double sum = 0;
      for (Map.Entry<Long, Long> now : processorNanos().entrySet()) {
        sum += Math.max(0, now.getValue() - before.getOrDefault(now.getKey(), 0L));
      }
      return sum;
    }
  }

  @Test
  void run() throws IOException, InterruptedException {
    double loadBefore = load();
    // For the compiler: what comes first would be the slowest.
    measured(Kind.SINGLE, FLOWS);
    List<Run> runs = new ArrayList<>();
    for (int flows : SIZES) {
      runs.add(measured(Kind.SHARED, flows));
      runs.add(measured(Kind.SINGLE, flows));
    }
    runs.add(measured(Kind.ONE_HOST, FLOWS));
    runs.add(measured(Kind.FULL, FLOWS));
    write(Path.of("target", "meter-round-bench"), runs, loadBefore);
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static Run measured(Kind kind, int flows) throws IOException, InterruptedException {
    MeteredFlows.Size size = kind.of(flows);
    Stopwatch stopwatch = new Stopwatch(size.meters());
    try (MeteredFlows world = new MeteredFlows(size, stopwatch)) {
      stopwatch.flows = Optional.of(world);
      boolean isDone = stopwatch.done.await(LONGEST_SECONDS, TimeUnit.SECONDS);
      assertThat(world.faults()).as("%s flows, %s", flows, kind.says).isEmpty();
      assertThat(isDone).as("%s flows, %s: all rounds came", flows, kind.says).isTrue();
    }
    assertThat(stopwatch.changes.subList(WARM_UPS, WARM_UPS + ROUNDS))
        .as("%s flows, %s: rates that a round changed", flows, kind.says)
        .containsOnly(stopwatch.meters);
    return new Run(kind, flows, stopwatch.samples.subList(WARM_UPS, WARM_UPS + ROUNDS));
  }

  private static void write(Path folder, List<Run> runs, double loadBefore) throws IOException {
    Files.createDirectories(folder);
    try (JsonGenerator json =
        new JsonFactory()
            .createGenerator(folder.resolve("result.json").toFile(), JsonEncoding.UTF8)
            .useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeStringField(
          "title", "A round of counters, decision and orders where one switch meters many flows");
      json.writeNumberField("loadBefore", loadBefore);
      json.writeNumberField("loadAfter", load());
      json.writeNumberField("processors", Runtime.getRuntime().availableProcessors());
      json.writeArrayFieldStart("runs");
      for (Run run : runs) {
        write(json, run);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("claims");
      for (Run run : runs) {
        if (run.flows == FLOWS) {
          List<Double> millis = run.sorted(sample -> sample.millis);
          double least = millis.get(0);
          double most = millis.get(millis.size() - 1);
          Claim round =
              new Claim(
                  run.flows + " flows, " + run.kind.says + ": a round", "ms", MOST_MILLIS, ROUNDS);
          if (run.kind == Kind.FULL) {
            // Rounds in which rates rise and fall take turns: a median would be of either.
            round.because(Claim.BUCKETS).write(json, most, least, most);
          } else {
            round.write(json, median(millis), least, most);
          }
        }
      }
      growth(json, Kind.SHARED, runs);
      growth(json, Kind.SINGLE, runs);
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static double median(List<Double> sorted) {
    return sorted.get(sorted.size() / 2);
  }

  private static void write(JsonGenerator json, Run run) throws IOException {
    json.writeStartObject();
    json.writeNumberField("flows", run.flows);
    json.writeStringField("of", run.kind.says);
    json.writeNumberField("meters", run.kind.of(run.flows).meters());
    json.writeNumberField("medianMillis", median(run.sorted(sample -> sample.millis)));
    json.writeNumberField(
        "medianProcessorMillis", median(run.sorted(sample -> sample.processorMillis)));
    json.writeArrayFieldStart("millis");
    for (Sample sample : run.samples) {
      json.writeNumber(sample.millis);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("processorMillis");
    for (Sample sample : run.samples) {
      json.writeNumber(sample.processorMillis);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** The slope of the logarithms, of all rounds, and its interval of 95 %. */
  private static void growth(JsonGenerator json, Kind kind, List<Run> runs) throws IOException {
    SimpleRegression regression = new SimpleRegression();
    for (Run run : runs) {
      if (run.kind == kind) {
        run.samples.forEach(
            sample -> regression.addData(Math.log(run.flows), Math.log(sample.processorMillis)));
      }
    }
    double slope = regression.getSlope();
    double half = regression.getSlopeConfidenceInterval();
    new Claim(
            "processor time grows with the flows to the power of, 1,000 to 10,000: " + kind.says,
            "1",
            MOST_GROWTH,
            Math.toIntExact(regression.getN()))
        .write(json, slope, slope - half, slope + half);
  }

  /** What is set out to be shown: at most the target. */
  private static final class Claim {
    static final String MACHINE = "It takes more than that on this machine.";
    static final String BUCKETS =
        "A switch may fill the bucket of a meter that it changes. So that no link is sent more than"
            + " it carries, the last of those that rise wait for a second.";

    private final String name;
    private final String unit;
    private final double target;
    private final int repeats;
    private String why = MACHINE;

    Claim(String name, String unit, double target, int repeats) {
      this.name = name;
      this.unit = unit;
      this.target = target;
      this.repeats = repeats;
    }

    /** Where it does not hold. */
    Claim because(String why) {
      this.why = why;
      return this;
    }

    void write(JsonGenerator json, double measured, double least, double most) throws IOException {
      json.writeStartObject();
      json.writeStringField("name", name);
      json.writeNullField("reference");
      json.writeNumberField("target", target);
      json.writeNumberField("measured", measured);
      json.writeStringField("unit", unit);
      json.writeBooleanField("holds", measured <= target);
      json.writeNumberField("repeats", repeats);
      json.writeArrayFieldStart("interval");
      json.writeNumber(least);
      json.writeNumber(most);
      json.writeEndArray();
      if (measured > target) {
        json.writeStringField("why", why);
      }
      json.writeEndObject();
    }
  }
}
